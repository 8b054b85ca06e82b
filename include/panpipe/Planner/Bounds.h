//===- Bounds.h - Lower bounds on a step ------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lower bounds on the time of a step, for any partition, placement and order
/// under the rules of docs/Planning.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_BOUNDS_H
#define PANPIPE_PLANNER_BOUNDS_H

#include "panpipe/Planner/Cluster.h"

namespace panpipe::planner {

struct StepBounds {
  /// All work on all devices, each idle until its first input can be there.
  double load = 0;
  /// The same for the heaviest nodes: some device must take several of them.
  double packing = 0;
  /// One microbatch forward and back.
  double path = 0;
  /// All runs of one node, after its longest way in and before its way out.
  double node = 0;

  double best() const;
  /// What the best bound rests on, in words.
  std::string binding() const;
};

StepBounds lowerBounds(const Graph &graph, const Cluster &cluster,
                       unsigned microbatches);

/// For chains on equal devices: no plan with one contiguous stage per device
/// and undivided backward runs is faster. Nothing for other graphs.
std::optional<double> chainBound(const Graph &graph, const Cluster &cluster,
                                 unsigned microbatches);

/// Why no plan can fit into the caps whatever the partition: which node or
/// which sum, and by how many bytes. Nothing if that cannot be said.
Error provenShortage(const Graph &graph, const Cluster &cluster);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_BOUNDS_H
