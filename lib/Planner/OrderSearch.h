//===- OrderSearch.h - Local search over orders -----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Improves the order of a schedule whose stages stand: local search over
/// neighbouring runs on the critical path, judged by exact simulation.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_PLANNER_ORDERSEARCH_H
#define PANPIPE_LIB_PLANNER_ORDERSEARCH_H

#include "Random.h"

#include "panpipe/Planner/StepGraph.h"

namespace panpipe::planner {

class OrderSearch {
public:
  OrderSearch(const StepGraph &graph, const std::vector<int64_t> &caps,
              Random &random);

  /// Spends `effort` placed runs, starting at `schedule`, which must be free of
  /// deadlocks and within the caps, and leaves the best one there. Returns its
  /// makespan. `target`: stops when that is reached.
  double improve(Schedule &schedule, uint64_t effort, double target);

private:
  struct Run {
    unsigned device = 0, position = 0;
    double start = 0, end = 0;
    unsigned reason = 0;  ///< The run whose end set `start`; itself if none.
    bool follows = false; ///< The reason is the device's previous run.
  };

  unsigned id(Phase phase, unsigned stage, unsigned mb) const {
    return (static_cast<unsigned>(phase) * graph.stages() + stage) *
               graph.microbatches +
           mb;
  }
  unsigned id(const Instruction &run) const {
    return id(run.phase, run.stage, run.microbatch);
  }
  bool simulate(double cutoff);
  void deliver(Phase phase, unsigned stage, unsigned mb, double time,
               unsigned sender, std::vector<unsigned> &wake);
  void execute(unsigned device, unsigned run, std::vector<unsigned> &wake);
  bool fits() const;
  void collectMoves();
  struct Move {
    unsigned device = 0, from = 0, to = 0; ///< Positions, to < from.
  };
  Move pickMove();
  void apply(const Move &move);
  void undo(const Move &move);

  const StepGraph &graph;
  const std::vector<int64_t> &caps;
  Random &random;
  bool isCapped = false;
  Schedule current;
  std::vector<Run> runs; ///< By id.
  std::vector<double> ready;
  std::vector<unsigned> reason, missing, operands, next;
  std::vector<double> free, linkFree;
  std::vector<unsigned> lastRun, linkSender;
  double makespan = 0;
  unsigned lastId = 0;
  std::vector<Move> moves;
};

} // namespace panpipe::planner

#endif // PANPIPE_LIB_PLANNER_ORDERSEARCH_H
