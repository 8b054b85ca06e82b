//===- JointSearchTest.cpp - The search, its bounds and files -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "panpipe/Planner/JointSearch.h"
#include "panpipe/Planner/ListScheduler.h"
#include "panpipe/Planner/StepCheck.h"
#include "panpipe/Planner/StepReport.h"
#include "panpipe/Planner/StepSimulator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace panpipe::planner;

namespace {
Cluster makeCluster(unsigned devices, uint64_t cap = 0) {
  Cluster cluster;
  cluster.devices.assign(devices, {1, cap});
  return cluster;
}

/// A chain of equal stages: F, B and W take 1, and keep `saved` bytes.
constexpr int64_t saved = 1000;
Graph equalChain(unsigned count) {
  Graph graph = makeChain(std::vector<double>(count, 1), 0);
  for (Node &node : graph.nodes) {
    node.backwardInput = node.backwardWeight = 1;
    node.savedBytes = node.weightBytes = saved;
  }
  return graph;
}

/// Small whole-number costs; every node is trained.
Graph smallTraining(unsigned seed, unsigned count) {
  Graph graph = makeRandom(seed, count);
  graph.params.clear();
  for (Node &node : graph.nodes) {
    node.params.clear();
    node.forward = 1 + static_cast<int>(node.forward) % 3;
    node.backwardInput = 1 + static_cast<int>(node.outBytes) % 3;
    node.backwardWeight = 1 + static_cast<int>(node.outBytes / 2) % 2;
    node.savedBytes = node.weightBytes = 10;
  }
  return graph;
}

Graph readGraphFile(const std::string &name) {
  Graph graph;
  EXPECT_EQ(readGraph(readInput(name), graph), std::nullopt);
  return graph;
}
} // namespace

//===----------------------------------------------------------------------===//
// The list scheduler contains the schedules of the literature
//===----------------------------------------------------------------------===//

namespace {
struct Listed {
  double makespan = 0;
  int64_t peak = 0;
};

/// Equal stages, one per device; `offsets` per phase.
Listed runList(unsigned p, unsigned m, double f, double b, double w,
               double stride, std::vector<unsigned> limit, bool limitsWeight) {
  Graph graph = equalChain(p);
  Plan plan;
  plan.microbatches = m;
  plan.partition.devices = p;
  for (unsigned stage = 0; stage < p; ++stage) {
    plan.partition.stages.push_back({stage});
    plan.partition.stageDevice.push_back(stage);
  }
  Cluster cluster = makeCluster(p);
  StepGraph steps = buildStepGraph(graph, cluster, plan);
  ListPolicy policy;
  for (int phase = 0; phase < 3; ++phase)
    policy.offset[phase].assign(p, phase == 0 ? f : phase == 1 ? b : w);
  policy.stride = stride;
  policy.limit = std::move(limit);
  policy.limitsWeight = limitsWeight;
  Schedule schedule;
  Listed listed;
  listed.makespan = ListScheduler().run(
      steps, policy, {}, std::numeric_limits<double>::infinity(), &schedule);
  plan.schedule = schedule;
  StepReport report = checkStep(graph, cluster, plan);
  EXPECT_EQ(report.mistakes, std::vector<std::string>());
  EXPECT_NEAR(report.makespan, listed.makespan, 1e-9);
  for (int64_t peak : report.peak)
    listed.peak = std::max(listed.peak, peak);
  return listed;
}
} // namespace

TEST(ListScheduler, GPipe) {
  for (auto [p, m] : {std::pair(2u, 4u), std::pair(4u, 8u)}) {
    // W right after its B.
    Listed listed = runList(p, m, 0, 1000, 999.5, 1, {}, false);
    // B does not wait for W of the stage after it.
    EXPECT_NEAR(listed.makespan, 3 * m + (p - 1) * (1 + 1 + 0), 1e-9);
    EXPECT_EQ(listed.peak, m * saved);
  }
}

TEST(ListScheduler, OneFOneBWithSplitWeights) {
  for (auto [p, m] :
       {std::pair(2u, 4u), std::pair(4u, 8u), std::pair(8u, 16u)}) {
    std::vector<unsigned> limit;
    for (unsigned device = 0; device < p; ++device)
      limit.push_back(p - device);
    // B first, then W, then F: never more than p − k in flight.
    Listed listed = runList(p, m, 0, -2000, -1000, 1, limit, true);
    EXPECT_LE(listed.makespan, 3.0 * (m + p - 1));
    EXPECT_EQ(listed.peak, p * saved);
  }
}

TEST(ListScheduler, ZeroBubbleH1) {
  for (auto [p, m] :
       {std::pair(2u, 4u), std::pair(4u, 8u), std::pair(8u, 16u)}) {
    // B first; W of microbatch j before F of microbatch j + p, which leaves p
    // in flight.
    std::vector<unsigned> limit;
    for (unsigned device = 0; device < p; ++device)
      limit.push_back(p - device);
    Listed listed = runList(p, m, 0, -1000, p - 0.5, 1, limit, false);
    // A list schedule never waits, and may so start a W just before a B comes:
    // two of them at most.
    EXPECT_LE(listed.makespan, 3.0 * m + (p - 1) * (1 + 1 - 1) + 2 + 1e-9);
    EXPECT_LT(listed.makespan, 3.0 * (m + p - 1));
    EXPECT_LE(listed.peak, p * saved);
  }
}

TEST(ListScheduler, RespectsCaps) {
  Graph graph = readGraphFile("unet32.json");
  for (double part : {0.4, 0.7}) {
    StepRequest request{graph, makeCluster(4), 8, true, 60000, nullptr};
    StepResult free = searchStep(request);
    ASSERT_TRUE(free.plan) << free.error;
    int64_t most = *std::max_element(free.peak.begin(), free.peak.end());
    // The checker looks at every byte; the plan must pass it under its cap.
    request.cluster =
        makeCluster(4, static_cast<uint64_t>(part * static_cast<double>(most)));
    StepResult capped = searchStep(request);
    if (!capped.plan) {
      EXPECT_NE(capped.error.find("bytes"), std::string::npos) << capped.error;
      continue;
    }
    for (int64_t peak : capped.peak)
      EXPECT_LE(static_cast<double>(peak), part * static_cast<double>(most));
    EXPECT_TRUE(checkStep(graph, request.cluster, *capped.plan).isValid());
  }
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

TEST(JointSearch, IsDeterministic) {
  Graph graph = readGraphFile("mixed32.json");
  StepRequest request{graph, makeCluster(4), 8, true, 20000, nullptr};
  StepResult one = searchStep(request), two = searchStep(request);
  ASSERT_TRUE(one.plan && two.plan);
  EXPECT_EQ(writePlan(*one.plan), writePlan(*two.plan));
}

TEST(JointSearch, BeatsTheNamedSchedules) {
  // 1F1B on even stages takes 267.3 ms, ZB-H1 219.6 ms.
  Graph graph = readGraphFile("uniform32.json");
  StepRequest request{graph, makeCluster(4), 8, true, 600000, nullptr};
  StepResult result = searchStep(request);
  ASSERT_TRUE(result.plan) << result.error;
  EXPECT_LT(*result.plan->makespan, 219.6);
  EXPECT_GE(*result.plan->makespan, result.bounds.best());
  EXPECT_NEAR(*chainBound(graph, request.cluster, 8), 240.2, 0.05);
  // What is written and read again is the same plan.
  Plan back;
  ASSERT_EQ(readPlan(writePlan(*result.plan), graph, back), std::nullopt);
  EXPECT_EQ(writePlan(back), writePlan(*result.plan));
  EXPECT_TRUE(checkStep(graph, request.cluster, back).isValid());
}

TEST(JointSearch, RecomputesWhenNothingElseFits) {
  Graph graph = equalChain(4);
  for (Edge &edge : graph.edges)
    edge.bytes = 10;
  // Each device holds two nodes, and not what both save.
  StepRequest request{graph,  makeCluster(2, 2 * saved + 600), 4, true, 500000,
                      nullptr};
  StepResult with = searchStep(request);
  request.allowsRecompute = false;
  StepResult without = searchStep(request);
  ASSERT_TRUE(with.plan) << with.error;
  ASSERT_TRUE(without.plan) << without.error;
  EXPECT_LE(*with.plan->makespan, *without.plan->makespan);
  request.cluster = makeCluster(2, 2 * saved - 1);
  StepResult tight = searchStep(request);
  EXPECT_FALSE(tight.plan);
  request.allowsRecompute = true;
  tight = searchStep(request);
  ASSERT_TRUE(tight.plan) << tight.error;
  bool isAny = false;
  for (char flag : tight.plan->recompute)
    isAny |= flag != 0;
  EXPECT_TRUE(isAny);
}

TEST(JointSearch, SaysWhatDoesNotFit) {
  Graph graph = equalChain(4);
  for (Node &node : graph.nodes)
    node.paramBytes = 100;
  graph.paramFactor = 4;
  StepRequest request{graph, makeCluster(2, 700), 4, true, 20000, nullptr};
  EXPECT_EQ(searchStep(request).error,
            "no plan fits into the memory caps: node 0 (n0) alone needs 1400 "
            "bytes: parameters, optimizer state and what one microbatch keeps; "
            "the largest device is short by 700 bytes");
  for (Node &node : graph.nodes)
    node.savedBytes = node.weightBytes = 0;
  EXPECT_EQ(searchStep(request).error,
            "no plan fits into the memory caps: parameters and optimizer state "
            "need 1600 bytes; all devices together are short by 200 bytes");
  // Three nodes of 800 do not pack into two devices of 1500.
  graph = equalChain(3);
  graph.paramFactor = 1;
  for (Node &node : graph.nodes) {
    node.paramBytes = 800;
    node.savedBytes = node.weightBytes = 0;
  }
  StepRequest packed{graph, makeCluster(2, 1500), 4, true, 20000, nullptr};
  std::string error = searchStep(packed).error;
  EXPECT_NE(error.find("short by 100 bytes"), std::string::npos) << error;
}

TEST(JointSearch, FewerNodesThanDevices) {
  Graph graph = equalChain(2);
  StepRequest request{graph, makeCluster(4), 3, true, 20000, nullptr};
  StepResult result = searchStep(request);
  ASSERT_TRUE(result.plan) << result.error;
  EXPECT_GE(*result.plan->makespan, result.bounds.best());
}

TEST(JointSearch, PrefersFastDevices) {
  Graph graph = equalChain(6);
  Cluster cluster = makeCluster(2);
  cluster.devices[0].speed = 5;
  StepRequest request{graph, cluster, 8, true, 100000, nullptr};
  StepResult result = searchStep(request);
  ASSERT_TRUE(result.plan) << result.error;
  // 6·3·8 of work on speeds 5 and 1.
  EXPECT_LT(*result.plan->makespan, 1.1 * 144 / 6);
  EXPECT_GE(*result.plan->makespan, result.bounds.best());
}

TEST(JointSearch, RescalesMicrobatches) {
  Graph graph = equalChain(2);
  graph.edges[0].bytes = 8;
  Graph half = rescale(graph, 4, 8, 0.2);
  EXPECT_NEAR(half.nodes[0].forward, 0.6, 1e-12);
  EXPECT_EQ(half.nodes[0].savedBytes, saved / 2u);
  EXPECT_EQ(half.edges[0].bytes, 4u);
}

//===----------------------------------------------------------------------===//
// Bounds against all plans of small instances
//===----------------------------------------------------------------------===//

namespace {
/// All orders of a step graph, in the order of their start times.
class Exhaustive {
public:
  Exhaustive(const StepGraph &graph, double best) : graph(graph), best(best) {
    size_t slots = static_cast<size_t>(graph.stages()) * graph.microbatches;
    for (auto &list : end)
      list.assign(slots, -1);
    free.assign(graph.devices, 0);
    left.assign(graph.devices, 0);
    for (unsigned stage = 0; stage < graph.stages(); ++stage)
      left[graph.stageDevice[stage]] +=
          graph.microbatches *
          (graph.forward[stage] + graph.backward[stage] + graph.weight[stage]);
  }
  /// The optimum, or `best` if no order is better.
  double run() {
    visit(0, 0);
    return best;
  }

private:
  /// Without waiting for links: latency only.
  double ready(unsigned phase, unsigned stage, unsigned mb) const {
    double time = 0;
    auto need = [&](double when) {
      time = when < 0 || time < 0 ? -1 : std::max(time, when);
    };
    size_t at = stage * graph.microbatches + mb;
    if (phase > 0)
      need(end[phase - 1][at]);
    if (phase < 2)
      for (const auto &message : graph.in(static_cast<Phase>(phase))[stage]) {
        double sent = end[phase][message.stage * graph.microbatches + mb];
        need(sent < 0 ? -1 : sent + message.time);
      }
    return time;
  }
  void visit(double last, double makespan) {
    bool isDone = true;
    for (unsigned device = 0; device < graph.devices; ++device) {
      isDone &= left[device] < 1e-9;
      if (std::max(last * (left[device] > 1e-9), free[device]) + left[device] >=
          best - 1e-9)
        return;
    }
    if (isDone) {
      best = makespan;
      return;
    }
    const double *durations[] = {graph.forward.data(), graph.backward.data(),
                                 graph.weight.data()};
    for (unsigned phase = 0; phase < 3; ++phase)
      for (unsigned stage = 0; stage < graph.stages(); ++stage)
        for (unsigned mb = 0; mb < graph.microbatches; ++mb) {
          size_t at = stage * graph.microbatches + mb;
          // Microbatches are alike: each phase of a stage takes them in order.
          if (end[phase][at] >= 0 || (mb > 0 && end[phase][at - 1] < 0))
            continue;
          unsigned device = graph.stageDevice[stage];
          double time = ready(phase, stage, mb);
          if (time < 0 || std::max(time, free[device]) < last)
            continue;
          double start = std::max(time, free[device]), before = free[device];
          double duration = durations[phase][stage];
          free[device] = end[phase][at] = start + duration;
          left[device] -= duration;
          visit(start, std::max(makespan, free[device]));
          left[device] += duration;
          free[device] = before;
          end[phase][at] = -1;
        }
  }

  const StepGraph &graph;
  double best;
  std::vector<double> end[3], free, left;
};

/// The best step over all assignments of nodes to devices, a stage per node.
double optimum(const Graph &graph, const Cluster &cluster, unsigned mbs,
               double best) {
  unsigned count = graph.nodes.size(), devices = cluster.devices.size();
  std::vector<unsigned> stageOf(count), device(count, 0);
  for (unsigned i = 0; i < count; ++i)
    stageOf[i] = i;
  StepGraphBuilder builder(graph, cluster, mbs);
  for (;;) {
    StepGraph steps;
    builder.build(stageOf, device, {}, steps);
    best = Exhaustive(steps, best).run();
    unsigned i = 0;
    // The last node stays on device 0: devices are alike.
    while (i + 1 < count && ++device[i] == devices)
      device[i++] = 0;
    if (i + 1 >= count)
      return best;
  }
}
} // namespace

TEST(Bounds, BelowTheOptimumOfSmallInstances) {
  unsigned tight = 0;
  for (unsigned seed = 0; seed < 6; ++seed) {
    Graph graph = smallTraining(seed, 3);
    graph.link = {seed % 2 * 0.5, 0};
    Cluster cluster = makeCluster(2);
    StepRequest request{graph, cluster, 2, false, 30000, nullptr};
    StepResult result = searchStep(request);
    ASSERT_TRUE(result.plan) << result.error;
    double made = *result.plan->makespan;
    double best = optimum(graph, cluster, 2, made);
    double bound = lowerBounds(graph, cluster, 2).best();
    EXPECT_LE(bound, best + 1e-9) << seed;
    // The search finds the optimum of such small ones, or nearly.
    EXPECT_LE(made, 1.05 * best) << seed;
    tight += bound > 0.8 * best;
  }
  EXPECT_GE(tight, 4u);
}

//===----------------------------------------------------------------------===//
// Files and pictures
//===----------------------------------------------------------------------===//

TEST(Cluster, ReadsFiles) {
  Graph graph = equalChain(2);
  graph.link = {1, 2};
  Cluster cluster;
  EXPECT_EQ(readCluster(R"({"format": "pipe-devices/1", "devices": [{},
      {"speed": 2, "memory_cap": 30}], "links": [{"from": 0, "to": 1,
      "latency": 5, "bandwidth": 6}]})",
                        graph, cluster),
            std::nullopt);
  EXPECT_EQ(cluster.devices[1].memoryCap, 30u);
  EXPECT_EQ(cluster.link(graph, 0, 1).latency, 5);
  EXPECT_EQ(cluster.link(graph, 1, 0).latency, 1);
  EXPECT_EQ(readCluster(R"({"format": "pipe-devices/1", "devices": [
      {"speed": 0}]})",
                        graph, cluster),
            "device 0: the speed must be positive");
  EXPECT_EQ(readCluster(R"({"format": "pipe-devices/1", "devices": [{}],
      "links": [{"from": 0, "to": 1, "latency": 5, "bandwidth": 6}]})",
                        graph, cluster),
            "link 0 joins devices 0 and 1, but there are 1");
}

TEST(StepReport, ShowsThePlan) {
  Graph graph = readGraphFile("uniform32.json");
  Plan plan;
  ASSERT_EQ(readPlan(readInput("uniform32-1f1b-plan.json"), graph, plan),
            std::nullopt);
  Cluster cluster = makeCluster(4);
  std::string table =
      stepTable(graph, cluster, plan, lowerBounds(graph, cluster, 8));
  EXPECT_NE(table.find("makespan 267.321 ms, lower bound 190.6"),
            std::string::npos)
      << table;
  std::string svg = stepSvg(graph, cluster, plan);
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_NE(svg.find("<title>F3.7 "), std::string::npos);
  std::string trace = stepTrace(graph, cluster, plan);
  EXPECT_NE(trace.find("\"name\": \"B0.7\""), std::string::npos);
  EXPECT_NE(trace.find("memory of device 3"), std::string::npos);
}
