//===- Plan.cpp - Partitions and schedules --------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/Plan.h"

#include <algorithm>
#include <set>

using namespace panpipe::planner;

static std::string nodeText(const Graph &graph, unsigned node) {
  return "node " + std::to_string(node) + " (" + graph.nodes[node].name + ")";
}

std::vector<unsigned> Partition::stageOf(const Graph &graph) const {
  std::vector<unsigned> result(graph.nodes.size(), 0);
  for (unsigned stage = 0; stage < stages.size(); ++stage)
    for (unsigned node : stages[stage])
      result[node] = stage;
  return result;
}

/// Everything but the order of the stages.
static Error verifyCover(const Graph &graph, const Partition &partition) {
  if (partition.stages.size() != partition.stageDevice.size())
    return "there are " + std::to_string(partition.stages.size()) +
           " stages, but devices for " +
           std::to_string(partition.stageDevice.size());
  std::vector<int> seen(graph.nodes.size(), -1);
  for (unsigned stage = 0; stage < partition.stages.size(); ++stage) {
    std::string where = "stage " + std::to_string(stage);
    if (partition.stages[stage].empty())
      return where + " is empty";
    if (partition.stageDevice[stage] >= partition.devices)
      return where + " is on device " +
             std::to_string(partition.stageDevice[stage]) + ", but there are " +
             std::to_string(partition.devices) + " devices";
    for (unsigned node : partition.stages[stage]) {
      if (node >= graph.nodes.size())
        return where + " holds node " + std::to_string(node) +
               ", but the model has " + std::to_string(graph.nodes.size()) +
               " nodes";
      if (seen[node] >= 0)
        return nodeText(graph, node) + " is in stage " +
               std::to_string(seen[node]) + " and in stage " +
               std::to_string(stage);
      seen[node] = static_cast<int>(stage);
    }
  }
  for (unsigned node = 0; node < seen.size(); ++node)
    if (seen[node] < 0)
      return nodeText(graph, node) + " is in no stage";
  return std::nullopt;
}

Error Partition::verify(const Graph &graph) const {
  if (Error error = verifyCover(graph, *this))
    return error;
  std::vector<unsigned> stage = stageOf(graph);
  for (const Edge &edge : graph.edges)
    if (stage[edge.source] > stage[edge.target])
      return "a value flows backwards, from " + nodeText(graph, edge.source) +
             " in stage " + std::to_string(stage[edge.source]) + " to " +
             nodeText(graph, edge.target) + " in stage " +
             std::to_string(stage[edge.target]);
  return std::nullopt;
}

/// The first edge that leaves `stage` for a stage that is not placed yet.
static std::string cycleText(const Graph &graph,
                             const std::vector<unsigned> &stageOf,
                             const std::vector<bool> &isPlaced) {
  for (const Edge &edge : graph.edges) {
    unsigned from = stageOf[edge.source], to = stageOf[edge.target];
    if (from != to && !isPlaced[from] && !isPlaced[to])
      return "the stages depend on each other in a circle, through the value "
             "from " +
             nodeText(graph, edge.source) + " in stage " +
             std::to_string(from) + " to " + nodeText(graph, edge.target) +
             " in stage " + std::to_string(to);
  }
  return "the stages depend on each other in a circle";
}

Error panpipe::planner::sortStages(const Graph &graph, Partition &partition) {
  if (Error error = verifyCover(graph, partition))
    return error;
  for (std::vector<unsigned> &nodes : partition.stages)
    std::sort(nodes.begin(), nodes.end());
  size_t count = partition.stages.size();
  std::vector<unsigned> stageOf = partition.stageOf(graph);
  std::vector<std::set<unsigned>> operands(count);
  for (const Edge &edge : graph.edges)
    if (stageOf[edge.source] != stageOf[edge.target])
      operands[stageOf[edge.target]].insert(stageOf[edge.source]);
  std::vector<bool> isPlaced(count, false);
  Partition sorted;
  sorted.devices = partition.devices;
  while (sorted.stages.size() < count) {
    // Of the stages whose operands are placed, the one with the earliest node.
    size_t best = count;
    for (size_t stage = 0; stage < count; ++stage) {
      bool isReady = !isPlaced[stage];
      for (unsigned operand : operands[stage])
        isReady &= isPlaced[operand];
      if (isReady && (best == count || partition.stages[stage].front() <
                                           partition.stages[best].front()))
        best = stage;
    }
    if (best == count)
      return cycleText(graph, stageOf, isPlaced);
    isPlaced[best] = true;
    sorted.stages.push_back(partition.stages[best]);
    sorted.stageDevice.push_back(partition.stageDevice[best]);
  }
  partition = sorted;
  return std::nullopt;
}

std::string panpipe::planner::instructionText(const Instruction &run) {
  return "FBW"[static_cast<unsigned>(run.phase)] + std::to_string(run.stage) +
         "." + std::to_string(run.microbatch);
}

/// Every run once, on the device of its stage.
static Error verifyRuns(const Schedule &schedule,
                        const std::vector<unsigned> &stageDevice) {
  std::set<std::pair<unsigned, unsigned>> seen;
  for (unsigned device = 0; device < schedule.order.size(); ++device)
    for (const Instruction &run : schedule.order[device]) {
      std::string where =
          "device " + std::to_string(device) + ": " + instructionText(run);
      if (run.phase != Phase::Forward)
        return where + " is not a forward run; training steps do not run as "
                       "modules yet";
      if (run.stage >= stageDevice.size() ||
          run.microbatch >= schedule.microbatches)
        return where + " is out of range: there are " +
               std::to_string(stageDevice.size()) + " stages and " +
               std::to_string(schedule.microbatches) + " microbatches";
      if (stageDevice[run.stage] != device)
        return where + " belongs to device " +
               std::to_string(stageDevice[run.stage]);
      if (!seen.insert({run.stage, run.microbatch}).second)
        return where + " comes twice";
    }
  for (unsigned stage = 0; stage < stageDevice.size(); ++stage)
    for (unsigned mb = 0; mb < schedule.microbatches; ++mb)
      if (!seen.count({stage, mb}))
        return instructionText({stage, mb}) + " is missing";
  return std::nullopt;
}

Error Schedule::verify(
    const std::vector<unsigned> &stageDevice,
    const std::vector<std::pair<unsigned, unsigned>> &dependences) const {
  if (Error error = verifyRuns(*this, stageDevice))
    return error;
  std::vector<size_t> next(order.size(), 0);
  std::vector<std::vector<bool>> done(stageDevice.size(),
                                      std::vector<bool>(microbatches, false));
  auto isReady = [&](const Instruction &run) {
    for (const auto &[first, second] : dependences)
      if (second == run.stage && !done[first][run.microbatch])
        return false;
    return true;
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t device = 0; device < order.size(); ++device)
      while (next[device] < order[device].size() &&
             isReady(order[device][next[device]])) {
        const Instruction &run = order[device][next[device]++];
        done[run.stage][run.microbatch] = true;
        progress = true;
      }
  }
  std::string waiting;
  for (size_t device = 0; device < order.size(); ++device)
    if (next[device] < order[device].size())
      waiting += (waiting.empty() ? "" : ", ") +
                 ("device " + std::to_string(device)) + " at " +
                 instructionText(order[device][next[device]]);
  if (!waiting.empty())
    return "the devices wait for each other: " + waiting;
  return std::nullopt;
}
