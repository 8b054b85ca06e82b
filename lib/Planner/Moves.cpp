//===- Moves.cpp - Moves of the joint search ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"

#include <algorithm>

using namespace panpipe::planner;

Mover::Mover(const Graph &graph, const Cluster &cluster, bool allowsRecompute,
             Random &random)
    : devices(cluster.devices.size()), allowsRecompute(allowsRecompute),
      isChain(true), operands(graph.nodes.size()), users(graph.nodes.size()),
      position(graph.nodes.size(), 0), random(random) {
  std::vector<char> hasNext(graph.nodes.size(), 0);
  for (const Edge &edge : graph.edges) {
    operands[edge.target].push_back(edge.source);
    users[edge.source].push_back(edge.target);
    if (edge.target == edge.source + 1)
      hasNext[edge.source] = 1;
  }
  // Then there is one linear order only.
  for (size_t i = 0; i + 1 < hasNext.size(); ++i)
    isChain &= hasNext[i] != 0;
}

/// Mostly 1, now and then up to `limit`.
unsigned Mover::step(unsigned limit) {
  if (limit <= 1 || random.below(2) == 0)
    return 1;
  unsigned scale = std::max(1u, limit >> random.below(8));
  return 1 + random.below(scale);
}

bool Mover::moveBoundary(Candidate &c) {
  if (c.stages() < 2)
    return false;
  unsigned stage = 1 + random.below(c.stages() - 1);
  unsigned low = c.first[stage - 1] + 1, high = c.end(stage) - 1;
  unsigned here = c.first[stage];
  if (random.below(2) == 0) {
    if (here <= low)
      return false;
    c.first[stage] = here - step(here - low);
  } else {
    if (here >= high)
      return false;
    c.first[stage] = here + step(high - here);
  }
  return true;
}

/// Both ends of a stage at once.
bool Mover::moveStage(Candidate &c) {
  if (c.stages() < 3)
    return false;
  unsigned stage = 1 + random.below(c.stages() - 2);
  bool down = random.below(2) == 0;
  unsigned room = down ? c.first[stage] - c.first[stage - 1] - 1
                       : c.end(stage + 1) - c.first[stage + 1] - 1;
  if (room == 0)
    return false;
  unsigned by = step(room);
  for (unsigned end : {stage, stage + 1})
    c.first[end] = down ? c.first[end] - by : c.first[end] + by;
  return true;
}

bool Mover::changeDevice(Candidate &c) {
  if (devices < 2)
    return false;
  unsigned stage = random.below(c.stages());
  unsigned device = random.below(devices - 1);
  c.device[stage] = device < c.device[stage] ? device : device + 1;
  return true;
}

bool Mover::swapDevices(Candidate &c) {
  unsigned one = random.below(c.stages());
  unsigned other = random.below(2) == 0 ? random.below(c.stages())
                                        : std::min(one + 1, c.stages() - 1);
  std::swap(c.device[one], c.device[other]);
  return c.device[one] != c.device[other];
}

/// Cuts `stage` in two before position `at`.
void Mover::cut(Candidate &c, unsigned stage, unsigned at) {
  c.first.insert(c.first.begin() + stage + 1, at);
  c.device.insert(c.device.begin() + stage + 1, c.device[stage]);
  c.recompute.insert(c.recompute.begin() + stage + 1, c.recompute[stage]);
  for (auto &shift : c.shift)
    shift.insert(shift.begin() + stage + 1, shift[stage]);
}

/// Makes the node at `at` a stage of its own, and returns that.
unsigned Mover::isolate(Candidate &c, unsigned at) {
  unsigned stage = std::upper_bound(c.first.begin(), c.first.end(), at) -
                   c.first.begin() - 1;
  if (c.first[stage] < at)
    cut(c, stage++, at);
  if (at + 1 < c.end(stage))
    cut(c, stage, at + 1);
  return stage;
}

/// Neighbours on one device become one stage.
void Mover::joinNeighbours(Candidate &c) {
  for (unsigned stage = c.stages(); stage-- > 1;) {
    if (c.device[stage] != c.device[stage - 1])
      continue;
    c.first.erase(c.first.begin() + stage);
    c.device.erase(c.device.begin() + stage);
    c.recompute.erase(c.recompute.begin() + stage);
    for (auto &shift : c.shift)
      shift.erase(shift.begin() + stage);
  }
}

/// Cuts a stage in two and gives one part to any device.
bool Mover::split(Candidate &c) {
  unsigned stage = random.below(c.stages());
  unsigned size = c.end(stage) - c.first[stage];
  if (size < 2 || c.stages() >= 8 * devices)
    return false;
  cut(c, stage, c.first[stage] + 1 + random.below(size - 1));
  c.device[stage + random.below(2)] = random.below(devices);
  return true;
}

/// One node goes to another device.
bool Mover::giveNode(Candidate &c) {
  if (c.stages() >= 8 * devices || devices < 2)
    return false;
  unsigned stage = isolate(c, random.below(c.nodes.size()));
  unsigned device = random.below(devices - 1);
  c.device[stage] = device < c.device[stage] ? device : device + 1;
  joinNeighbours(c);
  return true;
}

/// Two nodes change places.
bool Mover::tradeNodes(Candidate &c) {
  if (c.stages() >= 8 * devices)
    return false;
  unsigned one = random.below(c.nodes.size());
  unsigned other = random.below(c.nodes.size());
  isolate(c, one);
  isolate(c, other);
  unsigned first = isolate(c, one), second = isolate(c, other);
  if (c.device[first] == c.device[second])
    return false;
  std::swap(c.device[first], c.device[second]);
  joinNeighbours(c);
  return true;
}

bool Mover::merge(Candidate &c) {
  if (c.stages() < 2)
    return false;
  unsigned stage = 1 + random.below(c.stages() - 1);
  unsigned gone = stage - random.below(2);
  c.first.erase(c.first.begin() + stage);
  c.device.erase(c.device.begin() + gone);
  c.recompute.erase(c.recompute.begin() + gone);
  for (auto &shift : c.shift)
    shift.erase(shift.begin() + gone);
  return true;
}

/// Another place in the linear order, between operands and users.
bool Mover::moveNode(Candidate &c) {
  if (isChain)
    return false;
  for (unsigned i = 0; i < c.nodes.size(); ++i)
    position[c.nodes[i]] = i;
  unsigned from = random.below(c.nodes.size()), node = c.nodes[from];
  unsigned low = 0, high = c.nodes.size() - 1;
  for (unsigned operand : operands[node])
    low = std::max(low, position[operand] + 1);
  for (unsigned user : users[node])
    high = std::min(high, position[user] - 1);
  if (low == high)
    return false;
  unsigned to = low + random.below(high - low);
  to += to >= from;
  auto begin = c.nodes.begin();
  if (to < from)
    std::rotate(begin + to, begin + from, begin + from + 1);
  else
    std::rotate(begin + from, begin + from + 1, begin + to + 1);
  return true;
}

bool Mover::toggleRecompute(Candidate &c) {
  if (!allowsRecompute)
    return false;
  char &flag = c.recompute[random.below(c.stages())];
  flag = !flag;
  return true;
}

bool Mover::changeKeys(Candidate &c) {
  switch (random.below(6)) {
  case 0:
    c.stride = std::max(0.0, c.stride + 0.1 * random.bell());
    return true;
  case 1:
    c.weightShift += 0.5 * random.bell();
    return true;
  case 2:
    c.backwardShift += 0.3 * random.bell();
    return true;
  default:
    c.shift[random.below(3)][random.below(c.stages())] += 0.3 * random.bell();
    return true;
  }
}

void Mover::change(Candidate &c) {
  for (;;) {
    unsigned kind = random.below(24);
    bool isDone = kind < 6    ? moveBoundary(c)
                  : kind < 8  ? moveStage(c)
                  : kind < 10 ? changeDevice(c)
                  : kind < 12 ? swapDevices(c)
                  : kind < 13 ? split(c)
                  : kind < 14 ? merge(c)
                  : kind < 16 ? giveNode(c)
                  : kind < 18 ? tradeNodes(c)
                  : kind < 20 ? moveNode(c)
                  : kind < 21 ? toggleRecompute(c)
                              : changeKeys(c);
    if (isDone)
      return;
  }
}
