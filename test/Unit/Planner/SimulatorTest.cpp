//===- SimulatorTest.cpp - Forward schedules ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "panpipe/Planner/Search.h"
#include "panpipe/Planner/Simulator.h"

#include <gtest/gtest.h>

using namespace panpipe::planner;

static Partition onePerNode(unsigned count) {
  Partition partition;
  partition.devices = count;
  for (unsigned i = 0; i < count; ++i) {
    partition.stages.push_back({i});
    partition.stageDevice.push_back(i);
  }
  return partition;
}

TEST(Simulator, ClosedFormOfEqualStages) {
  // p stages of time t and m microbatches: (p + m - 1) t, bubble (p - 1) t.
  Graph graph = makeChain({2, 2, 2, 2}, 0);
  StageGraph stages = buildStageGraph(graph, onePerNode(4), 6);
  Schedule schedule = scheduleForward(stages);
  EXPECT_EQ(schedule.verify(stages.stageDevice, stages.dependences()),
            std::nullopt);
  Simulation simulation = simulate(stages, schedule);
  EXPECT_EQ(simulation.makespan, (4 + 6 - 1) * 2);
  EXPECT_EQ(simulation.busy, (std::vector<double>{12, 12, 12, 12}));
}

TEST(Simulator, MatchesTheSearchModelOnChains) {
  Graph graph = makeChain({3, 7, 2, 5}, 4);
  graph.link = {0.5, 2};
  PartitionRequest request{graph, std::vector<DeviceSpec>(4), 5,
                           Objective::Makespan};
  StageGraph stages = buildStageGraph(graph, onePerNode(4), 5);
  Simulation simulation = simulate(stages, scheduleForward(stages));
  EXPECT_EQ(simulation.makespan,
            partitionCost(request, onePerNode(4)).makespan);
}

TEST(Simulator, NeverBelowTheBound) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Graph graph = makeRandom(seed, 9);
    PartitionRequest request{graph, std::vector<DeviceSpec>(3), 4,
                             Objective::Makespan};
    Partition partition = *partitionByIntervals(request).partition;
    StageGraph stages = buildStageGraph(graph, partition, 4);
    Schedule schedule = scheduleForward(stages);
    ASSERT_EQ(schedule.verify(stages.stageDevice, stages.dependences()),
              std::nullopt);
    double makespan = simulate(stages, schedule).makespan;
    EXPECT_GE(makespan, lowerBound(request) * (1 - 1e-12));
    // The search's model never promises more than it takes.
    EXPECT_LE(makespan, partitionCost(request, partition).makespan + 1e-9);
  }
}

TEST(Simulator, SeveralStagesPerDevice) {
  // A loop: stages 0 and 2 on device 0, 1 on device 1.
  Graph graph = makeChain({1, 1, 1}, 0);
  Partition partition{2, {{0}, {1}, {2}}, {0, 1, 0}};
  StageGraph stages = buildStageGraph(graph, partition, 3);
  Schedule schedule = scheduleForward(stages);
  EXPECT_EQ(schedule.verify(stages.stageDevice, stages.dependences()),
            std::nullopt);
  EXPECT_EQ(schedule.order[0].size(), 6u);
  // F0.0 F0.1 F2.0: microbatch 0 comes before a new one where both are ready.
  EXPECT_EQ(schedule.order[0][2], (Instruction{2, 0}));
}

TEST(Simulator, PeakCountsWaitingMessages) {
  // The second stage is slow: messages of 10 bytes pile up before it.
  Graph graph = makeChain({1, 10}, 10);
  StageGraph stages = buildStageGraph(graph, onePerNode(2), 4);
  Simulation simulation = simulate(stages, scheduleForward(stages));
  // Its own output and four messages, the first of which is in use.
  EXPECT_EQ(simulation.peakBytes[1], 50);
}
