//===- ScalarInputs.h - Inputs worth executing ------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Concrete scalar inputs on which wrong rewrites show: special values, numbers
/// near overflow and underflow, cancellations, ties of narrower formats, NaN
/// payloads, integers against floats. Families F1–F7 of docs/TV/Floats.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_SMT_SCALARINPUTS_H
#define PANPIPE_TV_SMT_SCALARINPUTS_H

#include "panpipe/TV/SMT/FloatCircuits.h"
#include "panpipe/TV/Term/Scalar.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace panpipe::tv::smt {

/// splitmix64: the same numbers everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// 0 … bound - 1.
  uint64_t below(uint64_t bound) { return bound ? next() % bound : 0; }
  /// low … high.
  int between(int low, int high) {
    return low + int(below(uint64_t(high - low) + 1));
  }

private:
  uint64_t state;
};

/// Patterns of F1: zeros, infinities, NaN, limits, small numbers.
std::vector<uint64_t> specialPatterns(const FloatFormat &format);

/// ±m·2^j rounded to nearest; m below 2^63.
uint64_t roundedPattern(const FloatFormat &format, bool negative, uint64_t m,
                        int j);

/// About `count` input vectors, one value per type, in the order the families
/// are worth trying. `narrower`: other float formats that occur (F5); `others`:
/// integer widths that occur (F7).
std::vector<std::vector<llvm::APInt>>
scalarInputs(llvm::ArrayRef<ScalarType> types,
             llvm::ArrayRef<FloatFormat> narrower,
             llvm::ArrayRef<unsigned> integerWidths, unsigned count = 500,
             uint64_t seed = 1);

} // namespace panpipe::tv::smt

#endif // PANPIPE_TV_SMT_SCALARINPUTS_H
