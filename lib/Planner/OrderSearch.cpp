//===- OrderSearch.cpp - Local search over orders -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OrderSearch.h"

#include "panpipe/Planner/StepSimulator.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace panpipe::planner;

OrderSearch::OrderSearch(const StepGraph &graph,
                         const std::vector<int64_t> &caps, Random &random)
    : graph(graph), caps(caps), random(random) {
  for (int64_t cap : caps)
    isCapped |= cap > 0;
  unsigned stages = graph.stages(), mbs = graph.microbatches;
  runs.resize(3 * stages * mbs);
  operands.assign(runs.size(), 1);
  for (unsigned stage = 0; stage < stages; ++stage)
    for (unsigned mb = 0; mb < mbs; ++mb) {
      operands[id(Phase::Forward, stage, mb)] =
          graph.activationsIn[stage].size();
      operands[id(Phase::Backward, stage, mb)] =
          graph.gradientsIn[stage].size() + 1;
    }
}

void OrderSearch::deliver(Phase phase, unsigned stage, unsigned mb, double time,
                          unsigned sender, std::vector<unsigned> &wake) {
  unsigned target = id(phase, stage, mb);
  if (time >= ready[target]) {
    ready[target] = time;
    reason[target] = sender;
  }
  if (--missing[target] == 0)
    wake.push_back(graph.stageDevice[stage]);
}

void OrderSearch::execute(unsigned device, unsigned run,
                          std::vector<unsigned> &wake) {
  const Instruction &it = current.order[device][next[device]];
  double duration = it.phase == Phase::Forward    ? graph.forward[it.stage]
                    : it.phase == Phase::Backward ? graph.backward[it.stage]
                                                  : graph.weight[it.stage];
  Run &state = runs[run];
  state.device = device;
  state.position = next[device];
  state.follows = next[device] > 0 && free[device] >= ready[run];
  state.reason = state.follows ? lastRun[device] : reason[run];
  state.start = std::max(free[device], ready[run]);
  double end = state.end = state.start + duration;
  free[device] = end;
  lastRun[device] = run;
  ++next[device];
  if (end > makespan) {
    makespan = end;
    lastId = run;
  }
  if (it.phase == Phase::Weight)
    return;
  for (const auto &message : graph.out(it.phase)[it.stage]) {
    double time = end;
    unsigned sender = run;
    if (message.isRemote) {
      size_t link = static_cast<size_t>(device) * graph.devices +
                    graph.stageDevice[message.stage];
      if (linkFree[link] > end)
        sender = linkSender[link];
      else
        linkSender[link] = run;
      time = linkFree[link] = std::max(end, linkFree[link]) + message.time;
    }
    deliver(it.phase, message.stage, it.microbatch, time, sender, wake);
  }
  if (it.phase == Phase::Forward && graph.hasBackward[it.stage])
    deliver(Phase::Backward, it.stage, it.microbatch, end, run, wake);
  if (it.phase == Phase::Backward && graph.weight[it.stage] > 0)
    deliver(Phase::Weight, it.stage, it.microbatch, end, run, wake);
}

/// False on a deadlock, or when the makespan reaches `cutoff`.
bool OrderSearch::simulate(double cutoff) {
  missing = operands;
  ready.assign(runs.size(), 0);
  reason.resize(runs.size());
  for (unsigned i = 0; i < runs.size(); ++i)
    reason[i] = i;
  next.assign(graph.devices, 0);
  free.assign(graph.devices, 0);
  lastRun.assign(graph.devices, 0);
  linkFree.assign(static_cast<size_t>(graph.devices) * graph.devices, 0);
  linkSender.assign(linkFree.size(), 0);
  makespan = 0;
  std::vector<unsigned> wake;
  for (unsigned device = graph.devices; device-- > 0;)
    wake.push_back(device);
  while (!wake.empty()) {
    unsigned device = wake.back();
    wake.pop_back();
    const auto &list = current.order[device];
    while (next[device] < list.size()) {
      unsigned run = id(list[next[device]]);
      if (missing[run] > 0)
        break;
      execute(device, run, wake);
      if (makespan >= cutoff)
        return false;
    }
  }
  for (unsigned device = 0; device < graph.devices; ++device)
    if (next[device] < current.order[device].size())
      return false;
  return true;
}

bool OrderSearch::fits() const {
  if (!isCapped)
    return true;
  StepTimeline timeline;
  if (simulateStep(graph, current, timeline))
    return false;
  for (unsigned device = 0; device < graph.devices; ++device)
    if (caps[device] > 0 && timeline.peak[device] > caps[device])
      return false;
  return true;
}

/// Pairs of neighbours on the critical path: the later one may go first.
void OrderSearch::collectMoves() {
  moves.clear();
  for (unsigned run = lastId;;) {
    const Run &it = runs[run];
    if (it.follows)
      moves.push_back({it.device, it.position, it.position - 1});
    if (it.reason == run)
      break;
    run = it.reason;
  }
}

OrderSearch::Move OrderSearch::pickMove() {
  // Now and then anything, to leave plateaus.
  if (moves.empty() || random.below(8) == 0) {
    for (;;) {
      unsigned device = random.below(graph.devices);
      unsigned size = current.order[device].size();
      if (size < 2)
        continue;
      unsigned from = 1 + random.below(size - 1);
      return {device, from, from - 1};
    }
  }
  Move move = moves[random.below(moves.size())];
  // A run may pass several at once.
  if (random.below(3) == 0)
    move.to -= std::min(move.to, random.below(6));
  return move;
}

void OrderSearch::apply(const Move &move) {
  auto begin = current.order[move.device].begin();
  std::rotate(begin + move.to, begin + move.from, begin + move.from + 1);
}

void OrderSearch::undo(const Move &move) {
  auto begin = current.order[move.device].begin();
  std::rotate(begin + move.to, begin + move.to + 1, begin + move.from + 1);
}

double OrderSearch::improve(Schedule &schedule, uint64_t effort,
                            double target) {
  current = schedule;
  if (!simulate(std::numeric_limits<double>::infinity()))
    return std::numeric_limits<double>::infinity();
  double now = makespan, best = now;
  bool isAny = false;
  uint64_t size = 0;
  for (const auto &list : current.order) {
    size += list.size();
    isAny |= list.size() >= 2;
  }
  if (!isAny)
    return best;
  collectMoves();
  uint64_t rounds = effort / std::max<uint64_t>(size, 1);
  for (uint64_t round = 0; round < rounds && best > target * (1 + 1e-12);
       ++round) {
    double heat =
        0.002 * best *
        (1 - static_cast<double>(round) / static_cast<double>(rounds));
    double cutoff = now - heat * std::log(1 - random.unit()) + 1e-9 * now;
    Move move = pickMove();
    apply(move);
    if (!simulate(cutoff) || !fits()) {
      undo(move);
      continue;
    }
    now = makespan;
    collectMoves();
    if (now < best - 1e-9) {
      best = now;
      schedule = current;
    }
  }
  return best;
}
