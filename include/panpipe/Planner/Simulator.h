//===- Simulator.h - Forward schedules and their time -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Schedules of the forward pipeline, and an exact simulation of them under the
/// rules of docs/Planner.md: devices run their lists in order; values between
/// two stages form one message per microbatch; each directed pair of devices
/// carries one message at a time and does not occupy the devices.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_SIMULATOR_H
#define PANPIPE_PLANNER_SIMULATOR_H

#include "panpipe/Planner/Plan.h"

namespace panpipe::planner {

/// The stage graph with costs: all that schedules depend on.
struct StageGraph {
  struct Transfer {
    unsigned source = 0, target = 0; ///< Stages, source before target.
    uint64_t bytes = 0;              ///< Per microbatch.
  };
  std::vector<unsigned> stageDevice;
  /// time[stage][microbatch]; microbatches may differ in size.
  std::vector<std::vector<double>> time;
  std::vector<Transfer> transfers;
  std::vector<double> memory; ///< Resident bytes per device.
  Link link;
  unsigned devices = 0, microbatches = 1;

  std::vector<std::pair<unsigned, unsigned>> dependences() const;
};

/// Stage graph of `partition` with equal microbatches.
StageGraph buildStageGraph(const Graph &graph, const Partition &partition,
                           unsigned microbatches);

/// List schedule of the forward pipeline: at each moment the device that can
/// start first runs its earliest ready microbatch, deepest stage first. With
/// one stage per device this is microbatch order.
Schedule scheduleForward(const StageGraph &graph);

struct Simulation {
  double makespan = 0;
  std::vector<double> busy;      ///< Per device.
  std::vector<double> peakBytes; ///< Per device: resident and waiting messages.
};

/// Runs a verified schedule.
Simulation simulate(const StageGraph &graph, const Schedule &schedule);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_SIMULATOR_H
