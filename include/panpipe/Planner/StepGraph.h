//===- StepGraph.h - Stages with costs of a step ----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A partition with its costs: all that schedules of a whole step (forward,
/// input gradients, weight gradients) depend on. The rules are those of
/// `pipe-plan/1` in docs/Planning.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_STEPGRAPH_H
#define PANPIPE_PLANNER_STEPGRAPH_H

#include "panpipe/Planner/Cluster.h"
#include "panpipe/Planner/Plan.h"

namespace panpipe::planner {

struct StepGraph {
  /// The values of one microbatch from one stage to another.
  struct Message {
    unsigned stage = 0;    ///< The other end.
    bool isRemote = false; ///< It leaves the device.
    double time = 0;       ///< On the link; 0 when local.
    int64_t bytes = 0;
  };
  /// Per stage. Ends are ascending: messages of one instruction leave in this
  /// order.
  using MessageLists = std::vector<std::vector<Message>>;

  unsigned devices = 0, microbatches = 1;
  std::vector<unsigned> stageDevice;
  /// Times of each stage on its device. With recomputation, `backward`
  /// includes the second forward run.
  std::vector<double> forward, backward, weight;
  /// The stage has a backward instruction at all.
  std::vector<char> hasBackward;
  /// Bytes per microbatch: from the start of F to the end of B; while B of a
  /// recomputed stage runs; from the end of B to the end of a separate W.
  std::vector<int64_t> saved, again, pending;
  MessageLists activationsOut, activationsIn, gradientsOut, gradientsIn;
  std::vector<int64_t> resident; ///< Per device.

  unsigned stages() const { return stageDevice.size(); }
  const MessageLists &out(Phase phase) const {
    return phase == Phase::Forward ? activationsOut : gradientsOut;
  }
  const MessageLists &in(Phase phase) const {
    return phase == Phase::Forward ? activationsIn : gradientsIn;
  }
};

/// Makes step graphs of many partitions of one graph.
class StepGraphBuilder {
public:
  StepGraphBuilder(const Graph &graph, const Cluster &cluster,
                   unsigned microbatches);

  /// `stageOf` each node. `recompute` may be empty: no stage recomputes. `out`
  /// keeps its memory between calls.
  void build(const std::vector<unsigned> &stageOf,
             const std::vector<unsigned> &stageDevice,
             const std::vector<char> &recompute, StepGraph &out);

private:
  struct Use {
    unsigned target = 0;
    int64_t bytes = 0;
    bool gradient = false;
  };
  struct Value {
    unsigned source = 0;
    std::vector<Use> uses;
  };

  void sumNodes(const std::vector<unsigned> &stageOf, StepGraph &out);
  void addParams(const std::vector<unsigned> &stageOf, StepGraph &out);
  void addValues(const std::vector<unsigned> &stageOf, StepGraph &out);
  void addMessages(StepGraph &out);
  void applyRecompute(const std::vector<char> &recompute, StepGraph &out);

  const Graph &graph;
  const Cluster &cluster;
  unsigned microbatches;
  std::vector<Value> values;
  /// (stage, stage) -> bytes, and which entries are not zero.
  std::vector<int64_t> activationBytes, gradientBytes;
  std::vector<char> hasActivation, hasGradient;
};

/// One step graph of a verified partition.
StepGraph buildStepGraph(const Graph &graph, const Cluster &cluster,
                         const Plan &plan);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_STEPGRAPH_H
