//===- TestGraphs.h - Graphs for the planner's tests ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TEST_UNIT_PLANNER_TESTGRAPHS_H
#define PANPIPE_TEST_UNIT_PLANNER_TESTGRAPHS_H

#include "panpipe/Planner/Graph.h"

#include <fstream>
#include <random>
#include <sstream>

namespace panpipe::planner {

inline std::string readInput(const std::string &name) {
  std::ifstream file(std::string(PANPIPE_TEST_INPUTS) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A chain with the given times; every value has `bytes` bytes.
inline Graph makeChain(const std::vector<double> &times, uint64_t bytes) {
  Graph graph;
  graph.name = "chain";
  for (double time : times) {
    Node node;
    node.name = "n" + std::to_string(graph.nodes.size());
    node.forward = time;
    node.outBytes = bytes;
    graph.nodes.push_back(node);
  }
  for (unsigned i = 1; i < graph.nodes.size(); ++i)
    graph.edges.push_back({i - 1, i, bytes});
  return graph;
}

/// A random graph: whole-number times and bytes, so that sums are exact.
inline Graph makeRandom(unsigned seed, unsigned count) {
  std::mt19937 random(seed);
  auto pick = [&](unsigned limit) { return random() % limit; };
  Graph graph;
  graph.name = "random" + std::to_string(seed);
  graph.link = {1, 2};
  for (unsigned i = 0; i < 3; ++i)
    graph.params.push_back({"p" + std::to_string(i), 10 * (1 + pick(5))});
  for (unsigned i = 0; i < count; ++i) {
    Node node;
    node.name = "n" + std::to_string(i);
    node.forward = 1 + pick(20);
    node.outBytes = 2 * (1 + pick(10));
    node.paramBytes = pick(3) == 0 ? pick(30) : 0;
    if (pick(2) == 0)
      node.params.push_back(pick(3));
    node.isOutput = i + 1 == count;
    graph.nodes.push_back(node);
    for (unsigned k = 0; i > 0 && k <= pick(3); ++k) {
      unsigned source = pick(4) == 0 ? pick(i) : i - 1;
      graph.edges.push_back({source, i, graph.nodes[source].outBytes});
    }
  }
  return graph;
}

} // namespace panpipe::planner

#endif // PANPIPE_TEST_UNIT_PLANNER_TESTGRAPHS_H
