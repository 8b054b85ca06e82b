//===- Simulator.cpp - Forward schedules and their time -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/Simulator.h"

#include "panpipe/Planner/Search.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace panpipe::planner;

std::vector<std::pair<unsigned, unsigned>> StageGraph::dependences() const {
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (const Transfer &transfer : transfers)
    pairs.emplace_back(transfer.source, transfer.target);
  return pairs;
}

StageGraph panpipe::planner::buildStageGraph(const Graph &graph,
                                             const Partition &partition,
                                             unsigned microbatches) {
  StageGraph result;
  result.stageDevice = partition.stageDevice;
  result.link = graph.link;
  result.devices = partition.devices;
  result.microbatches = microbatches;
  result.memory.assign(partition.devices, 0);
  std::vector<unsigned> stageOf = partition.stageOf(graph);
  for (size_t stage = 0; stage < partition.stages.size(); ++stage) {
    StageCost cost = stageCost(graph, partition.stages[stage], 1);
    result.time.emplace_back(microbatches, cost.work);
    // What is received is counted while the messages wait.
    result.memory[partition.stageDevice[stage]] +=
        static_cast<double>(cost.memory - cost.received);
  }
  // Each value once per target stage, with its largest edge.
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, uint64_t> values;
  for (const Edge &edge : graph.edges) {
    unsigned from = stageOf[edge.source], to = stageOf[edge.target];
    if (from == to)
      continue;
    uint64_t &bytes = values[{from, to, edge.source, edge.value}];
    bytes = std::max(bytes, edge.bytes);
  }
  for (const auto &[key, bytes] : values) {
    auto [from, to, node, value] = key;
    if (result.transfers.empty() || result.transfers.back().source != from ||
        result.transfers.back().target != to)
      result.transfers.push_back({from, to, 0});
    result.transfers.back().bytes += bytes;
  }
  return result;
}

namespace {
/// The state of a simulation: when each message arrives, when devices and links
/// are free.
class Machine {
public:
  explicit Machine(const StageGraph &graph)
      : graph(graph), free(graph.devices, 0), busy(graph.devices, 0),
        events(graph.devices),
        arrival(graph.transfers.size(),
                std::vector<double>(graph.microbatches, -1)) {}

  /// When `run` could start, or a negative number while an operand is missing.
  double readyTime(const Instruction &run) const {
    double time = free[graph.stageDevice[run.stage]];
    for (size_t i = 0; i < graph.transfers.size(); ++i) {
      if (graph.transfers[i].target != run.stage)
        continue;
      double arrived = arrival[i][run.microbatch];
      if (arrived < 0)
        return -1;
      time = std::max(time, arrived);
    }
    return time;
  }

  void execute(const Instruction &run, double start);
  Simulation finish() const;

private:
  const StageGraph &graph;
  std::vector<double> free, busy;
  /// Per device: time, 0 for a release and 1 for an arrival, bytes.
  std::vector<std::vector<std::tuple<double, int, double>>> events;
  std::vector<std::vector<double>> arrival;
  std::map<std::pair<unsigned, unsigned>, double> linkFree;
};
} // namespace

void Machine::execute(const Instruction &run, double start) {
  unsigned device = graph.stageDevice[run.stage];
  double time = graph.time[run.stage][run.microbatch], end = start + time;
  free[device] = end;
  busy[device] += time;
  for (size_t i = 0; i < graph.transfers.size(); ++i) {
    const StageGraph::Transfer &transfer = graph.transfers[i];
    auto bytes = static_cast<double>(transfer.bytes);
    if (transfer.target == run.stage &&
        graph.stageDevice[transfer.source] != device)
      events[device].emplace_back(end, 0, -bytes);
    if (transfer.source != run.stage)
      continue;
    unsigned target = graph.stageDevice[transfer.target];
    double arrived = end;
    if (target != device) {
      double &link = linkFree[{device, target}];
      link = arrived = std::max(end, link) + graph.link.time(transfer.bytes);
      events[target].emplace_back(arrived, 1, bytes);
    }
    arrival[i][run.microbatch] = arrived;
  }
}

Simulation Machine::finish() const {
  Simulation result;
  result.busy = busy;
  result.makespan = *std::max_element(free.begin(), free.end());
  for (unsigned device = 0; device < graph.devices; ++device) {
    auto sorted = events[device];
    std::sort(sorted.begin(), sorted.end());
    double now = graph.memory[device], peak = now;
    for (const auto &[time, kind, bytes] : sorted) {
      now += bytes;
      peak = std::max(peak, now);
    }
    result.peakBytes.push_back(peak);
  }
  return result;
}

Schedule panpipe::planner::scheduleForward(const StageGraph &graph) {
  Machine machine(graph);
  Schedule schedule;
  schedule.microbatches = graph.microbatches;
  schedule.order.resize(graph.devices);
  // The next microbatch of each stage: a stage takes them in order.
  std::vector<unsigned> next(graph.stageDevice.size(), 0);
  for (;;) {
    // Earliest start, then earliest microbatch, then deepest stage.
    double bestTime = -1;
    Instruction best;
    for (unsigned stage = 0; stage < next.size(); ++stage) {
      Instruction run{stage, next[stage]};
      if (run.microbatch >= graph.microbatches)
        continue;
      double time = machine.readyTime(run);
      if (time < 0)
        continue;
      if (bestTime < 0 || time < bestTime ||
          (time == bestTime && run.microbatch <= best.microbatch)) {
        bestTime = time;
        best = run;
      }
    }
    if (bestTime < 0)
      return schedule;
    machine.execute(best, bestTime);
    ++next[best.stage];
    schedule.order[graph.stageDevice[best.stage]].push_back(best);
  }
}

Simulation panpipe::planner::simulate(const StageGraph &graph,
                                      const Schedule &schedule) {
  Machine machine(graph);
  std::vector<size_t> next(graph.devices, 0);
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned device = 0; device < graph.devices; ++device)
      while (next[device] < schedule.order[device].size()) {
        const Instruction &run = schedule.order[device][next[device]];
        double start = machine.readyTime(run);
        if (start < 0)
          break;
        machine.execute(run, start);
        ++next[device];
        progress = true;
      }
  }
  return machine.finish();
}
