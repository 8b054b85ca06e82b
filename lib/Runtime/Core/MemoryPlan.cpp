//===- MemoryPlan.cpp - Places of buffers in one arena --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/MemoryPlan.h"

#include <algorithm>
#include <numeric>

using namespace panpipe::rt;

static bool overlapInTime(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

MemoryPlan panpipe::rt::planMemory(const std::vector<Lifetime> &lifetimes) {
  MemoryPlan plan;
  plan.offsets.assign(lifetimes.size(), 0);
  std::vector<uint32_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (lifetimes[a].bytes != lifetimes[b].bytes)
      return lifetimes[a].bytes > lifetimes[b].bytes;
    return a < b;
  });
  auto rounded = [](uint64_t bytes) { return (bytes + 63) / 64 * 64; };

  std::vector<uint32_t> placed;
  for (uint32_t id : order) {
    // Buffers that live at the same time, by offset: the first gap wins.
    std::vector<uint32_t> rivals;
    for (uint32_t other : placed)
      if (overlapInTime(lifetimes[id], lifetimes[other]))
        rivals.push_back(other);
    std::sort(rivals.begin(), rivals.end(), [&](uint32_t a, uint32_t b) {
      return plan.offsets[a] < plan.offsets[b];
    });
    uint64_t offset = 0, size = rounded(lifetimes[id].bytes);
    for (uint32_t other : rivals) {
      if (offset + size <= plan.offsets[other])
        break;
      offset = std::max(offset,
                        plan.offsets[other] + rounded(lifetimes[other].bytes));
    }
    plan.offsets[id] = offset;
    plan.bytes = std::max(plan.bytes, offset + size);
    placed.push_back(id);
  }
  return plan;
}
