//===- ScalarFastTest.cpp - The fast scalar operations against the slow ---===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../../lib/TV/Interp/ScalarFast.h"

#include "gtest/gtest.h"

#include <random>

using namespace llvm;
using namespace panpipe::tv;

namespace {

/// Patterns where floats and integers have their corners.
uint64_t pattern(std::mt19937_64 &random, unsigned width) {
  static const uint64_t corners32[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
      0x7fc00000, 0x7f800001, 1,          0x80000001, 0x7f7fffff, 0xffffffff};
  static const uint64_t corners64[] = {0,
                                       1ull << 63,
                                       0x3ff0000000000000,
                                       0xbff0000000000000,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff8000000000000,
                                       0x7ff0000000000001,
                                       1,
                                       0x7fefffffffffffff,
                                       ~0ull,
                                       0x36a0000000000000};
  uint64_t bits = random() % 3
                      ? random()
                      : (width == 64 ? corners64 : corners32)[random() % 12];
  return width == 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}

void compare(ScalarOp op, ScalarType type, ScalarType result,
             uint8_t predicate = 0) {
  std::mt19937_64 random(unsigned(op) * 64 + predicate);
  ScalarMapping mapping{op, {}};
  mapping.attrs.predicate = predicate;
  SmallVector<ScalarType> types(scalarOpArity(op), type);
  interp::FastFunction fast = interp::lookupFast(mapping, result, types);
  ASSERT_TRUE(fast) << scalarOpName(op).str();
  for (int i = 0; i < 4000; ++i) {
    uint64_t words[3];
    SmallVector<ScalarValue> values;
    for (unsigned k = 0; k < types.size(); ++k) {
      words[k] = pattern(random, type.width());
      values.push_back({APInt(type.width(), words[k]), false});
    }
    ScalarResult slow = evalScalar(op, mapping.attrs, result, types, values);
    ASSERT_EQ(slow.value.bits.getZExtValue(),
              fast(words, type.width(), predicate))
        << scalarOpName(op).str() << " " << std::hex << words[0] << " "
        << words[1] << " predicate " << unsigned(predicate);
  }
}

TEST(ScalarFast, Floats) {
  for (auto semantics :
       {APFloatBase::S_IEEEsingle, APFloatBase::S_IEEEdouble}) {
    ScalarType type = ScalarType::floating(semantics);
    for (ScalarOp op : {ScalarOp::AddF, ScalarOp::SubF, ScalarOp::MulF,
                        ScalarOp::DivF, ScalarOp::MaximumF, ScalarOp::MinimumF})
      compare(op, type, type);
    for (uint8_t predicate = 0; predicate < 16; ++predicate)
      compare(ScalarOp::CmpF, type, ScalarType::boolean(), predicate);
  }
  ScalarType f32 = ScalarType::floating(APFloatBase::S_IEEEsingle);
  ScalarType f64 = ScalarType::floating(APFloatBase::S_IEEEdouble);
  compare(ScalarOp::ExtF, f32, f64);
  compare(ScalarOp::TruncF, f64, f32);
}

TEST(ScalarFast, Integers) {
  for (unsigned width : {1u, 8u, 32u, 33u, 64u}) {
    ScalarType type = ScalarType::integer(width);
    for (ScalarOp op : {ScalarOp::AddI, ScalarOp::SubI, ScalarOp::MulI,
                        ScalarOp::AndI, ScalarOp::OrI, ScalarOp::XOrI})
      compare(op, type, type);
    for (uint8_t predicate = 0; predicate < 10; ++predicate)
      compare(ScalarOp::CmpI, type, ScalarType::boolean(), predicate);
  }
}

TEST(ScalarFast, NothingFastWhereFlagsMatter) {
  ScalarType f32 = ScalarType::floating(APFloatBase::S_IEEEsingle);
  ScalarMapping mapping{ScalarOp::AddF, {}};
  mapping.attrs.fastMath = FMF_nnan;
  EXPECT_FALSE(interp::lookupFast(mapping, f32, {f32, f32}));
  EXPECT_FALSE(interp::lookupFast({ScalarOp::MaxNumF, {}}, f32, {f32, f32}));
  EXPECT_FALSE(
      interp::lookupFast({ScalarOp::DivSI, {}}, ScalarType::integer(8),
                         {ScalarType::integer(8), ScalarType::integer(8)}));
}

} // namespace
