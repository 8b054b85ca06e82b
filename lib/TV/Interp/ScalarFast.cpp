//===- ScalarFast.cpp - Fast execution of common scalar operations --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarFast.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {
/// Patterns of a host format; every NaN is written as the canonical one.
template <typename T, typename Bits, Bits quietNaN> struct Host {
  static T read(uint64_t word) {
    Bits bits = static_cast<Bits>(word);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  static uint64_t write(T value) {
    if (std::isnan(value))
      return quietNaN;
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
};
using Single = Host<float, uint32_t, 0x7fc00000u>;
using Double = Host<double, uint64_t, 0x7ff8000000000000ull>;
} // namespace

template <typename H>
static uint64_t addF(const uint64_t *a, unsigned, unsigned) {
  return H::write(H::read(a[0]) + H::read(a[1]));
}
template <typename H>
static uint64_t subF(const uint64_t *a, unsigned, unsigned) {
  return H::write(H::read(a[0]) - H::read(a[1]));
}
template <typename H>
static uint64_t mulF(const uint64_t *a, unsigned, unsigned) {
  return H::write(H::read(a[0]) * H::read(a[1]));
}
template <typename H>
static uint64_t divF(const uint64_t *a, unsigned, unsigned) {
  return H::write(H::read(a[0]) / H::read(a[1]));
}
template <typename H>
static uint64_t maximumF(const uint64_t *a, unsigned, unsigned) {
  auto x = H::read(a[0]), y = H::read(a[1]);
  if (std::isnan(x) || std::isnan(y))
    return H::write(x + y);
  if (x == y)
    return std::signbit(x) ? a[1] : a[0];
  return x > y ? a[0] : a[1];
}
template <typename H>
static uint64_t minimumF(const uint64_t *a, unsigned, unsigned) {
  auto x = H::read(a[0]), y = H::read(a[1]);
  if (std::isnan(x) || std::isnan(y))
    return H::write(x + y);
  if (x == y)
    return std::signbit(x) ? a[0] : a[1];
  return x < y ? a[0] : a[1];
}
template <typename H>
static uint64_t cmpF(const uint64_t *a, unsigned, unsigned predicate) {
  auto x = H::read(a[0]), y = H::read(a[1]);
  bool unordered = std::isnan(x) || std::isnan(y);
  // Which predicates hold for operands in that order; all from 8 on hold for
  // unordered ones.
  static constexpr bool equal[] = {0, 1, 0, 1, 0, 1, 0, 1,
                                   1, 0, 1, 0, 1, 0, 0, 1};
  static constexpr bool greater[] = {0, 0, 1, 1, 0, 0, 1, 1,
                                     0, 1, 1, 0, 0, 1, 0, 1};
  static constexpr bool less[] = {0, 0, 0, 0, 1, 1, 1, 1,
                                  0, 0, 0, 1, 1, 1, 0, 1};
  if (unordered)
    return predicate >= 8;
  return x == y  ? equal[predicate]
         : x > y ? greater[predicate]
                 : less[predicate];
}
static uint64_t extF(const uint64_t *a, unsigned, unsigned) {
  return Double::write(Single::read(a[0]));
}
static uint64_t truncF(const uint64_t *a, unsigned, unsigned) {
  return Single::write(static_cast<float>(Double::read(a[0])));
}

static uint64_t addI(const uint64_t *a, unsigned width, unsigned) {
  return (a[0] + a[1]) & maskTrailingOnes<uint64_t>(width);
}
static uint64_t subI(const uint64_t *a, unsigned width, unsigned) {
  return (a[0] - a[1]) & maskTrailingOnes<uint64_t>(width);
}
static uint64_t mulI(const uint64_t *a, unsigned width, unsigned) {
  return (a[0] * a[1]) & maskTrailingOnes<uint64_t>(width);
}
static uint64_t andI(const uint64_t *a, unsigned, unsigned) {
  return a[0] & a[1];
}
static uint64_t orI(const uint64_t *a, unsigned, unsigned) {
  return a[0] | a[1];
}
static uint64_t xorI(const uint64_t *a, unsigned, unsigned) {
  return a[0] ^ a[1];
}
static uint64_t select(const uint64_t *a, unsigned, unsigned) {
  return a[0] ? a[1] : a[2];
}
static uint64_t cmpI(const uint64_t *a, unsigned width, unsigned predicate) {
  int64_t x = SignExtend64(a[0], width), y = SignExtend64(a[1], width);
  switch (predicate) {
  case 0:
    return a[0] == a[1];
  case 1:
    return a[0] != a[1];
  case 2:
    return x < y;
  case 3:
    return x <= y;
  case 4:
    return x > y;
  case 5:
    return x >= y;
  case 6:
    return a[0] < a[1];
  case 7:
    return a[0] <= a[1];
  case 8:
    return a[0] > a[1];
  default:
    return a[0] >= a[1];
  }
}

template <typename H> static FastFunction lookupFloat(ScalarOp op) {
  switch (op) {
  case ScalarOp::AddF:
    return addF<H>;
  case ScalarOp::SubF:
    return subF<H>;
  case ScalarOp::MulF:
    return mulF<H>;
  case ScalarOp::DivF:
    return divF<H>;
  case ScalarOp::MaximumF:
    return maximumF<H>;
  case ScalarOp::MinimumF:
    return minimumF<H>;
  case ScalarOp::CmpF:
    return cmpF<H>;
  default:
    return nullptr;
  }
}

static FastFunction lookupInteger(ScalarOp op) {
  switch (op) {
  case ScalarOp::AddI:
    return addI;
  case ScalarOp::SubI:
    return subI;
  case ScalarOp::MulI:
    return mulI;
  case ScalarOp::AndI:
    return andI;
  case ScalarOp::OrI:
    return orI;
  case ScalarOp::XOrI:
    return xorI;
  case ScalarOp::CmpI:
    return cmpI;
  default:
    return nullptr;
  }
}

FastFunction interp::lookupFast(const ScalarMapping &mapping,
                                ScalarType resultType,
                                ArrayRef<ScalarType> operandTypes) {
  const ScalarAttrs &attrs = mapping.attrs;
  if (attrs.fastMath || attrs.intFlags || attrs.rounding ||
      resultType.width() > 64)
    return nullptr;
  for (ScalarType type : operandTypes)
    if (type.width() > 64)
      return nullptr;
  if (mapping.op == ScalarOp::Select)
    return select;
  ScalarType type = operandTypes[0];
  if (!type.isFloat())
    return lookupInteger(mapping.op);
  bool single = type.semantics() == APFloatBase::S_IEEEsingle;
  bool twice = type.semantics() == APFloatBase::S_IEEEdouble;
  if (mapping.op == ScalarOp::ExtF)
    return single && resultType.width() == 64 ? extF : nullptr;
  if (mapping.op == ScalarOp::TruncF)
    return twice && resultType.isFloat() &&
                   resultType.semantics() == APFloatBase::S_IEEEsingle
               ? truncF
               : nullptr;
  if (single)
    return lookupFloat<Single>(mapping.op);
  return twice ? lookupFloat<Double>(mapping.op) : nullptr;
}

bool interp::canBeUndefined(ScalarOp op) {
  switch (op) {
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
  case ScalarOp::CeilDivSI:
  case ScalarOp::CeilDivUI:
  case ScalarOp::FloorDivSI:
  case ScalarOp::RemSI:
  case ScalarOp::RemUI:
  case ScalarOp::IPowI:
    return true;
  default:
    return false;
  }
}
