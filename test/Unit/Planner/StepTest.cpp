//===- StepTest.cpp - Schedules, times and checks of steps ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "panpipe/Planner/StepCheck.h"
#include "panpipe/Planner/StepSchedules.h"
#include "panpipe/Planner/StepSimulator.h"

#include <gtest/gtest.h>

using namespace panpipe::planner;

namespace {
/// Phase times and the saved bytes of one whole stage; W keeps as much.
struct Costs {
  double f = 1, b = 1, w = 1;
};
constexpr int64_t saved = 1200;

/// `stages` equal nodes that together make `devices` equal devices.
Plan makePlan(Graph &graph, const Costs &costs, unsigned devices,
              const std::vector<unsigned> &placement, Schedule schedule) {
  unsigned stages = placement.size(), chunks = stages / devices;
  graph = makeChain(std::vector<double>(stages, costs.f / chunks), 0);
  Plan plan;
  for (unsigned node = 0; node < stages; ++node) {
    graph.nodes[node].backwardInput = costs.b / chunks;
    graph.nodes[node].backwardWeight = costs.w / chunks;
    graph.nodes[node].savedBytes = saved / chunks;
    graph.nodes[node].weightBytes = saved / chunks;
    plan.partition.stages.push_back({node});
  }
  plan.partition.devices = devices;
  plan.partition.stageDevice = placement;
  plan.microbatches = schedule.microbatches;
  plan.schedule = std::move(schedule);
  return plan;
}

Cluster makeCluster(unsigned devices) {
  Cluster cluster;
  cluster.devices.resize(devices);
  return cluster;
}

struct Outcome {
  double makespan = 0, bubble = 0; ///< Bubble: of a device from its first run.
  int64_t peak = 0;                ///< Of the worst device.
};

/// Both the simulator and the checker, which must agree.
Outcome measure(const Graph &graph, const Plan &plan) {
  Cluster cluster = makeCluster(plan.partition.devices);
  StepTimeline timeline;
  EXPECT_EQ(simulateStep(buildStepGraph(graph, cluster, plan), *plan.schedule,
                         timeline),
            std::nullopt);
  StepReport report = checkStep(graph, cluster, plan);
  EXPECT_EQ(report.mistakes, std::vector<std::string>());
  EXPECT_NEAR(report.makespan, timeline.makespan, 1e-9);
  EXPECT_EQ(report.peak, timeline.peak);
  Outcome outcome;
  outcome.makespan = timeline.makespan;
  for (unsigned device = 0; device < timeline.tasks.size(); ++device) {
    const auto &tasks = timeline.tasks[device];
    outcome.bubble =
        std::max(outcome.bubble, tasks.back().end - tasks.front().start -
                                     timeline.busy[device]);
    outcome.peak = std::max(outcome.peak, timeline.peak[device]);
  }
  return outcome;
}

const Costs costTable[] = {{1, 1, 1}, {1, 1.5, 0.5}, {2, 3, 1}};
const std::pair<unsigned, unsigned> sizeTable[] = {{2, 4},  {4, 4},  {4, 8},
                                                   {8, 16}, {8, 32}, {3, 9}};
} // namespace

TEST(StepSchedules, GPipeFormulas) {
  for (const Costs &c : costTable)
    for (auto [p, m] : sizeTable) {
      Graph graph;
      Plan plan =
          makePlan(graph, c, p, loopedPlacement(p, 1), scheduleGPipe(p, m));
      Outcome outcome = measure(graph, plan);
      EXPECT_NEAR(outcome.makespan, (m + p - 1) * (c.f + c.b + c.w), 1e-9);
      EXPECT_EQ(outcome.peak, m * saved);
    }
}

TEST(StepSchedules, OneFOneBFormulas) {
  for (const Costs &c : costTable)
    for (auto [p, m] : sizeTable) {
      Graph graph;
      Plan plan =
          makePlan(graph, c, p, loopedPlacement(p, 1), scheduleOneFOneB(p, m));
      Outcome outcome = measure(graph, plan);
      EXPECT_NEAR(outcome.makespan, (m + p - 1) * (c.f + c.b + c.w), 1e-9);
      EXPECT_EQ(outcome.peak, std::min(p, m) * saved);
    }
}

TEST(StepSchedules, OneFOneBWithFewMicrobatches) {
  Graph graph;
  Plan plan =
      makePlan(graph, {}, 4, loopedPlacement(4, 1), scheduleOneFOneB(4, 2));
  Outcome outcome = measure(graph, plan);
  EXPECT_NEAR(outcome.makespan, 5 * 3, 1e-9);
  EXPECT_EQ(outcome.peak, 2 * saved);
}

TEST(StepSchedules, InterleavedFormulas) {
  for (const Costs &c : costTable)
    for (unsigned v : {2, 3, 4})
      for (auto [p, m] : sizeTable) {
        // With m = p some devices run everything forward first.
        if (m < 2 * p)
          continue;
        Graph graph;
        Plan plan = makePlan(graph, c, p, loopedPlacement(p, v),
                             *scheduleInterleaved(p, m, v));
        Outcome outcome = measure(graph, plan);
        double all = c.f + c.b + c.w;
        EXPECT_NEAR(outcome.makespan, m * all + (p - 1) * all / v, 1e-9);
        // p·M·(1 + (p−1)/(p·v)): v chunks make one M.
        EXPECT_EQ(outcome.peak, saved * p + saved / v * (p - 1));
      }
  EXPECT_EQ(scheduleInterleaved(4, 6, 2), std::nullopt);
}

TEST(StepSchedules, ZeroBubbleH1Formulas) {
  for (const Costs &c : costTable)
    for (auto [p, m] : sizeTable) {
      Graph graph;
      Plan plan = makePlan(graph, c, p, loopedPlacement(p, 1),
                           scheduleZeroBubbleH1(p, m));
      Outcome outcome = measure(graph, plan);
      EXPECT_NEAR(outcome.makespan,
                  m * (c.f + c.b + c.w) + (p - 1) * (c.f + c.b - c.w), 1e-9);
      EXPECT_EQ(outcome.peak, p * saved);
    }
}

TEST(StepSchedules, ZeroBubbleVFormulas) {
  for (auto [p, m] : sizeTable) {
    Graph graph;
    Plan plan =
        makePlan(graph, {}, p, vPlacement(p), scheduleZeroBubbleV(p, m));
    Outcome outcome = measure(graph, plan);
    // No device idles once it has started; the last starts p − 1 chunks late.
    if (m >= 2 * p) {
      EXPECT_NEAR(outcome.bubble, 0, 1e-9) << p << " " << m;
      EXPECT_NEAR(outcome.makespan, 3 * m + (p - 1) * 0.5, 1e-9);
    }
    EXPECT_LE(outcome.peak, p * saved) << p << " " << m;
    if (m >= 2 * p)
      EXPECT_EQ(outcome.peak, p * saved);
  }
}

TEST(StepSimulator, MessagesTakeTurnsOnALink) {
  Graph graph;
  Plan plan =
      makePlan(graph, {}, 2, loopedPlacement(2, 1), scheduleGPipe(2, 4));
  graph.link = {0.25, 0};
  EXPECT_NEAR(measure(graph, plan).makespan, 5 * 3 + 2 * 0.25, 1e-9);
  // A message takes longer than computing: the link sets the pace.
  graph.link = {0, 10};
  graph.edges[0].bytes = 30;
  Cluster cluster = makeCluster(2);
  StepTimeline timeline;
  ASSERT_EQ(simulateStep(buildStepGraph(graph, cluster, plan), *plan.schedule,
                         timeline),
            std::nullopt);
  EXPECT_NEAR(timeline.tasks[1][3].end, 1 + 4 * 3 + 1, 1e-9);
  measure(graph, plan);
}

TEST(StepSimulator, WaitingMessagesCount) {
  Graph graph;
  Plan plan =
      makePlan(graph, {}, 3, loopedPlacement(3, 1), scheduleGPipe(3, 1));
  for (Node &node : graph.nodes)
    node.savedBytes = node.weightBytes = 0;
  graph.edges.push_back({0, 2, 7});
  Cluster cluster = makeCluster(3);
  StepReport report = checkStep(graph, cluster, plan);
  EXPECT_EQ(report.peak, (std::vector<int64_t>{7, 0, 7}));
  measure(graph, plan);
}

TEST(StepSimulator, SharedAndFrozenParameters) {
  Graph graph;
  Plan plan =
      makePlan(graph, {}, 2, loopedPlacement(2, 1), scheduleGPipe(2, 1));
  for (Node &node : graph.nodes)
    node.savedBytes = node.weightBytes = 0;
  graph.paramFactor = 3;
  graph.params = {{"tied", 10}, {"frozen", 100, true}};
  graph.nodes[0].params = {0, 1};
  graph.nodes[1].params = {0};
  graph.nodes[1].frozenBytes = 1000;
  // Each device has its copy of the tied one, with gradient and state.
  EXPECT_EQ(checkStep(graph, makeCluster(2), plan).peak,
            (std::vector<int64_t>{130, 1030}));
  measure(graph, plan);
  // Once per device.
  Graph other;
  Plan one = makePlan(other, {}, 1, {0, 0}, scheduleGPipe(1, 1));
  one.schedule->order[0] = {
      {0, 0}, {1, 0}, {1, 0, Phase::Backward}, {0, 0, Phase::Backward}};
  EXPECT_EQ(checkStep(graph, makeCluster(1), one).peak,
            (std::vector<int64_t>{1130}));
}

TEST(StepSimulator, SlowDevicesAndSlowLinks) {
  Graph graph;
  Plan plan =
      makePlan(graph, {}, 2, loopedPlacement(2, 1), scheduleGPipe(2, 1));
  Cluster cluster = makeCluster(2);
  cluster.devices[1].speed = 0.5;
  cluster.links = {{}, {0.5, 0}, {3, 0}, {}};
  StepReport report = checkStep(graph, cluster, plan);
  EXPECT_NEAR(report.makespan, 1 + 0.5 + 2 + 4 + 3 + 2, 1e-9);
  StepTimeline timeline;
  ASSERT_EQ(simulateStep(buildStepGraph(graph, cluster, plan), *plan.schedule,
                         timeline),
            std::nullopt);
  EXPECT_NEAR(timeline.makespan, report.makespan, 1e-9);
}

TEST(StepSimulator, RecomputationTradesTimeForMemory) {
  Graph graph;
  Plan plan =
      makePlan(graph, {}, 2, loopedPlacement(2, 1), scheduleGPipe(2, 4));
  graph.edges[0].bytes = 100;
  graph.link = {0, 0};
  plan.recompute = {0, 1};
  Outcome outcome = measure(graph, plan);
  // Device 1 does 3 + 1 per microbatch, after one F and before one B and W.
  EXPECT_NEAR(outcome.makespan, 1 + 4 * 4 + 2, 1e-9);
  StepReport report = checkStep(graph, makeCluster(2), plan);
  // Four kept inputs, the messages of the last three not yet run backward are
  // consumed; what one B needs comes back while it runs.
  EXPECT_EQ(report.peak[1], 4 * 100 + saved);
}

//===----------------------------------------------------------------------===//
// The checker
//===----------------------------------------------------------------------===//

namespace {
class StepCheck : public ::testing::Test {
protected:
  void SetUp() override {
    plan =
        makePlan(graph, {}, 4, loopedPlacement(4, 1), scheduleOneFOneB(4, 4));
    cluster = makeCluster(4);
  }
  /// The first mistake, or nothing.
  std::string mistake() {
    StepReport report = checkStep(graph, cluster, plan);
    return report.isValid() ? "" : report.mistakes.front();
  }
  std::vector<Instruction> &list(unsigned device) {
    return plan.schedule->order[device];
  }

  Graph graph;
  Plan plan;
  Cluster cluster;
};
} // namespace

TEST_F(StepCheck, AcceptsTheRightPlan) {
  plan.makespan = 21;
  plan.lowerBound = 21;
  EXPECT_EQ(mistake(), "");
}

TEST_F(StepCheck, DroppedNode) {
  graph.nodes.push_back(graph.nodes.back());
  EXPECT_EQ(mistake(), "dropped node: node 4 (n3) is in no stage");
}

TEST_F(StepCheck, NodeComputedTwice) {
  plan.partition.stages[2].push_back(1);
  EXPECT_EQ(mistake(), "node computed twice: node 1 (n1) is in stages 1 and 2");
}

TEST_F(StepCheck, CircleOfStages) {
  plan.partition.stages = {{0, 2}, {1}, {3}};
  plan.partition.stageDevice = {0, 1, 2};
  EXPECT_EQ(mistake(), "the stages depend on each other in a circle, through "
                       "stages 0 and 1");
}

TEST_F(StepCheck, MissingRun) {
  list(1).erase(list(1).begin());
  EXPECT_EQ(mistake(), "missing run: F1.0");
}

TEST_F(StepCheck, MissingGradient) {
  list(0).pop_back();
  EXPECT_EQ(mistake(), "missing gradient: B0.3");
}

TEST_F(StepCheck, DoubleGradient) {
  list(0).push_back({0, 3, Phase::Backward});
  EXPECT_EQ(mistake(), "double gradient: B0.3 comes twice");
  list(0).back() = {0, 3, Phase::Weight};
  list(0).push_back({0, 3, Phase::Weight});
  EXPECT_EQ(mistake(), "double weight gradient: W0.3 comes twice");
}

TEST_F(StepCheck, WrongDevice) {
  std::swap(list(1), list(2));
  EXPECT_EQ(mistake(), "wrong device: F2.0 is listed on device 1, but its "
                       "stage is on device 2");
}

TEST_F(StepCheck, WrongSlot) {
  list(3).push_back({3, 4});
  EXPECT_EQ(mistake(), "wrong slot: device 3 runs F3.4, but there are 4 stages "
                       "and 4 microbatches");
}

TEST_F(StepCheck, WrongOrder) {
  list(0).insert(list(0).begin(), {0, 0, Phase::Weight});
  EXPECT_EQ(mistake(), "wrong order: W0.0 comes before the B0.0 that it needs");
}

TEST_F(StepCheck, Deadlock) {
  // Device 0 wants the gradient of microbatch 0 before it sends microbatch 1,
  // which device 1 wants before it makes that gradient.
  plan.schedule->order[0] = {{0, 0},
                             {0, 0, Phase::Backward},
                             {0, 1},
                             {0, 2},
                             {0, 3},
                             {0, 1, Phase::Backward},
                             {0, 2, Phase::Backward},
                             {0, 3, Phase::Backward}};
  std::string text = mistake();
  EXPECT_EQ(text.substr(0, 10), "deadlock: ");
  EXPECT_NE(text.find("B0.0 waits for message of B1.0 to stage 0"),
            std::string::npos)
      << text;
  StepTimeline timeline;
  Error error = simulateStep(buildStepGraph(graph, cluster, plan),
                             *plan.schedule, timeline);
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("device 0 at B0.0"), std::string::npos) << *error;
}

TEST_F(StepCheck, TooLittleMemory) {
  for (DeviceSpec &device : cluster.devices)
    device.memoryCap = 4 * saved;
  EXPECT_EQ(mistake(), "");
  cluster.devices[0].memoryCap = 4 * saved - 1;
  EXPECT_EQ(mistake(),
            "too little memory: device 0 peaks at 4800 bytes with F0.3, 1 over "
            "its cap of 4799");
}

TEST_F(StepCheck, WrongRemarks) {
  plan.makespan = 20;
  EXPECT_EQ(mistake().substr(0, 15), "wrong makespan:");
  plan.makespan = 21;
  plan.lowerBound = 22;
  EXPECT_EQ(mistake().substr(0, 12), "wrong bound:");
}

TEST(StepFile, JudgesTheGivenPlan) {
  Graph graph;
  ASSERT_EQ(readGraph(readInput("uniform32.json"), graph), std::nullopt);
  Plan plan;
  ASSERT_EQ(readPlan(readInput("uniform32-1f1b-plan.json"), graph, plan),
            std::nullopt);
  // Its `makespan` is that of an independent judge.
  ASSERT_TRUE(plan.makespan);
  EXPECT_EQ(checkStep(graph, makeCluster(4), plan).mistakes,
            std::vector<std::string>());
  EXPECT_NEAR(measure(graph, plan).makespan, *plan.makespan, 1e-4);
}
