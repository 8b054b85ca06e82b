//===- Search.h - Partition policies ----------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Policies that choose a partition, all behind one signature, and what they
/// minimise.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_SEARCH_H
#define PANPIPE_PLANNER_SEARCH_H

#include "panpipe/Planner/Cluster.h"
#include "panpipe/Planner/Plan.h"

namespace panpipe::planner {

enum class Objective {
  /// Time of the slowest stage or transfer: throughput of an endless stream.
  /// Ties go to fewer bytes between devices.
  Bottleneck,
  /// Time from the first input to the last output of `microbatches`
  /// microbatches.
  Makespan,
};

struct PartitionRequest {
  const Graph &graph;
  std::vector<DeviceSpec> devices; ///< Stage k goes to device k.
  unsigned microbatches = 1;
  Objective objective = Objective::Bottleneck;
};

/// Costs of one stage, for one microbatch.
struct StageCost {
  double work = 0;       ///< Time on a device of speed 1.
  uint64_t received = 0; ///< Bytes from other stages, each value once.
  double transfer = 0;   ///< Time to receive them (one message).
  uint64_t params = 0;   ///< Resident parameter bytes, shared ones once.
  /// Peak bytes: parameters, received values (two sets when microbatches
  /// overlap), and the largest set of live values made inside.
  uint64_t memory = 0;
};

/// Costs of a stage that holds `nodes` (ascending).
StageCost stageCost(const Graph &graph, const std::vector<unsigned> &nodes,
                    unsigned microbatches);

/// What a partition costs by the model that the search minimises: stages in a
/// row, one per device, transfers beside the computation.
struct PartitionCost {
  std::vector<StageCost> stages;
  double bottleneck = 0; ///< max of work / speed and transfer over the stages.
  double transfer = 0;   ///< Sum of transfers.
  double makespan =
      0; ///< Σ work + Σ transfer + (microbatches − 1) · bottleneck.
};
PartitionCost partitionCost(const PartitionRequest &request,
                            const Partition &partition);

/// No plan of the asked objective can be better than this: `Makespan`: load of
/// the devices, and every node's longest path with its repetitions;
/// `Bottleneck`: mean load and heaviest node.
double lowerBound(const PartitionRequest &request);

/// Either a partition, or why there is none.
struct PartitionResult {
  std::optional<Partition> partition;
  std::string error; ///< Set when there is no partition.
};

/// A policy: exactly one stage per device, every stage with at least one node.
using PartitionPolicy = PartitionResult (*)(const PartitionRequest &);

/// Best partition into intervals of a linear order (program order or depth
/// first, whichever is better), by dynamic programming. When none fits, the
/// error names the device, the missing bytes and the smallest change that fits.
PartitionResult partitionByIntervals(const PartitionRequest &request);

/// Reference policy: equal numbers of nodes in program order. Ignores costs,
/// respects no cap.
PartitionResult partitionEvenly(const PartitionRequest &request);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_SEARCH_H
