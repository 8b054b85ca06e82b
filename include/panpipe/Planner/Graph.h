//===- Graph.h - Cost graph of a model --------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the planner knows about a model: a directed acyclic graph of nodes with
/// costs. Plain data: the planner includes neither MLIR nor LLVM. Times are
/// milliseconds for one microbatch on a device of speed 1, sizes are bytes.
/// docs/Planner.md describes the file format.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_GRAPH_H
#define PANPIPE_PLANNER_GRAPH_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace panpipe::planner {

/// The text of an error, or nothing.
using Error = std::optional<std::string>;

/// A parameter of the model. Nodes of one stage that use the same one share it.
struct Param {
  std::string name;
  uint64_t bytes = 0;
  bool isFrozen = false; ///< Not trained: no gradient, no optimizer state.
};

struct Node {
  std::string name;
  double forward = 0;    ///< Time of F.
  uint64_t outBytes = 0; ///< All outputs together.
  /// Parameters nobody else uses (the neutral format knows only these).
  uint64_t paramBytes = 0;
  uint64_t frozenBytes = 0; ///< The same, of parameters that are not trained.
  std::vector<unsigned> params; ///< Indices into Graph::params.
  /// An output leaves the model: it lives until the stage ends.
  bool isOutput = false;
  // Of training graphs: times of B and W; bytes that B needs of F, and W of B.
  double backwardInput = 0, backwardWeight = 0;
  uint64_t savedBytes = 0, weightBytes = 0;
};

/// One value that flows from node `source` to node `target` (source < target).
/// Two edges with equal `source` and `value` carry the same value.
struct Edge {
  unsigned source = 0, target = 0;
  uint64_t bytes = 0;
  unsigned value = 0; ///< Which output of `source`.
  bool gradient = true;
};

/// How values travel between two devices: latency + bytes / bandwidth.
struct Link {
  double latency = 0;   ///< Milliseconds per message.
  double bandwidth = 0; ///< Bytes per millisecond; 0 means that bytes are free.

  double time(uint64_t bytes) const {
    return latency +
           (bandwidth > 0 ? static_cast<double>(bytes) / bandwidth : 0);
  }
};

/// Nodes are in a topological order: every edge goes forward.
struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Param> params;
  Link link;
  /// Resident bytes per parameter byte: 1 for inference, 4 for training with
  /// Adam (weight, gradient, two moments), which is what files mean by default.
  double paramFactor = 1;

  /// Says what is wrong with the graph, if anything.
  Error verify() const;
  double totalForward() const;
  /// Bytes that a device with parameter `param` holds for it.
  double residentBytes(unsigned param) const {
    const Param &it = params[param];
    return static_cast<double>(it.bytes) * (it.isFrozen ? 1 : paramFactor);
  }
  /// A step has a backward pass.
  bool isTraining() const;
};

/// Reads and writes `pipe-graph/1`. `text` is the whole file.
Error readGraph(const std::string &text, Graph &graph);
std::string writeGraph(const Graph &graph);

/// A topological order of the nodes that goes deep before it goes wide: a node
/// comes directly after its last operand where it can. Deterministic. The
/// program's own order is the identity.
std::vector<unsigned> depthFirstOrder(const Graph &graph);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_GRAPH_H
