//===- JointSearch.h - Partition, placement and schedule --------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Searches partition, placement, schedule, recomputation and the number of
/// microbatches together. Effort is counted in simulated runs, never in time:
/// the same request gives the same plan everywhere.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_JOINTSEARCH_H
#define PANPIPE_PLANNER_JOINTSEARCH_H

#include "panpipe/Planner/Bounds.h"
#include "panpipe/Planner/Plan.h"

#include <functional>

namespace panpipe::planner {

struct StepRequest {
  const Graph &graph; ///< Costs are for one microbatch.
  Cluster cluster;
  unsigned microbatches = 1;
  bool allowsRecompute = true;
  /// Simulated runs: the default takes some seconds.
  uint64_t effort = defaultEffort;
  /// Called now and then: spent and whole effort, the best makespan so far
  /// (infinity if there is none) and the lower bound.
  std::function<void(uint64_t, uint64_t, double, double)> progress;

  static constexpr uint64_t defaultEffort = 45000000;
};

struct StepResult {
  /// With schedule, makespan and bound; it has passed checkStep.
  std::optional<Plan> plan;
  StepBounds bounds;
  std::vector<int64_t> peak; ///< Bytes per device.
  std::string error;         ///< Set when there is no plan.
};

StepResult searchStep(const StepRequest &request);

/// `graph` with costs for one of `to` microbatches instead of one of `from`:
/// everything but parameters shrinks with the microbatch, and each run of a
/// node costs `overhead` milliseconds whatever its size.
Graph rescale(const Graph &graph, unsigned from, unsigned to, double overhead);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_JOINTSEARCH_H
