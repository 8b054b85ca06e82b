//===- StepGraph.cpp - Stages with costs of a step ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/StepGraph.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace panpipe::planner;

StepGraphBuilder::StepGraphBuilder(const Graph &graph, const Cluster &cluster,
                                   unsigned microbatches)
    : graph(graph), cluster(cluster), microbatches(microbatches) {
  std::map<std::pair<unsigned, unsigned>, Value> found;
  for (const Edge &edge : graph.edges) {
    Value &value = found[{edge.source, edge.value}];
    value.source = edge.source;
    value.uses.push_back(
        {edge.target, static_cast<int64_t>(edge.bytes), edge.gradient});
  }
  for (auto &entry : found)
    values.push_back(std::move(entry.second));
}

void StepGraphBuilder::sumNodes(const std::vector<unsigned> &stageOf,
                                StepGraph &out) {
  unsigned stages = out.stages();
  for (auto *times : {&out.forward, &out.backward, &out.weight})
    times->assign(stages, 0);
  for (auto *bytes : {&out.saved, &out.again, &out.pending})
    bytes->assign(stages, 0);
  out.hasBackward.assign(stages, 0);
  for (unsigned node = 0; node < stageOf.size(); ++node) {
    const Node &costs = graph.nodes[node];
    unsigned stage = stageOf[node];
    out.forward[stage] += costs.forward;
    out.backward[stage] += costs.backwardInput;
    out.weight[stage] += costs.backwardWeight;
    out.saved[stage] += static_cast<int64_t>(costs.savedBytes);
    out.pending[stage] += static_cast<int64_t>(costs.weightBytes);
  }
  for (unsigned stage = 0; stage < stages; ++stage) {
    double speed = cluster.devices[out.stageDevice[stage]].speed;
    out.hasBackward[stage] = out.backward[stage] + out.weight[stage] > 0;
    if (speed == 1)
      continue;
    out.forward[stage] /= speed;
    out.backward[stage] /= speed;
    out.weight[stage] /= speed;
  }
}

/// Resident bytes: a shared parameter counts once per device that uses it.
void StepGraphBuilder::addParams(const std::vector<unsigned> &stageOf,
                                 StepGraph &out) {
  std::vector<double> bytes(out.devices, 0);
  std::vector<char> counted(graph.params.size() * out.devices, 0);
  for (unsigned node = 0; node < stageOf.size(); ++node) {
    const Node &costs = graph.nodes[node];
    unsigned device = out.stageDevice[stageOf[node]];
    bytes[device] += graph.paramFactor * static_cast<double>(costs.paramBytes) +
                     static_cast<double>(costs.frozenBytes);
    for (unsigned param : costs.params) {
      char &seen = counted[param * out.devices + device];
      if (!seen)
        bytes[device] += graph.residentBytes(param);
      seen = 1;
    }
  }
  out.resident.clear();
  for (double value : bytes)
    out.resident.push_back(std::llround(std::ceil(value)));
}

void StepGraphBuilder::addValues(const std::vector<unsigned> &stageOf,
                                 StepGraph &out) {
  size_t stages = out.stages();
  activationBytes.assign(stages * stages, 0);
  gradientBytes.assign(stages * stages, 0);
  hasActivation.assign(stages * stages, 0);
  hasGradient.assign(stages * stages, 0);
  // Largest use of one value per target stage; few stages use one value.
  std::vector<std::pair<size_t, int64_t>> activations, gradients;
  auto note = [](auto &list, size_t key, int64_t bytes) {
    for (auto &entry : list)
      if (entry.first == key) {
        entry.second = std::max(entry.second, bytes);
        return;
      }
    list.emplace_back(key, bytes);
  };
  for (const Value &value : values) {
    unsigned from = stageOf[value.source];
    activations.clear();
    gradients.clear();
    for (const Use &use : value.uses) {
      unsigned to = stageOf[use.target];
      if (to == from)
        continue;
      note(activations, from * stages + to, use.bytes);
      if (use.gradient)
        note(gradients, from * stages + to, use.bytes);
    }
    for (const auto &[key, bytes] : activations) {
      activationBytes[key] += bytes;
      hasActivation[key] = 1;
    }
    for (const auto &[key, bytes] : gradients) {
      gradientBytes[key] += bytes;
      hasGradient[key] = 1;
    }
  }
}

void StepGraphBuilder::addMessages(StepGraph &out) {
  size_t stages = out.stages();
  for (auto *lists : {&out.activationsOut, &out.activationsIn,
                      &out.gradientsOut, &out.gradientsIn}) {
    lists->resize(stages);
    for (auto &list : *lists)
      list.clear();
  }
  auto add = [&](unsigned from, unsigned to, int64_t bytes, auto &sends,
                 auto &receives) {
    unsigned source = out.stageDevice[from], target = out.stageDevice[to];
    StepGraph::Message message{to, source != target, 0, bytes};
    if (message.isRemote)
      message.time = cluster.link(graph, source, target)
                         .time(static_cast<uint64_t>(bytes));
    sends[from].push_back(message);
    message.stage = from;
    receives[to].push_back(message);
  };
  for (unsigned from = 0; from < stages; ++from)
    for (unsigned to = 0; to < stages; ++to) {
      size_t key = from * stages + to;
      if (hasActivation[key])
        add(from, to, activationBytes[key], out.activationsOut,
            out.activationsIn);
      if (hasGradient[key])
        add(to, from, gradientBytes[key], out.gradientsOut, out.gradientsIn);
    }
  for (unsigned stage = 0; stage < stages; ++stage)
    if (!out.gradientsOut[stage].empty() || !out.gradientsIn[stage].empty())
      out.hasBackward[stage] = 1;
}

/// A recomputed stage keeps its inputs instead of what it saves, and runs
/// forward once more before its backward run.
void StepGraphBuilder::applyRecompute(const std::vector<char> &recompute,
                                      StepGraph &out) {
  for (unsigned stage = 0; stage < recompute.size(); ++stage) {
    if (!recompute[stage] || !out.hasBackward[stage])
      continue;
    out.backward[stage] += out.forward[stage];
    out.again[stage] = out.saved[stage];
    out.saved[stage] = 0;
    for (const StepGraph::Message &input : out.activationsIn[stage])
      out.saved[stage] += input.bytes;
  }
}

void StepGraphBuilder::build(const std::vector<unsigned> &stageOf,
                             const std::vector<unsigned> &stageDevice,
                             const std::vector<char> &recompute,
                             StepGraph &out) {
  out.devices = cluster.devices.size();
  out.microbatches = microbatches;
  out.stageDevice = stageDevice;
  sumNodes(stageOf, out);
  addParams(stageOf, out);
  addValues(stageOf, out);
  addMessages(out);
  applyRecompute(recompute, out);
}

StepGraph panpipe::planner::buildStepGraph(const Graph &graph,
                                           const Cluster &cluster,
                                           const Plan &plan) {
  StepGraph result;
  StepGraphBuilder(graph, cluster, plan.microbatches)
      .build(plan.partition.stageOf(graph), plan.partition.stageDevice,
             plan.recompute, result);
  return result;
}
