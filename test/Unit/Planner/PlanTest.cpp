//===- PlanTest.cpp - Partitions, schedules, their file format ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include "panpipe/Planner/Plan.h"

#include <gtest/gtest.h>

using namespace panpipe::planner;

TEST(Partition, Verify) {
  Graph graph = makeChain({1, 1, 1}, 4);
  auto error = [&](const Partition &partition) {
    return partition.verify(graph).value_or("valid");
  };
  EXPECT_EQ(error({2, {{0, 1}, {2}}, {0, 1}}), "valid");
  EXPECT_EQ(error({2, {{0}, {2}}, {0, 1}}), "node 1 (n1) is in no stage");
  EXPECT_EQ(error({2, {{0, 1}, {1, 2}}, {0, 1}}),
            "node 1 (n1) is in stage 0 and in stage 1");
  EXPECT_EQ(error({2, {{0, 1, 2}, {}}, {0, 1}}), "stage 1 is empty");
  EXPECT_EQ(error({2, {{0, 1}, {2}}, {0, 2}}),
            "stage 1 is on device 2, but there are 2 devices");
  EXPECT_EQ(error({2, {{0, 1}, {3}}, {0, 1}}),
            "stage 1 holds node 3, but the model has 3 nodes");
  EXPECT_EQ(
      error({2, {{2}, {0, 1}}, {0, 1}}),
      "a value flows backwards, from node 1 (n1) in stage 1 to node 2 (n2) "
      "in stage 0");
}

TEST(Partition, SortsStagesThatAreNotIntervals) {
  Graph graph = makeChain({1, 1, 1, 1}, 4);
  graph.edges = {{0, 2, 4}, {1, 3, 4}};
  Partition partition{2, {{3, 1}, {2, 0}}, {1, 0}};
  ASSERT_EQ(sortStages(graph, partition), std::nullopt);
  EXPECT_EQ(partition.stages,
            (std::vector<std::vector<unsigned>>{{0, 2}, {1, 3}}));
  EXPECT_EQ(partition.stageDevice, (std::vector<unsigned>{0, 1}));
}

TEST(Partition, RefusesCyclicStages) {
  Graph graph = makeChain({1, 1, 1}, 4);
  Partition partition{2, {{0, 2}, {1}}, {0, 1}};
  EXPECT_EQ(
      sortStages(graph, partition),
      "the stages depend on each other in a circle, through the value from "
      "node 0 (n0) in stage 0 to node 1 (n1) in stage 1");
}

TEST(Schedule, Verify) {
  auto error = [](const Schedule &schedule) {
    return schedule.verify({0, 1}, {{0, 1}}).value_or("valid");
  };
  EXPECT_EQ(error({2, {{{0, 0}, {0, 1}}, {{1, 0}, {1, 1}}}}), "valid");
  EXPECT_EQ(error({2, {{{0, 0}, {0, 1}}, {{1, 1}, {1, 0}}}}), "valid");
  EXPECT_EQ(error({2, {{{0, 0}, {0, 1}}, {{1, 0}}}}), "F1.1 is missing");
  EXPECT_EQ(error({2, {{{0, 0}, {0, 0}}, {{1, 0}, {1, 1}}}}),
            "device 0: F0.0 comes twice");
  EXPECT_EQ(error({1, {{{1, 0}}, {{0, 0}}}}),
            "device 0: F1.0 belongs to device 1");
  EXPECT_EQ(
      error({1, {{{0, 1}}, {{1, 0}}}}),
      "device 0: F0.1 is out of range: there are 2 stages and 1 microbatches");
}

TEST(Schedule, FindsDeadlock) {
  // Stages 0 and 2 on device 0, 1 and 3 on device 1; each waits for the other.
  Schedule schedule{1, {{{2, 0}, {0, 0}}, {{1, 0}}}};
  EXPECT_EQ(
      schedule.verify({0, 1, 0}, {{0, 1}, {1, 2}}),
      "the devices wait for each other: device 0 at F2.0, device 1 at F1.0");
}

TEST(Plan, RoundTrip) {
  Graph graph = makeChain({1, 1, 1}, 4);
  Plan plan;
  plan.graph = "chain";
  plan.partition = {2, {{0}, {1, 2}}, {0, 1}};
  plan.microbatches = 2;
  plan.schedule = Schedule{2, {{{0, 0}, {0, 1}}, {{1, 0}, {1, 1}}}};
  std::string text = writePlan(plan);
  Plan again;
  ASSERT_EQ(readPlan(text, graph, again), std::nullopt);
  EXPECT_EQ(writePlan(again), text);
  EXPECT_EQ(again.schedule->order, plan.schedule->order);
}

TEST(Plan, ReadsNamesAndLongInstructions) {
  Graph graph = makeChain({1, 1}, 4);
  Plan plan;
  ASSERT_EQ(
      readPlan(R"({"format": "pipe-plan/1", "devices": 2, "microbatches": 1,
      "stages": [["n1"], ["n0"]], "stage_device": [1, 0],
      "order": [[{"kind": "F", "stage": 1, "microbatch": 0}], ["F0.0"]]})",
               graph, plan),
      std::nullopt);
  // Stages come back in topological order, and the schedule follows.
  EXPECT_EQ(plan.partition.stages,
            (std::vector<std::vector<unsigned>>{{0}, {1}}));
  EXPECT_EQ(plan.partition.stageDevice, (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(plan.schedule->order[1].front(), (Instruction{1, 0}));
}

TEST(Plan, RejectsBadFiles) {
  Graph graph = makeChain({1, 1}, 4);
  graph.nodes[1].name = "n0";
  Plan plan;
  auto error = [&](const std::string &rest) {
    return readPlan(R"({"format": "pipe-plan/1", "devices": 1, )" + rest + "}",
                    graph, plan)
        .value_or("accepted");
  };
  EXPECT_EQ(
      error(R"("stages": [["n0"]], "stage_device": [0])"),
      "stage 0 holds a node \"n0\", but the model has 2 nodes of this name: "
      "give its position");
  EXPECT_EQ(error(R"("stages": [["n7"]], "stage_device": [0])"),
            "stage 0 holds a node \"n7\", which the model lacks");
  EXPECT_EQ(error(R"("stages": [[0, 1]])"),
            "plan: member \"stage_device\" is missing");
  EXPECT_EQ(
      error(R"("stages": [[0, 1]], "stage_device": [0], "microbatches": 0)"),
      "plan: \"microbatches\" must be at least 1");
  EXPECT_EQ(
      error(R"("stages": [[0, 1]], "stage_device": [0], "order": [["X"]])"),
      "order of device 0: \"X\" is not of the form "
      "<F|B|W><stage>.<microbatch>");
  EXPECT_EQ(
      error(R"("stages": [[0, 1]], "stage_device": [0], "order": [[], []])"),
      "\"order\" has 2 lists for 1 devices");
}

TEST(Plan, ReadsTrainingSteps) {
  Graph graph;
  ASSERT_EQ(readGraph(readInput("uniform32.json"), graph), std::nullopt);
  std::string text = readInput("uniform32-1f1b-plan.json");
  Plan plan;
  ASSERT_EQ(readPlan(text, graph, plan), std::nullopt);
  EXPECT_EQ(plan.schedule->order[0].back(),
            (Instruction{0, 7, Phase::Backward}));
  // Modules run forward only.
  Schedule schedule;
  Error error = readSchedule(text, {0, 1, 2, 3}, {}, 8, schedule);
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("is not a forward run"), std::string::npos) << *error;
}

TEST(Plan, ReadsOnlyTheOrder) {
  Schedule schedule;
  auto read = [&](const std::string &rest, unsigned microbatches) {
    return readSchedule(R"({"format": "pipe-plan/1", "microbatches": 2, )" +
                            rest + "}",
                        {0, 1}, {{0, 1}}, microbatches, schedule)
        .value_or("read");
  };
  const char *good = R"("order": [["F0.0", "F0.1"], ["F1.1", "F1.0"]])";
  EXPECT_EQ(read(good, 2), "read");
  EXPECT_EQ(schedule.order[1].front(), (Instruction{1, 1}));
  EXPECT_EQ(read(good, 3),
            "the plan is for 2 microbatches, but the module has 3");
  EXPECT_EQ(read(R"("stages": [])", 2), "plan: member \"order\" is missing");
  EXPECT_EQ(read(R"("order": [["F0.0"], ["F1.1", "F1.0"]])", 2),
            "F0.1 is missing");
  EXPECT_EQ(read(R"("order": [["F0.0", "F99999999999.1"], []])", 2),
            "order of device 0: \"F99999999999.1\" is not of the form "
            "<F|B|W><stage>.<microbatch>");
}
