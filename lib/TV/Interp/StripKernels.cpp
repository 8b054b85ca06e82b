//===- StripKernels.cpp - Float operations on strips ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops that the compiler turns into vector code. Compiled without contraction
/// and always optimised (CMakeLists.txt): each lane is rounded like a scalar.
///
//===----------------------------------------------------------------------===//

#include "Strips.h"

#include <cmath>
#include <cstring>

using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {
template <typename T> struct Format;
template <> struct Format<float> {
  using Bits = uint32_t;
  static constexpr Bits quietNaN = 0x7fc00000u;
};
template <> struct Format<double> {
  using Bits = uint64_t;
  static constexpr Bits quietNaN = 0x7ff8000000000000ull;
};

struct Add {
  template <typename T> T operator()(T x, T y) const { return x + y; }
};
struct Sub {
  template <typename T> T operator()(T x, T y) const { return x - y; }
};
struct Mul {
  template <typename T> T operator()(T x, T y) const { return x * y; }
};
struct Div {
  template <typename T> T operator()(T x, T y) const { return x / y; }
};
} // namespace

/// Every NaN is the canonical one.
template <typename T, typename Operation>
static void binary(char *target, const char *const *operands, unsigned count) {
  using Bits = typename Format<T>::Bits;
  const char *a = operands[0], *b = operands[1];
  for (unsigned i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, a + sizeof(T) * i, sizeof(T));
    std::memcpy(&y, b + sizeof(T) * i, sizeof(T));
    T r = Operation()(x, y);
    Bits bits;
    std::memcpy(&bits, &r, sizeof(T));
    bits = r != r ? Format<T>::quietNaN : bits;
    std::memcpy(target + sizeof(T) * i, &bits, sizeof(T));
  }
}

/// maximumf and minimumf: NaN wins, +0.0 is more than -0.0.
template <typename T, bool isMaximum>
static void extremum(char *target, const char *const *operands,
                     unsigned count) {
  using Bits = typename Format<T>::Bits;
  const char *a = operands[0], *b = operands[1];
  for (unsigned i = 0; i < count; ++i) {
    T x, y;
    Bits p, q;
    std::memcpy(&x, a + sizeof(T) * i, sizeof(T));
    std::memcpy(&y, b + sizeof(T) * i, sizeof(T));
    std::memcpy(&p, &x, sizeof(T));
    std::memcpy(&q, &y, sizeof(T));
    // Equal numbers differ in the sign of zero at most.
    Bits same = isMaximum ? p & q : p | q;
    Bits r = (isMaximum ? x > y : x < y) ? p : q;
    r = x == y ? same : r;
    r = x != x || y != y ? Format<T>::quietNaN : r;
    std::memcpy(target + sizeof(T) * i, &r, sizeof(T));
  }
}

template <typename T> static StripKernel lookup(ScalarOp op) {
  switch (op) {
  case ScalarOp::AddF:
    return binary<T, Add>;
  case ScalarOp::SubF:
    return binary<T, Sub>;
  case ScalarOp::MulF:
    return binary<T, Mul>;
  case ScalarOp::DivF:
    return binary<T, Div>;
  case ScalarOp::MaximumF:
    return extremum<T, true>;
  case ScalarOp::MinimumF:
    return extremum<T, false>;
  default:
    return nullptr;
  }
}

StripKernel interp::lookupStripKernel(const ScalarMapping &mapping,
                                      ScalarType type) {
  if (!type.isFloat())
    return nullptr;
  if (type.semantics() == llvm::APFloat::S_IEEEsingle)
    return lookup<float>(mapping.op);
  if (type.semantics() == llvm::APFloat::S_IEEEdouble)
    return lookup<double>(mapping.op);
  return nullptr;
}
