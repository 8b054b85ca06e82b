//===- Candidate.h - What the joint search changes --------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the joint search changes, how it is judged, and its moves.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_PLANNER_CANDIDATE_H
#define PANPIPE_LIB_PLANNER_CANDIDATE_H

#include "Random.h"

#include "panpipe/Planner/ListScheduler.h"
#include "panpipe/Planner/Plan.h"

namespace panpipe::planner {

/// Stages are intervals of a linear order of the graph, which moves may change
/// too. Keys of the list scheduler: when a run would start in a pipeline that
/// never waits, plus corrections.
struct Candidate {
  std::vector<unsigned> nodes; ///< The linear order.
  std::vector<unsigned> first; ///< Position where each stage starts.
  std::vector<unsigned> device;
  std::vector<char> recompute;
  std::vector<double>
      shift[3];      ///< Corrections per phase and stage, in periods.
  double stride = 1; ///< In periods.
  double backwardShift = 0, weightShift = 0; ///< In periods.

  unsigned stages() const { return first.size(); }
  unsigned end(unsigned stage) const {
    return stage + 1 < first.size() ? first[stage + 1] : nodes.size();
  }
  Partition partition(unsigned devices) const;
};

/// Judges candidates.
class Evaluator {
public:
  Evaluator(const Graph &graph, const Cluster &cluster, unsigned microbatches);

  /// The makespan; infinity if it reaches `cutoff`; without a schedule that
  /// fits, `unfit` plus a measure of what is missing.
  double judge(const Candidate &candidate, double cutoff,
               Schedule *schedule = nullptr);
  static constexpr double unfit = 1e100;

  void build(const Candidate &candidate);
  const StepGraph &stepGraph() const { return steps; }
  uint64_t effort() const { return scheduler.effort() + built; }
  const std::vector<int64_t> &caps() const { return capList; }

private:
  void computeKeys(const Candidate &candidate);
  double shortage() const;

  const Graph &graph;
  StepGraphBuilder builder;
  ListScheduler scheduler;
  std::vector<int64_t> capList;
  std::vector<unsigned> stageOf;
  StepGraph steps;
  ListPolicy policy;
  uint64_t built = 0;
};

/// Random changes of candidates.
class Mover {
public:
  Mover(const Graph &graph, const Cluster &cluster, bool allowsRecompute,
        Random &random);

  void change(Candidate &candidate);

private:
  bool moveBoundary(Candidate &candidate);
  bool moveStage(Candidate &candidate);
  bool changeDevice(Candidate &candidate);
  bool swapDevices(Candidate &candidate);
  void cut(Candidate &candidate, unsigned stage, unsigned at);
  unsigned isolate(Candidate &candidate, unsigned at);
  void joinNeighbours(Candidate &candidate);
  bool split(Candidate &candidate);
  bool giveNode(Candidate &candidate);
  bool tradeNodes(Candidate &candidate);
  bool merge(Candidate &candidate);
  bool moveNode(Candidate &candidate);
  bool toggleRecompute(Candidate &candidate);
  bool changeKeys(Candidate &candidate);
  unsigned step(unsigned limit);

  unsigned devices;
  bool allowsRecompute, isChain;
  std::vector<std::vector<unsigned>> operands, users;
  std::vector<unsigned> position;
  Random &random;
};

} // namespace panpipe::planner

#endif // PANPIPE_LIB_PLANNER_CANDIDATE_H
