//===- PartitionCost.cpp - What partitions cost, and bounds ---------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/Search.h"

#include <algorithm>
#include <map>

using namespace panpipe::planner;

/// Largest set of values made inside that are alive at once. A value dies after
/// its last user among all nodes of the graph, so a value that crosses to a
/// later stage lives until the stage ends.
static uint64_t peakLive(const Graph &graph, const std::vector<unsigned> &nodes,
                         const std::vector<int> &position) {
  std::vector<unsigned> lastUse(nodes.size());
  for (unsigned i = 0; i < nodes.size(); ++i)
    lastUse[i] = graph.nodes[nodes[i]].isOutput ? nodes.size() : i;
  for (const Edge &edge : graph.edges) {
    int source = position[edge.source], target = position[edge.target];
    if (source < 0)
      continue;
    unsigned use = target < 0 ? nodes.size() : static_cast<unsigned>(target);
    lastUse[source] = std::max(lastUse[source], use);
  }
  std::vector<uint64_t> dying(nodes.size() + 1, 0);
  uint64_t live = 0, peak = 0;
  for (unsigned i = 0; i < nodes.size(); ++i) {
    uint64_t bytes = graph.nodes[nodes[i]].outBytes;
    live += bytes;
    dying[lastUse[i]] += bytes;
    peak = std::max(peak, live);
    live -= dying[i];
  }
  return peak;
}

static uint64_t residentParams(const Graph &graph,
                               const std::vector<unsigned> &nodes) {
  std::vector<bool> used(graph.params.size(), false);
  uint64_t bytes = 0;
  for (unsigned node : nodes) {
    bytes += graph.nodes[node].paramBytes;
    for (unsigned param : graph.nodes[node].params)
      if (!used[param]) {
        used[param] = true;
        bytes += graph.params[param].bytes;
      }
  }
  return static_cast<uint64_t>(static_cast<double>(bytes) * graph.paramFactor);
}

StageCost panpipe::planner::stageCost(const Graph &graph,
                                      const std::vector<unsigned> &nodes,
                                      unsigned microbatches) {
  StageCost cost;
  std::vector<int> position(graph.nodes.size(), -1);
  for (unsigned i = 0; i < nodes.size(); ++i) {
    position[nodes[i]] = static_cast<int>(i);
    cost.work += graph.nodes[nodes[i]].forward;
  }
  // Each value once, with its largest edge.
  std::map<std::pair<unsigned, unsigned>, uint64_t> received;
  for (const Edge &edge : graph.edges)
    if (position[edge.source] < 0 && position[edge.target] >= 0) {
      uint64_t &bytes = received[{edge.source, edge.value}];
      bytes = std::max(bytes, edge.bytes);
    }
  for (const auto &entry : received)
    cost.received += entry.second;
  if (!received.empty())
    cost.transfer = graph.link.time(cost.received);
  cost.params = residentParams(graph, nodes);
  cost.memory = cost.params + cost.received * (microbatches > 1 ? 2 : 1) +
                peakLive(graph, nodes, position);
  return cost;
}

PartitionCost panpipe::planner::partitionCost(const PartitionRequest &request,
                                              const Partition &partition) {
  PartitionCost cost;
  double work = 0;
  for (size_t stage = 0; stage < partition.stages.size(); ++stage) {
    StageCost one =
        stageCost(request.graph, partition.stages[stage], request.microbatches);
    double time =
        one.work / request.devices[partition.stageDevice[stage]].speed;
    cost.bottleneck = std::max({cost.bottleneck, time, one.transfer});
    cost.transfer += one.transfer;
    work += time;
    cost.stages.push_back(one);
  }
  cost.makespan =
      work + cost.transfer + (request.microbatches - 1) * cost.bottleneck;
  return cost;
}

double panpipe::planner::lowerBound(const PartitionRequest &request) {
  const Graph &graph = request.graph;
  double speedSum = 0, fastest = 0;
  for (const DeviceSpec &device : request.devices) {
    speedSum += device.speed;
    fastest = std::max(fastest, device.speed);
  }
  size_t count = graph.nodes.size();
  // Longest path that ends, and that starts, at each node. Edges go forward, so
  // two sweeps in node order are enough if edges are visited by their source.
  std::vector<std::vector<unsigned>> users(count);
  for (const Edge &edge : graph.edges)
    users[edge.source].push_back(edge.target);
  std::vector<double> head(count, 0), tail(count, 0);
  for (unsigned node = 0; node < count; ++node)
    for (unsigned user : users[node])
      head[user] = std::max(head[user], head[node] + graph.nodes[node].forward);
  double heaviest = 0, longest = 0;
  for (unsigned node = count; node-- > 0;) {
    double time = graph.nodes[node].forward;
    for (unsigned user : users[node])
      tail[node] = std::max(tail[node], graph.nodes[user].forward + tail[user]);
    heaviest = std::max(heaviest, time);
    longest = std::max(longest,
                       head[node] + tail[node] + request.microbatches * time);
  }
  double load = graph.totalForward() / speedSum;
  if (request.objective == Objective::Bottleneck)
    return std::max(load, heaviest / fastest);
  return std::max(request.microbatches * load, longest / fastest);
}

PartitionResult
panpipe::planner::partitionEvenly(const PartitionRequest &request) {
  size_t count = request.graph.nodes.size(), devices = request.devices.size();
  if (count < devices || devices == 0)
    return {std::nullopt, "cannot cut " + std::to_string(count) +
                              " nodes into " + std::to_string(devices) +
                              " stages: every stage needs a node"};
  Partition partition;
  partition.devices = devices;
  for (size_t stage = 0; stage < devices; ++stage) {
    std::vector<unsigned> nodes;
    for (size_t node = count * stage / devices;
         node < count * (stage + 1) / devices; ++node)
      nodes.push_back(node);
    partition.stages.push_back(nodes);
    partition.stageDevice.push_back(stage);
  }
  return {partition, ""};
}
