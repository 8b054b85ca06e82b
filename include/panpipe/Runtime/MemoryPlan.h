//===- MemoryPlan.h - Places of buffers in one arena ---------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_MEMORYPLAN_H
#define PANPIPE_RUNTIME_MEMORYPLAN_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace panpipe::rt {

/// A buffer that is needed from step `first` to step `last`, both included.
struct Lifetime {
  uint32_t first = 0, last = 0;
  uint64_t bytes = 0;
};

struct MemoryPlan {
  std::vector<uint64_t>
      offsets; // in the order of the lifetimes; 64-byte aligned
  uint64_t bytes = 0;
};

/// First fit, larger buffers first: two buffers with a common step never
/// overlap.
MemoryPlan planMemory(const std::vector<Lifetime> &lifetimes);

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_MEMORYPLAN_H
