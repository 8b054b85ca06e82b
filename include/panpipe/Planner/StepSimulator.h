//===- StepSimulator.h - Time and memory of a step --------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exact times and memory of a scheduled step under the rules of
/// docs/Planning.md: devices run their lists in order; the values from one
/// stage to another on a different device form one message per microbatch; each
/// directed pair of devices carries one message at a time, beside the
/// computation.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_STEPSIMULATOR_H
#define PANPIPE_PLANNER_STEPSIMULATOR_H

#include "panpipe/Planner/StepGraph.h"

namespace panpipe::planner {

struct StepTimeline {
  struct Task {
    Instruction run;
    double start = 0, end = 0;
    bool hasWeight = false; ///< A backward run that includes W.
  };
  struct Transfer {
    unsigned source = 0, target = 0, microbatch = 0; ///< Stages.
    Phase phase = Phase::Forward;
    double start = 0, end = 0;
    int64_t bytes = 0;
  };
  struct Memory {
    double time = 0;
    int64_t bytes = 0; ///< From this time on.
  };

  double makespan = 0;
  std::vector<std::vector<Task>> tasks; ///< Per device, in order.
  std::vector<Transfer> transfers;
  std::vector<double> busy;                ///< Per device.
  std::vector<std::vector<Memory>> memory; ///< Per device, times ascending.
  std::vector<int64_t> peak;               ///< Per device.
};

/// Fails when the devices wait for each other, and says where each stands.
/// Stages and microbatches must be in range.
Error simulateStep(const StepGraph &graph, const Schedule &schedule,
                   StepTimeline &timeline);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_STEPSIMULATOR_H
