//===- StepCheck.h - Checker of finished plans ------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A checker of finished plans that shares nothing with the search, the step
/// graph or the simulator: it reads the graph and the plan, and derives times
/// and memory on its own, as a longest path.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_STEPCHECK_H
#define PANPIPE_PLANNER_STEPCHECK_H

#include "panpipe/Planner/Cluster.h"
#include "panpipe/Planner/Plan.h"

namespace panpipe::planner {

struct StepReport {
  /// What is wrong with the plan, each naming the mistake; empty if nothing.
  std::vector<std::string> mistakes;
  // Of a plan whose order can be run:
  double makespan = 0;
  std::vector<int64_t> peak; ///< Bytes per device.

  bool isValid() const { return mistakes.empty(); }
};

/// Checks that every node is in one stage and the stages are acyclic; that
/// every run comes once, on its device, and every gradient is computed once;
/// that the devices do not wait for each other in a circle; that no device
/// exceeds its cap, messages included; and that remarks in the plan (makespan,
/// lower bound) are true.
StepReport checkStep(const Graph &graph, const Cluster &cluster,
                     const Plan &plan);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_STEPCHECK_H
