//===- Graph.cpp - Cost graph of a model ----------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/Graph.h"

using namespace panpipe::planner;

Error Graph::verify() const {
  if (nodes.empty())
    return "the graph has no nodes";
  for (size_t index = 0; index < nodes.size(); ++index) {
    const Node &node = nodes[index];
    std::string where =
        "node " + std::to_string(index) + " (" + node.name + ")";
    if (!(node.forward >= 0) || !(node.backwardInput >= 0) ||
        !(node.backwardWeight >= 0))
      return where + " has a negative time";
    for (unsigned param : node.params)
      if (param >= params.size())
        return where + " uses parameter " + std::to_string(param) +
               ", but there are " + std::to_string(params.size());
  }
  for (size_t index = 0; index < edges.size(); ++index) {
    const Edge &edge = edges[index];
    if (edge.target >= nodes.size() || edge.source >= edge.target)
      return "edge " + std::to_string(index) + " goes from node " +
             std::to_string(edge.source) + " to node " +
             std::to_string(edge.target) +
             ": edges go forward, between nodes of the graph";
  }
  return std::nullopt;
}

bool Graph::isTraining() const {
  for (const Node &node : nodes)
    if (node.backwardInput > 0 || node.backwardWeight > 0)
      return true;
  return false;
}

double Graph::totalForward() const {
  double total = 0;
  for (const Node &node : nodes)
    total += node.forward;
  return total;
}

std::vector<unsigned> panpipe::planner::depthFirstOrder(const Graph &graph) {
  size_t count = graph.nodes.size();
  std::vector<std::vector<unsigned>> operands(count);
  std::vector<bool> hasUser(count, false), isPlaced(count, false);
  for (const Edge &edge : graph.edges) {
    operands[edge.target].push_back(edge.source);
    hasUser[edge.source] = true;
  }
  // Post-order over operands from every node without users. Operands are
  // smaller than their users, so an explicit stack of (node, next operand)
  // ends.
  std::vector<unsigned> order;
  order.reserve(count);
  std::vector<std::pair<unsigned, size_t>> stack;
  for (unsigned root = 0; root < count; ++root) {
    if (hasUser[root] || isPlaced[root])
      continue;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto &[node, next] = stack.back();
      if (isPlaced[node]) {
        stack.pop_back();
      } else if (next < operands[node].size()) {
        unsigned operand = operands[node][next++];
        if (!isPlaced[operand])
          stack.emplace_back(operand, 0);
      } else {
        isPlaced[node] = true;
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
  return order;
}
