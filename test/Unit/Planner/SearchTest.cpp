//===- SearchTest.cpp - Partition policies against brute force ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "panpipe/Planner/Search.h"

#include <gtest/gtest.h>

#include <functional>

using namespace panpipe::planner;

/// Calls `visit` for every cut of `count` nodes, in program order, into stages.
static void forEachCut(unsigned count, unsigned stages,
                       const std::function<void(const Partition &)> &visit) {
  std::vector<unsigned> ends;
  std::function<void(unsigned)> recurse = [&](unsigned begin) {
    if (ends.size() + 1 == stages) {
      Partition partition;
      partition.devices = stages;
      unsigned from = 0;
      for (unsigned stage = 0; stage < stages; ++stage) {
        unsigned to = stage < ends.size() ? ends[stage] : count;
        partition.stages.emplace_back();
        for (; from < to; ++from)
          partition.stages.back().push_back(from);
        partition.stageDevice.push_back(stage);
      }
      if (!partition.stages.back().empty())
        visit(partition);
      return;
    }
    for (unsigned end = begin + 1; end < count; ++end) {
      ends.push_back(end);
      recurse(end);
      ends.pop_back();
    }
  };
  recurse(0);
}

static bool fits(const PartitionRequest &request, const PartitionCost &cost) {
  for (size_t stage = 0; stage < cost.stages.size(); ++stage)
    if (uint64_t cap = request.devices[stage].memoryCap;
        cap && cost.stages[stage].memory > cap)
      return false;
  return true;
}

/// Objective value, smaller is better.
static std::pair<double, double> value(const PartitionRequest &request,
                                       const PartitionCost &cost) {
  if (request.objective == Objective::Makespan)
    return {cost.makespan, 0};
  return {cost.bottleneck, cost.transfer};
}

/// The search may also use the depth-first order, so it is at least as good as
/// the best cut in program order, and equal when that is the only order.
static void compareWithBruteForce(const PartitionRequest &request) {
  unsigned count = request.graph.nodes.size();
  std::pair<double, double> best = {1e300, 1e300};
  forEachCut(count, request.devices.size(), [&](const Partition &partition) {
    PartitionCost cost = partitionCost(request, partition);
    if (fits(request, cost))
      best = std::min(best, value(request, cost));
  });
  PartitionResult result = partitionByIntervals(request);
  if (best.first == 1e300) {
    if (!result.partition) {
      EXPECT_NE(result.error.find("no partition fits"), std::string::npos);
    }
    return;
  }
  ASSERT_TRUE(result.partition) << result.error;
  PartitionCost cost = partitionCost(request, *result.partition);
  Partition sorted = *result.partition;
  EXPECT_EQ(sortStages(request.graph, sorted), std::nullopt);
  EXPECT_EQ(result.partition->verify(request.graph), std::nullopt);
  EXPECT_TRUE(fits(request, cost));
  std::pair<double, double> found = value(request, cost);
  std::vector<unsigned> deep = depthFirstOrder(request.graph);
  if (std::is_sorted(deep.begin(), deep.end()))
    EXPECT_EQ(found, best);
  else
    EXPECT_LE(found, best);
  EXPECT_GE(found.first, lowerBound(request) * (1 - 1e-12));
}

TEST(Search, BruteForce) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Graph graph = makeRandom(seed, 5 + seed % 5);
    for (unsigned devices = 1; devices <= 4; ++devices)
      for (unsigned microbatches : {1u, 4u})
        for (Objective objective :
             {Objective::Bottleneck, Objective::Makespan}) {
          SCOPED_TRACE(graph.name + " devices " + std::to_string(devices));
          PartitionRequest request{graph, std::vector<DeviceSpec>(devices),
                                   microbatches, objective};
          compareWithBruteForce(request);
        }
  }
}

TEST(Search, BruteForceWithCapsAndSpeeds) {
  unsigned infeasible = 0;
  for (unsigned seed = 100; seed < 160; ++seed) {
    Graph graph = makeRandom(seed, 8);
    // Whole-number quotients: 1/2 is exact.
    std::vector<DeviceSpec> devices = {
        {1, 60 + seed % 7 * 10}, {2, 0}, {0.5, 90}};
    for (Objective objective : {Objective::Bottleneck, Objective::Makespan}) {
      SCOPED_TRACE(graph.name);
      PartitionRequest request{graph, devices, 3, objective};
      compareWithBruteForce(request);
      infeasible += !partitionByIntervals(request).partition;
    }
  }
  EXPECT_GT(infeasible, 5u); // The caps bind somewhere, and not everywhere.
  EXPECT_LT(infeasible, 100u);
}

TEST(Search, SkipEdgeCountsOncePerDestinationDevice) {
  // n0 feeds n1, n2 and n3; two of them share a stage.
  Graph graph = makeChain({1, 1, 1, 1}, 10);
  graph.link = {0, 1};
  graph.edges = {{0, 1, 10}, {0, 2, 10}, {0, 3, 10}};
  PartitionRequest request{graph, std::vector<DeviceSpec>(3)};
  PartitionCost cost =
      partitionCost(request, {3, {{0}, {1}, {2, 3}}, {0, 1, 2}});
  EXPECT_EQ(cost.stages[1].received, 10u);
  EXPECT_EQ(cost.stages[2].received, 10u);
  EXPECT_EQ(cost.transfer, 20);
}

TEST(Search, TiedWeightCountsOncePerStage) {
  Graph graph = makeChain({1, 1, 1}, 0);
  graph.params = {{"tied", 100}};
  graph.nodes[0].params = graph.nodes[1].params = graph.nodes[2].params = {0};
  EXPECT_EQ(stageCost(graph, {0, 1}, 1).params, 100u);
  EXPECT_EQ(stageCost(graph, {2}, 1).params, 100u);
}

TEST(Search, MemoryKeepsCrossingValuesAlive) {
  // n0 -> n1 -> n2 and n0 -> n3: n0 lives through the stage {0, 1, 2}.
  Graph graph = makeChain({1, 1, 1, 1}, 10);
  graph.edges = {{0, 1, 10}, {1, 2, 10}, {0, 3, 10}};
  EXPECT_EQ(stageCost(graph, {0, 1, 2}, 1).memory, 30u);
  graph.edges = {{0, 1, 10}, {1, 2, 10}};
  EXPECT_EQ(stageCost(graph, {0, 1, 2}, 1).memory, 20u);
}

TEST(Search, SaysWhatIsMissing) {
  Graph graph = makeChain({1, 1, 1}, 0);
  for (Node &node : graph.nodes)
    node.paramBytes = 100;
  auto error = [&](std::vector<DeviceSpec> devices) {
    return partitionByIntervals({graph, devices}).error;
  };
  EXPECT_EQ(error({{1, 150}, {1, 150}}),
            "no partition fits into the memory caps: device 0 is short by 50 "
            "bytes; smallest change that fits: raise its cap from 150 to 200 "
            "bytes, or use 3 devices of this size");
  EXPECT_EQ(error({{1, 50}, {1, 60}}),
            "no partition fits into the memory caps: more than one device is "
            "short, by up to 140 bytes; smallest equal change that fits: raise "
            "every cap by 140 bytes");
  EXPECT_EQ(
      error({{1, 0}, {1, 80}}),
      "no partition fits into the memory caps: device 1 is short by 20 "
      "bytes; smallest change that fits: raise its cap from 80 to 100 bytes");
  EXPECT_EQ(error(std::vector<DeviceSpec>(4)),
            "cannot cut 3 nodes into 4 stages: every stage needs a node");
}

TEST(Search, EvenPolicy) {
  Graph graph = makeChain({9, 1, 1, 1, 1}, 4);
  PartitionResult result = partitionEvenly({graph, std::vector<DeviceSpec>(2)});
  ASSERT_TRUE(result.partition);
  EXPECT_EQ(result.partition->stages,
            (std::vector<std::vector<unsigned>>{{0, 1}, {2, 3, 4}}));
  EXPECT_FALSE(partitionEvenly({graph, std::vector<DeviceSpec>(6)}).partition);
}

TEST(Search, LargeGraph) {
  Graph graph = makeRandom(7, 600);
  PartitionRequest request{graph, std::vector<DeviceSpec>(8), 16,
                           Objective::Makespan};
  PartitionResult result = partitionByIntervals(request);
  ASSERT_TRUE(result.partition);
  EXPECT_EQ(result.partition->verify(graph), std::nullopt);
}
