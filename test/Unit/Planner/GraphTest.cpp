//===- GraphTest.cpp - Cost graphs and their file format ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"

#include <gtest/gtest.h>

using namespace panpipe::planner;

TEST(Graph, RoundTrip) {
  Graph graph;
  ASSERT_EQ(readGraph(readInput("unet32.json"), graph), std::nullopt);
  EXPECT_EQ(graph.nodes.size(), 32u);
  EXPECT_EQ(graph.paramFactor, 4);
  EXPECT_GT(graph.nodes[1].backwardInput, 0);
  std::string text = writeGraph(graph);
  Graph again;
  ASSERT_EQ(readGraph(text, again), std::nullopt);
  EXPECT_EQ(writeGraph(again), text);
  EXPECT_EQ(again.edges.size(), graph.edges.size());
}

TEST(Graph, RoundTripOfSharedParams) {
  Graph graph = makeRandom(3, 6);
  Graph again;
  ASSERT_EQ(readGraph(writeGraph(graph), again), std::nullopt);
  EXPECT_EQ(writeGraph(again), writeGraph(graph));
  EXPECT_TRUE(again.nodes.back().isOutput);
}

TEST(Graph, RejectsBadFiles) {
  Graph graph;
  auto error = [&](const char *text) {
    return readGraph(text, graph).value_or("accepted");
  };
  EXPECT_NE(error("{").find("not JSON"), std::string::npos);
  EXPECT_EQ(error("[]"), "expected a JSON object of format pipe-graph/1");
  EXPECT_EQ(error(R"({"format": "pipe-plan/1"})"),
            "expected format pipe-graph/1, found pipe-plan/1");
  EXPECT_EQ(error(R"({"format": "pipe-graph/1", "nodes": 3, "edges": []})"),
            "graph: member \"nodes\" must be a list");
  EXPECT_EQ(
      error(
          R"({"format": "pipe-graph/1", "nodes": [{"name": "a", "fwd": "x"}], "edges": []})"),
      "node 0: member \"fwd\" must be a number");
  EXPECT_EQ(
      error(
          R"({"format": "pipe-graph/1", "nodes": [{"name": "a", "fwd": 1, "out_bytes": -1}], "edges": []})"),
      "node 0: member \"out_bytes\" must be a whole number, not negative");
  EXPECT_EQ(
      error(
          R"({"format": "pipe-graph/1", "nodes": [{"name": "a", "fwd": 1}], "edges": [{"src": 0, "dst": 0, "bytes": 1}]})"),
      "edge 0 goes from node 0 to node 0: edges go forward, between nodes "
      "of the graph");
  EXPECT_EQ(error(R"({"format": "pipe-graph/1", "nodes": [], "edges": []})"),
            "the graph has no nodes");
}

TEST(Graph, NeutralReadersCountTiedWeightsOnce) {
  Graph graph = makeChain({1, 1}, 0);
  graph.params = {{"tied", 100}};
  graph.nodes[0].params = graph.nodes[1].params = {0};
  graph.nodes[1].paramBytes = 7;
  std::string text = writeGraph(graph);
  EXPECT_NE(text.find("\"param_bytes\": 100,"), std::string::npos);
  EXPECT_NE(text.find("\"param_bytes\": 7,"), std::string::npos);
  Graph again;
  ASSERT_EQ(readGraph(text, again), std::nullopt);
  EXPECT_EQ(again.nodes[0].paramBytes, 0u);
  text.replace(text.find("\"param_bytes\": 100"), 18, "\"param_bytes\": 99");
  EXPECT_EQ(
      readGraph(text, again),
      "node n0: \"param_bytes\" is 99, less than the parameters it is the "
      "first to use (100)");
}

TEST(Graph, DepthFirstKeepsBranchesTogether) {
  // Two chains of two nodes, interleaved in program order, joined at the end.
  Graph graph = makeChain({1, 1, 1, 1, 1}, 8);
  graph.edges = {{0, 2, 8}, {1, 3, 8}, {2, 4, 8}, {3, 4, 8}};
  EXPECT_EQ(depthFirstOrder(graph), (std::vector<unsigned>{0, 2, 1, 3, 4}));
}

TEST(Graph, DepthFirstIsTopological) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Graph graph = makeRandom(seed, 12);
    std::vector<unsigned> order = depthFirstOrder(graph), position(12);
    ASSERT_EQ(order.size(), 12u);
    for (unsigned i = 0; i < order.size(); ++i)
      position[order[i]] = i;
    for (const Edge &edge : graph.edges)
      EXPECT_LT(position[edge.source], position[edge.target]);
  }
}
