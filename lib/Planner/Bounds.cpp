//===- Bounds.cpp - Lower bounds on a step --------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/Bounds.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace panpipe::planner;

double StepBounds::best() const {
  return std::max({load, packing, path, node});
}

std::string StepBounds::binding() const {
  if (best() == load)
    return "the work of all devices and the wait for their first inputs";
  if (best() == packing)
    return "the heaviest nodes, of which one device must take several";
  return best() == node ? "all runs of one node, its way in and its way out"
                        : "the way of one microbatch forward and back";
}

namespace {
/// Longest ways through the graph, on the fastest device and without messages
/// unless said otherwise.
struct Ways {
  Ways(const Graph &graph, const Cluster &cluster);

  double fastest = 0;
  std::vector<double> in;   ///< Forward runs before a node's.
  std::vector<double> out;  ///< Forward runs after it.
  std::vector<double> done; ///< Earliest end of B.
  std::vector<double> back; ///< What must follow B: other B, then W.
  /// `in` and `out` when every neighbour is on another device.
  std::vector<double> farIn, farOut;
};
} // namespace

/// The cheapest way to send `bytes` between two different devices.
static double cheapestMessage(const Graph &graph, const Cluster &cluster,
                              uint64_t bytes) {
  double best = std::numeric_limits<double>::infinity();
  if (cluster.links.empty())
    return graph.link.time(bytes);
  for (unsigned from = 0; from < cluster.devices.size(); ++from)
    for (unsigned to = 0; to < cluster.devices.size(); ++to)
      if (from != to)
        best = std::min(best, cluster.link(graph, from, to).time(bytes));
  return cluster.devices.size() > 1 ? best : 0;
}

Ways::Ways(const Graph &graph, const Cluster &cluster) {
  for (const DeviceSpec &device : cluster.devices)
    fastest = std::max(fastest, device.speed);
  size_t count = graph.nodes.size();
  std::vector<std::vector<const Edge *>> users(count);
  for (const Edge &edge : graph.edges)
    users[edge.source].push_back(&edge);
  for (auto *list : {&in, &out, &done, &back, &farIn, &farOut})
    list->assign(count, 0);
  auto forward = [&](unsigned node) {
    return graph.nodes[node].forward / fastest;
  };
  auto raise = [](double &value, double other) {
    value = std::max(value, other);
  };
  for (unsigned node = 0; node < count; ++node)
    for (const Edge *edge : users[node]) {
      double ready = in[node] + forward(node);
      raise(in[edge->target], ready);
      raise(farIn[edge->target],
            ready + cheapestMessage(graph, cluster, edge->bytes));
    }
  for (unsigned node = count; node-- > 0;) {
    done[node] = in[node] + forward(node);
    for (const Edge *edge : users[node]) {
      double after = forward(edge->target) + out[edge->target];
      raise(out[node], after);
      raise(farOut[node], after + cheapestMessage(graph, cluster, edge->bytes));
      if (edge->gradient)
        raise(done[node], done[edge->target]);
    }
    done[node] += graph.nodes[node].backwardInput / fastest;
  }
  // What follows B of a node: its own W, or B of its operands.
  for (unsigned node = 0; node < count; ++node) {
    raise(back[node], graph.nodes[node].backwardWeight / fastest);
    for (const Edge *edge : users[node])
      if (edge->gradient)
        raise(back[edge->target],
              graph.nodes[node].backwardInput / fastest + back[node]);
  }
}

static double nodeWork(const Node &node) {
  return node.forward + node.backwardInput + node.backwardWeight;
}

/// K devices that are used idle until their first input, which comes over a
/// link, and (without backward runs) after their last output. Their nodes
/// differ, so the K shortest waits count; the fastest devices wait least.
static double loadBound(const Graph &graph, const Cluster &cluster,
                        unsigned microbatches, const Ways &ways) {
  double work = 0;
  for (const Node &node : graph.nodes)
    work += microbatches * nodeWork(node);
  bool isTraining = graph.isTraining();
  std::vector<double> waits = ways.farIn, rests = ways.farOut, speeds;
  std::sort(waits.begin(), waits.end());
  std::sort(rests.begin(), rests.end());
  for (const DeviceSpec &device : cluster.devices)
    speeds.push_back(device.speed);
  std::sort(speeds.begin(), speeds.end(), std::greater<>());
  double best = std::numeric_limits<double>::infinity(), speed = 0;
  for (size_t i = 0; i < std::min(waits.size(), speeds.size()); ++i) {
    speed += speeds[i];
    work += speeds[i] * (waits[i] + (isTraining ? 0 : rests[i]));
    best = std::min(best, work / speed);
  }
  return best;
}

/// Of the k·D + 1 heaviest nodes, one device has k + 1.
static double packingBound(const Graph &graph, const Cluster &cluster,
                           unsigned microbatches, const Ways &ways) {
  std::vector<double> work;
  for (const Node &node : graph.nodes)
    work.push_back(nodeWork(node) / ways.fastest);
  std::sort(work.begin(), work.end(), std::greater<>());
  double best = 0;
  size_t devices = cluster.devices.size();
  for (size_t k = 0; k * devices < work.size(); ++k) {
    double sum = 0;
    for (size_t i = 0; i <= k; ++i)
      sum += work[k * devices - i];
    best = std::max(best, sum);
  }
  return microbatches * best;
}

StepBounds panpipe::planner::lowerBounds(const Graph &graph,
                                         const Cluster &cluster,
                                         unsigned microbatches) {
  StepBounds bounds;
  Ways ways(graph, cluster);
  bounds.load = loadBound(graph, cluster, microbatches, ways);
  bounds.packing = packingBound(graph, cluster, microbatches, ways);
  bool isTraining = graph.isTraining();
  for (unsigned node = 0; node < graph.nodes.size(); ++node) {
    const Node &it = graph.nodes[node];
    double f = it.forward / ways.fastest;
    double b = it.backwardInput / ways.fastest;
    double w = it.backwardWeight / ways.fastest;
    bounds.path = std::max(bounds.path, ways.in[node] + f + ways.out[node]);
    if (isTraining)
      bounds.path = std::max(bounds.path, ways.done[node] + ways.back[node]);
    double all = ways.in[node] + microbatches * (f + b + w);
    // The last of its F and B is a B only where every F has a B.
    double without = ways.in[node] + microbatches * f;
    if (!isTraining)
      without += ways.out[node];
    else if (b > 0 || w > 0)
      without += microbatches * b + ways.back[node];
    bounds.node = std::max({bounds.node, all, without});
  }
  return bounds;
}

std::optional<double> panpipe::planner::chainBound(const Graph &graph,
                                                   const Cluster &cluster,
                                                   unsigned microbatches) {
  size_t count = graph.nodes.size(), devices = cluster.devices.size();
  std::vector<char> hasNext(count, 0);
  for (const Edge &edge : graph.edges)
    if (edge.target == edge.source + 1 && edge.gradient)
      hasNext[edge.source] = 1;
  for (size_t i = 0; i + 1 < count; ++i)
    if (!hasNext[i])
      return std::nullopt;
  for (const DeviceSpec &device : cluster.devices)
    if (device.speed != 1)
      return std::nullopt;
  std::vector<double> sum(count + 1, 0);
  for (size_t i = 0; i < count; ++i)
    sum[i + 1] = sum[i] + nodeWork(graph.nodes[i]);
  // Stage [a, e) starts after one forward way in, ends before one way back.
  auto cost = [&](size_t a, size_t e) {
    return sum[a] + microbatches * (sum[e] - sum[a]);
  };
  // Fewer stages than devices are allowed.
  std::vector<double> now(count + 1);
  for (size_t e = 0; e <= count; ++e)
    now[e] = cost(0, e);
  for (size_t d = 1; d < devices; ++d) {
    std::vector<double> next = now;
    for (size_t e = 1; e <= count; ++e)
      for (size_t a = 1; a < e; ++a)
        next[e] = std::min(next[e], std::max(now[a], cost(a, e)));
    now = next;
  }
  return now[count];
}

Error panpipe::planner::provenShortage(const Graph &graph,
                                       const Cluster &cluster) {
  double caps = 0, largest = 0;
  for (const DeviceSpec &device : cluster.devices) {
    if (device.memoryCap == 0)
      return std::nullopt;
    caps += static_cast<double>(device.memoryCap);
    largest = std::max(largest, static_cast<double>(device.memoryCap));
  }
  double total = 0;
  std::vector<char> isUsed(graph.params.size(), 0);
  for (unsigned node = 0; node < graph.nodes.size(); ++node) {
    const Node &it = graph.nodes[node];
    double own = graph.paramFactor * static_cast<double>(it.paramBytes) +
                 static_cast<double>(it.frozenBytes);
    total += own;
    for (unsigned param : it.params) {
      own += graph.residentBytes(param);
      if (!isUsed[param])
        total += graph.residentBytes(param);
      isUsed[param] = 1;
    }
    // One microbatch: what F saves, or what B needs after recomputing.
    if (it.backwardInput > 0 || it.backwardWeight > 0)
      own += static_cast<double>(it.savedBytes);
    if (own > largest)
      return "node " + std::to_string(node) + " (" + it.name +
             ") alone needs " + std::to_string(std::llround(own)) +
             " bytes: parameters, optimizer state and what one microbatch "
             "keeps; the largest device is short by " +
             std::to_string(std::llround(own - largest)) + " bytes";
  }
  if (total > caps)
    return "parameters and optimizer state need " +
           std::to_string(std::llround(total)) +
           " bytes; all devices together are short by " +
           std::to_string(std::llround(total - caps)) + " bytes";
  return std::nullopt;
}
