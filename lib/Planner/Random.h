//===- Random.h - Reproducible pseudo-random numbers ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pseudo-random numbers that are the same everywhere: plans must not depend on
/// the standard library's generators and distributions.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_PLANNER_RANDOM_H
#define PANPIPE_LIB_PLANNER_RANDOM_H

#include <cstdint>

namespace panpipe::planner {

/// SplitMix64.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// Below `limit`, which must not be 0.
  unsigned below(unsigned limit) {
    return static_cast<unsigned>((next() >> 32) * limit >> 32);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Around 0, mostly within one: three uniform draws.
  double bell() { return unit() + unit() + unit() - 1.5; }

private:
  uint64_t state;
};

} // namespace panpipe::planner

#endif // PANPIPE_LIB_PLANNER_RANDOM_H
