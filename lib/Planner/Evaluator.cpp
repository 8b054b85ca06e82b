//===- Evaluator.cpp - Judges candidates of the search --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"

#include <algorithm>
#include <limits>

using namespace panpipe::planner;

Partition Candidate::partition(unsigned devices) const {
  Partition result;
  result.devices = devices;
  result.stageDevice = device;
  for (unsigned stage = 0; stage < stages(); ++stage) {
    result.stages.emplace_back(nodes.begin() + first[stage],
                               nodes.begin() + end(stage));
    std::sort(result.stages.back().begin(), result.stages.back().end());
  }
  return result;
}

Evaluator::Evaluator(const Graph &graph, const Cluster &cluster,
                     unsigned microbatches)
    : graph(graph), builder(graph, cluster, microbatches),
      stageOf(graph.nodes.size(), 0) {
  for (const DeviceSpec &device : cluster.devices)
    capList.push_back(static_cast<int64_t>(device.memoryCap));
}

void Evaluator::build(const Candidate &candidate) {
  for (unsigned stage = 0; stage < candidate.stages(); ++stage)
    for (unsigned i = candidate.first[stage]; i < candidate.end(stage); ++i)
      stageOf[candidate.nodes[i]] = stage;
  builder.build(stageOf, candidate.device, candidate.recompute, steps);
  built += (graph.nodes.size() + graph.edges.size()) / 4 +
           candidate.stages() * candidate.stages() / 8 +
           candidate.stages() * steps.microbatches / 4;
}

/// When runs of one microbatch start in a pipeline that never waits.
void Evaluator::computeKeys(const Candidate &candidate) {
  unsigned stages = steps.stages();
  for (auto &offsets : policy.offset)
    offsets.assign(stages, 0);
  std::vector<double> load(steps.devices, 0);
  for (unsigned stage = 0; stage < stages; ++stage)
    load[steps.stageDevice[stage]] +=
        steps.forward[stage] + steps.backward[stage] + steps.weight[stage];
  double period = *std::max_element(load.begin(), load.end());
  auto &[f, b, w] = policy.offset;
  for (unsigned stage = 0; stage < stages; ++stage)
    for (const auto &message : steps.activationsIn[stage])
      f[stage] =
          std::max(f[stage], f[message.stage] + steps.forward[message.stage] +
                                 message.time);
  for (unsigned stage = stages; stage-- > 0;) {
    b[stage] = f[stage] + steps.forward[stage];
    for (const auto &message : steps.gradientsIn[stage])
      b[stage] =
          std::max(b[stage], b[message.stage] + steps.backward[message.stage] +
                                 message.time);
    w[stage] = b[stage] + steps.backward[stage];
  }
  for (unsigned stage = 0; stage < stages; ++stage) {
    f[stage] += period * candidate.shift[0][stage];
    b[stage] += period * (candidate.shift[1][stage] + candidate.backwardShift);
    w[stage] += period * (candidate.shift[2][stage] + candidate.weightShift);
  }
  policy.stride = period * candidate.stride;
}

/// Bytes that one microbatch lacks, over all devices.
double Evaluator::shortage() const {
  double missing = 0;
  std::vector<int64_t> need = steps.resident;
  for (unsigned stage = 0; stage < steps.stages(); ++stage)
    need[steps.stageDevice[stage]] +=
        std::max(steps.saved[stage] + steps.again[stage], steps.pending[stage]);
  for (unsigned device = 0; device < steps.devices; ++device)
    if (capList[device] > 0)
      missing += static_cast<double>(
          std::max<int64_t>(0, need[device] - capList[device]));
  return missing;
}

double Evaluator::judge(const Candidate &candidate, double cutoff,
                        Schedule *schedule) {
  build(candidate);
  computeKeys(candidate);
  bool isOpen = cutoff >= unfit;
  double makespan =
      scheduler.run(steps, policy, capList, isOpen ? unfit : cutoff, schedule);
  if (!isOpen || makespan < unfit)
    return makespan;
  return unfit * (1 + 1e-15 * shortage());
}
