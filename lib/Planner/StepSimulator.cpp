//===- StepSimulator.cpp - Time and memory of a step ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/StepSimulator.h"

#include <algorithm>

using namespace panpipe::planner;

namespace {
/// A change of a device's memory; at equal times, releases come first.
struct Event {
  double time = 0;
  bool isClaim = false;
  int64_t bytes = 0;
  bool operator<(const Event &other) const {
    return time != other.time ? time < other.time : isClaim < other.isClaim;
  }
};

class Simulator {
public:
  Simulator(const StepGraph &graph, const Schedule &schedule,
            StepTimeline &timeline);
  Error run();

private:
  size_t slot(unsigned stage, unsigned microbatch) const {
    return static_cast<size_t>(stage) * graph.microbatches + microbatch;
  }
  double readyTime(const Instruction &run) const;
  void execute(unsigned device, const Instruction &run, double start);
  void send(unsigned device, const Instruction &run, double end);
  void changeMemory(unsigned device, const Instruction &run, double start,
                    double end);
  void sumMemory();
  Error describeDeadlock(const std::vector<size_t> &next) const;

  const StepGraph &graph;
  const Schedule &schedule;
  StepTimeline &timeline;
  std::vector<double> free, linkFree;
  std::vector<std::vector<Event>> events;
  std::vector<char> isSplit;
  /// Per phase and slot: end of the run (negative: not yet), messages that have
  /// arrived, and when the last one did.
  std::vector<double> end[3], arrival[2];
  std::vector<unsigned> arrived[2];
};
} // namespace

Simulator::Simulator(const StepGraph &graph, const Schedule &schedule,
                     StepTimeline &timeline)
    : graph(graph), schedule(schedule), timeline(timeline),
      free(graph.devices, 0),
      linkFree(static_cast<size_t>(graph.devices) * graph.devices, 0),
      events(graph.devices) {
  size_t slots = static_cast<size_t>(graph.stages()) * graph.microbatches;
  isSplit.assign(slots, 0);
  for (auto &times : end)
    times.assign(slots, -1);
  for (int phase = 0; phase < 2; ++phase) {
    arrival[phase].assign(slots, 0);
    arrived[phase].assign(slots, 0);
  }
  for (const auto &list : schedule.order)
    for (const Instruction &run : list)
      if (run.phase == Phase::Weight)
        isSplit[slot(run.stage, run.microbatch)] = 1;
  timeline = StepTimeline();
  timeline.tasks.resize(graph.devices);
  timeline.busy.assign(graph.devices, 0);
  timeline.memory.resize(graph.devices);
}

/// When all operands are there, or a negative number.
double Simulator::readyTime(const Instruction &run) const {
  size_t at = slot(run.stage, run.microbatch);
  if (run.phase == Phase::Weight)
    return end[1][at];
  auto phase = static_cast<size_t>(run.phase);
  if (arrived[phase][at] < graph.in(run.phase)[run.stage].size())
    return -1;
  if (run.phase == Phase::Forward)
    return arrival[0][at];
  return end[0][at] < 0 ? -1 : std::max(arrival[1][at], end[0][at]);
}

void Simulator::changeMemory(unsigned device, const Instruction &run,
                             double start, double finish) {
  auto &list = events[device];
  auto change = [&](double time, int64_t bytes) {
    if (bytes != 0)
      list.push_back({time, bytes > 0, bytes});
  };
  unsigned stage = run.stage;
  bool split = isSplit[slot(stage, run.microbatch)];
  if (run.phase == Phase::Weight)
    return change(finish, -graph.pending[stage]);
  if (run.phase == Phase::Forward && graph.hasBackward[stage])
    change(start, graph.saved[stage]);
  if (run.phase == Phase::Backward) {
    change(start, graph.again[stage]);
    change(finish, -graph.again[stage]);
    change(finish, -graph.saved[stage]);
    if (split)
      change(finish, graph.pending[stage]);
  }
  for (const StepGraph::Message &message : graph.in(run.phase)[stage])
    if (message.isRemote)
      change(finish, -message.bytes);
}

void Simulator::send(unsigned device, const Instruction &run, double finish) {
  if (run.phase == Phase::Weight)
    return;
  auto phase = static_cast<size_t>(run.phase);
  for (const StepGraph::Message &message : graph.out(run.phase)[run.stage]) {
    double time = finish;
    if (message.isRemote) {
      unsigned target = graph.stageDevice[message.stage];
      double &link = linkFree[device * graph.devices + target];
      double start = std::max(finish, link);
      time = link = start + message.time;
      timeline.transfers.push_back({run.stage, message.stage, run.microbatch,
                                    run.phase, start, time, message.bytes});
      if (message.bytes > 0)
        events[target].push_back({time, true, message.bytes});
    }
    size_t at = slot(message.stage, run.microbatch);
    arrival[phase][at] = std::max(arrival[phase][at], time);
    ++arrived[phase][at];
  }
}

void Simulator::execute(unsigned device, const Instruction &run, double start) {
  size_t at = slot(run.stage, run.microbatch);
  bool split = isSplit[at];
  double duration = graph.forward[run.stage];
  if (run.phase == Phase::Backward)
    duration =
        graph.backward[run.stage] + (split ? 0 : graph.weight[run.stage]);
  else if (run.phase == Phase::Weight)
    duration = graph.weight[run.stage];
  double finish = start + duration;
  free[device] = finish;
  end[static_cast<size_t>(run.phase)][at] = finish;
  timeline.busy[device] += duration;
  timeline.tasks[device].push_back(
      {run, start, finish, run.phase == Phase::Backward && !split});
  timeline.makespan = std::max(timeline.makespan, finish);
  changeMemory(device, run, start, finish);
  send(device, run, finish);
}

void Simulator::sumMemory() {
  for (unsigned device = 0; device < graph.devices; ++device) {
    std::stable_sort(events[device].begin(), events[device].end());
    int64_t now = graph.resident[device], peak = now;
    auto &curve = timeline.memory[device];
    curve.push_back({0, now});
    for (const Event &event : events[device]) {
      now += event.bytes;
      peak = std::max(peak, now);
      if (curve.back().time == event.time)
        curve.back().bytes = now;
      else
        curve.push_back({event.time, now});
    }
    timeline.peak.push_back(peak);
  }
}

Error Simulator::describeDeadlock(const std::vector<size_t> &next) const {
  std::string text;
  for (unsigned device = 0; device < graph.devices; ++device)
    if (next[device] < schedule.order[device].size())
      text += (text.empty() ? "" : ", ") + std::string("device ") +
              std::to_string(device) + " at " +
              instructionText(schedule.order[device][next[device]]);
  return "the devices wait for each other: " + text;
}

Error Simulator::run() {
  std::vector<size_t> next(graph.devices, 0);
  bool isDone = false;
  for (bool progress = true; progress && !isDone;) {
    progress = false;
    isDone = true;
    for (unsigned device = 0; device < graph.devices; ++device) {
      const auto &list = schedule.order[device];
      while (next[device] < list.size()) {
        double ready = readyTime(list[next[device]]);
        if (ready < 0)
          break;
        execute(device, list[next[device]++], std::max(ready, free[device]));
        progress = true;
      }
      isDone &= next[device] == list.size();
    }
  }
  if (!isDone)
    return describeDeadlock(next);
  sumMemory();
  return std::nullopt;
}

Error panpipe::planner::simulateStep(const StepGraph &graph,
                                     const Schedule &schedule,
                                     StepTimeline &timeline) {
  return Simulator(graph, schedule, timeline).run();
}
