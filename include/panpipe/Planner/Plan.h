//===- Plan.h - Partitions and schedules as plain data ----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decisions, apart from the passes that apply them: which node runs in which
/// stage (Partition), and in which order each device runs its stages
/// (Schedule). A plan made by hand, by a file or by another planner goes the
/// same way as one of ours. docs/Planner.md describes the file format.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PLANNER_PLAN_H
#define PANPIPE_PLANNER_PLAN_H

#include "panpipe/Planner/Graph.h"

#include <optional>
#include <string>
#include <vector>

namespace panpipe::planner {

/// Stages are in a topological order of the stage graph; nodes of a stage are
/// ascending. A stage's nodes need not be neighbours.
struct Partition {
  unsigned devices = 0;
  std::vector<std::vector<unsigned>> stages;
  std::vector<unsigned> stageDevice; ///< Device of each stage.

  /// Every node in exactly one stage, no empty stage, devices in range, stage
  /// graph acyclic and in order.
  Error verify(const Graph &graph) const;
  /// Stage of each node of a verified partition.
  std::vector<unsigned> stageOf(const Graph &graph) const;
};

/// Brings the stages (and their devices) of `partition` into a topological
/// order, earliest node first. Fails if the stage graph has a cycle, and names
/// two nodes on it.
Error sortStages(const Graph &graph, Partition &partition);

/// F, B (gradients of a stage's inputs) and W (of its parameters).
enum class Phase : uint8_t { Forward, Backward, Weight };

/// One run of a stage. A stage and microbatch without a W of its own does that
/// work in B.
struct Instruction {
  unsigned stage = 0, microbatch = 0;
  Phase phase = Phase::Forward;
  bool operator==(const Instruction &other) const {
    return stage == other.stage && microbatch == other.microbatch &&
           phase == other.phase;
  }
};

/// `F3.0`: as in files and diagnostics.
std::string instructionText(const Instruction &run);

struct Schedule {
  unsigned microbatches = 1;
  std::vector<std::vector<Instruction>> order; ///< One list per device.

  /// Every stage runs once per microbatch on its device; the lists do not wait
  /// for each other in a circle. `stageDevice` and `dependences` (pairs of
  /// stages, first before second) describe the stage graph.
  Error
  verify(const std::vector<unsigned> &stageDevice,
         const std::vector<std::pair<unsigned, unsigned>> &dependences) const;
};

/// What `pipe-plan/1` holds.
struct Plan {
  std::string graph; ///< Name of the model.
  Partition partition;
  std::optional<Schedule> schedule;
  unsigned microbatches = 1;
  /// Per stage: runs forward again before its backward run, to keep less.
  /// Empty: none does.
  std::vector<char> recompute;
  /// Optional remarks of who made the plan: where the costs come from, the
  /// predicted time, its lower bound (milliseconds).
  std::string costs;
  std::string policy; ///< The schedule's kind.
  std::optional<double> makespan, lowerBound;
};

/// Reads a plan for `graph`: stages name their nodes by position or by name,
/// and come back sorted. The partition and the schedule (if any) are verified.
Error readPlan(const std::string &text, const Graph &graph, Plan &plan);
std::string writePlan(const Plan &plan);

/// Reads only the order of a plan, for stages that exist already: those of the
/// file are taken to be in the same order. The schedule is verified.
Error readSchedule(
    const std::string &text, const std::vector<unsigned> &stageDevice,
    const std::vector<std::pair<unsigned, unsigned>> &dependences,
    unsigned microbatches, Schedule &schedule);

} // namespace panpipe::planner

#endif // PANPIPE_PLANNER_PLAN_H
