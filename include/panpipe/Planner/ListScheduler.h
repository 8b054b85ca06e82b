//===- ListScheduler.h - List schedules of a step ---------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A list scheduler for stages of any cost: whenever a device is free it runs,
/// of what is ready, the run with the smallest key. Keys are linear in the
/// microbatch, which is enough to contain the schedules of the literature.
/// Memory caps hold by construction.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_LISTSCHEDULER_H
#define PANPIPE_PLANNER_LISTSCHEDULER_H

#include "panpipe/Planner/StepGraph.h"

namespace panpipe::planner {

/// key(phase, stage, microbatch) = offset[phase][stage] + stride * microbatch.
/// A small stride finishes a phase for all microbatches first (GPipe); with the
/// period of the pipeline as stride, old microbatches go first (1F1B). Large
/// offsets of W make it fill gaps.
struct ListPolicy {
  std::vector<double> offset[3];
  double stride = 0;
  /// Per device: F waits while this many microbatches of its stages, summed
  /// over the stages, have not finished B (and W, where `limitsWeight`). 0: no
  /// limit.
  std::vector<unsigned> limit;
  bool limitsWeight = false;
};

class ListScheduler {
public:
  /// Makespan of the schedule of `graph`; infinity when it would reach
  /// `cutoff` or when nothing fits into `caps` any more (bytes per device, 0
  /// for none; may be empty). Fills `order`, if given, with one list per
  /// device.
  double run(const StepGraph &graph, const ListPolicy &policy,
             const std::vector<int64_t> &caps, double cutoff,
             Schedule *order = nullptr);

  /// Runs placed so far, over all calls, and a part for each look at the
  /// memory: a measure of effort.
  uint64_t effort() const { return placed + checked / 4; }

private:
  /// One phase of one stage.
  struct Slot {
    unsigned stage = 0, next = 0; ///< Next microbatch.
    Phase phase = Phase::Forward;
    double offset = 0, duration = 0;
    int64_t bytes = 0; ///< Claimed on the own device at the start.
  };
  /// What a device's memory does; releases of the run in progress come later.
  struct Memory {
    int64_t cap = 0, used = 0, pending = 0, claim = 0;
    double pendingTime = 0;
  };

  void prepare(const StepGraph &graph, const ListPolicy &policy);
  void prepareMemory(const std::vector<int64_t> &caps);
  void computeClaims();
  double nextReady(const Slot &slot) const;
  void updateEstimate(unsigned device);
  unsigned pickSlot(unsigned device) const;
  void place(unsigned device, Slot &slot, Schedule *order);
  void arrive(Phase phase, unsigned stage, unsigned mb, double time);
  bool isAllowed(unsigned device, const Slot &slot, double start) const;
  bool isSafe(unsigned device, unsigned mb, int64_t bytes, double time) const;
  void settle(unsigned device, double time);
  bool advanceClock();
  void release(unsigned device, const Slot &slot, double end);
  size_t at(unsigned stage, unsigned mb) const {
    return static_cast<size_t>(stage) * graph->microbatches + mb;
  }

  const StepGraph *graph = nullptr;
  const ListPolicy *policy = nullptr;
  bool isCapped = false;
  double clock = 0, makespan = 0;
  std::vector<Slot> slots; ///< Of one device behind the other.
  std::vector<unsigned> firstSlot;
  std::vector<double> ready[3];
  std::vector<unsigned> missing[3];
  std::vector<double> free, estimate, linkFree;
  std::vector<double> workLeft; ///< Per device: runs not yet placed.
  std::vector<char> isDirty, isBlocked;
  std::vector<unsigned> inFlight; ///< Per device.
  std::vector<Memory> memory;
  std::vector<int64_t> held; ///< [device][microbatch].
  unsigned oldest = 0;
  std::vector<unsigned> runsLeft; ///< Per microbatch.
  uint64_t placed = 0, checked = 0;
};

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_LISTSCHEDULER_H
