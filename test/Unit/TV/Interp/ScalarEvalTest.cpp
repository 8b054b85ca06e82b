//===- ScalarEvalTest.cpp - Tests of the concrete scalar operations -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/Scalar.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace llvm;
using namespace panpipe::tv;

namespace {

const ScalarType f32 = ScalarType::floating(APFloatBase::S_IEEEsingle);
const ScalarType f64 = ScalarType::floating(APFloatBase::S_IEEEdouble);
const ScalarType f16 = ScalarType::floating(APFloatBase::S_IEEEhalf);
const ScalarType bf16 = ScalarType::floating(APFloatBase::S_BFloat);
const ScalarType i8 = ScalarType::integer(8);
const ScalarType i1 = ScalarType::boolean();

ScalarValue bits(ScalarType type, uint64_t pattern) {
  return {APInt(type.width(), pattern, false, true), false};
}
ScalarValue real(ScalarType type, double number) {
  APFloat value(number);
  bool lossy;
  value.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  return {value.bitcastToAPInt(), false};
}
ScalarValue poison(ScalarType type) {
  return ScalarValue::poisoned(type.width());
}

/// op on operands of one type, as text; undefined behaviour as "ub: …".
std::string run(ScalarOp op, ScalarType result, ScalarType operand,
                std::vector<ScalarValue> values, ScalarAttrs attrs = {}) {
  std::vector<ScalarType> types(values.size(), operand);
  ScalarResult r = evalScalar(op, attrs, result, types, values);
  return r.ub ? std::string("ub: ") + r.ub : toString(result, r.value);
}
std::string run8(ScalarOp op, int a, int b, uint8_t flags = 0,
                 uint8_t predicate = 0) {
  ScalarAttrs attrs;
  attrs.intFlags = flags;
  attrs.predicate = predicate;
  return run(op, op == ScalarOp::CmpI || op == ScalarOp::AddUICarry ? i1 : i8,
             i8, {bits(i8, a), bits(i8, b)}, attrs);
}

TEST(ScalarEval, IntegerArithmeticWrapsAndFlagsPoison) {
  EXPECT_EQ(run8(ScalarOp::AddI, 127, 1), "-128");
  EXPECT_EQ(run8(ScalarOp::AddI, 127, 1, IF_nsw), "poison");
  EXPECT_EQ(run8(ScalarOp::AddI, 127, 1, IF_nuw), "-128");
  EXPECT_EQ(run8(ScalarOp::SubI, 0, 1, IF_nuw), "poison");
  EXPECT_EQ(run8(ScalarOp::MulI, 16, 16), "0");
  EXPECT_EQ(run8(ScalarOp::MulI, 16, 16, IF_nuw), "poison");
  EXPECT_EQ(run8(ScalarOp::MulHighSI, -1, -1), "0");
  EXPECT_EQ(run8(ScalarOp::MulHighUI, -1, -1), "-2");
  EXPECT_EQ(run8(ScalarOp::AddUICarry, 255, 1), "true");
  EXPECT_EQ(run8(ScalarOp::AddUICarry, 254, 1), "false");
}

TEST(ScalarEval, IntegerDivision) {
  EXPECT_EQ(run8(ScalarOp::DivSI, -7, 2), "-3");
  EXPECT_EQ(run8(ScalarOp::FloorDivSI, -7, 2), "-4");
  EXPECT_EQ(run8(ScalarOp::CeilDivSI, 7, 2), "4");
  EXPECT_EQ(run8(ScalarOp::CeilDivSI, -7, 2), "-3");
  EXPECT_EQ(run8(ScalarOp::CeilDivUI, 255, 2), "-128");
  EXPECT_EQ(run8(ScalarOp::CeilDivUI, 0, 2), "0");
  EXPECT_EQ(run8(ScalarOp::RemSI, -7, 2), "-1");
  EXPECT_EQ(run8(ScalarOp::RemUI, 255, 16), "15");
  EXPECT_EQ(run8(ScalarOp::DivUI, 7, 2, IF_exact), "poison");
  EXPECT_EQ(run8(ScalarOp::DivSI, 1, 0), "ub: division by zero");
  EXPECT_NE(run8(ScalarOp::DivSI, -128, -1).find("ub:"), std::string::npos);
  EXPECT_NE(run8(ScalarOp::RemSI, -128, -1).find("ub:"), std::string::npos);
  EXPECT_EQ(run(ScalarOp::DivUI, i8, i8, {bits(i8, 1), poison(i8)}),
            "ub: division by poison");
  EXPECT_EQ(run(ScalarOp::DivUI, i8, i8, {poison(i8), bits(i8, 1)}), "poison");
}

TEST(ScalarEval, ShiftsAndBits) {
  EXPECT_EQ(run8(ScalarOp::ShLI, 1, 7), "-128");
  EXPECT_EQ(run8(ScalarOp::ShLI, 1, 8), "poison");
  EXPECT_EQ(run8(ScalarOp::ShLI, 1, 7, IF_nsw), "poison");
  EXPECT_EQ(run8(ScalarOp::ShRSI, -128, 7), "-1");
  EXPECT_EQ(run8(ScalarOp::ShRUI, -128, 7), "1");
  EXPECT_EQ(run8(ScalarOp::ShRUI, 3, 1, IF_exact), "poison");
  EXPECT_EQ(run(ScalarOp::CtLz, i8, i8, {bits(i8, 0)}), "8");
  EXPECT_EQ(run(ScalarOp::CtTz, i8, i8, {bits(i8, 8)}), "3");
  EXPECT_EQ(run(ScalarOp::CtPop, i8, i8, {bits(i8, 255)}), "8");
  EXPECT_EQ(run(ScalarOp::AbsI, i8, i8, {bits(i8, 128)}), "-128");
  EXPECT_EQ(run8(ScalarOp::IPowI, -2, 3), "-8");
  EXPECT_EQ(run8(ScalarOp::IPowI, -1, -3), "-1");
  EXPECT_EQ(run8(ScalarOp::IPowI, 2, -1), "0");
  EXPECT_NE(run8(ScalarOp::IPowI, 0, -1).find("ub:"), std::string::npos);
}

TEST(ScalarEval, ComparisonsReadSignsAsTheirPredicateSays) {
  EXPECT_EQ(run8(ScalarOp::CmpI, -1, 1, 0, 2), "true");  // slt
  EXPECT_EQ(run8(ScalarOp::CmpI, -1, 1, 0, 6), "false"); // ult
  EXPECT_EQ(run8(ScalarOp::MinSI, -1, 1), "-1");
  EXPECT_EQ(run8(ScalarOp::MinUI, -1, 1), "1");
  ScalarAttrs ult;
  ult.predicate = 11;
  EXPECT_EQ(run(ScalarOp::CmpF, i1, f32, {real(f32, NAN), real(f32, 1)}, ult),
            "true");
  ScalarAttrs olt;
  olt.predicate = 4;
  EXPECT_EQ(run(ScalarOp::CmpF, i1, f32, {real(f32, NAN), real(f32, 1)}, olt),
            "false");
}

TEST(ScalarEval, SelectIgnoresPoisonOfTheOtherArm) {
  ScalarType types[] = {i1, i8, i8};
  auto select = [&](ScalarValue c, ScalarValue a, ScalarValue b) {
    return toString(
        i8, evalScalar(ScalarOp::Select, {}, i8, types, {c, a, b}).value);
  };
  EXPECT_EQ(select(bits(i1, 1), bits(i8, 3), poison(i8)), "3");
  EXPECT_EQ(select(bits(i1, 0), bits(i8, 3), poison(i8)), "poison");
  EXPECT_EQ(select(poison(i1), bits(i8, 3), bits(i8, 3)), "poison");
}

TEST(ScalarEval, FloatSpecials) {
  auto f = [](ScalarOp op, double a, double b) {
    return run(op, f32, f32, {real(f32, a), real(f32, b)});
  };
  EXPECT_EQ(f(ScalarOp::AddF, -0.0, 0.0), "0.0");
  EXPECT_EQ(f(ScalarOp::AddF, INFINITY, -INFINITY), "nan");
  EXPECT_EQ(f(ScalarOp::MaximumF, NAN, 1), "nan");
  EXPECT_EQ(f(ScalarOp::MaxNumF, NAN, 1), "1.0");
  EXPECT_EQ(f(ScalarOp::MaximumF, -0.0, 0.0), "0.0");
  EXPECT_EQ(f(ScalarOp::MinimumF, 0.0, -0.0), "-0.0");
  EXPECT_EQ(f(ScalarOp::CopySign, 1, -0.0), "-1.0");
  EXPECT_EQ(f(ScalarOp::RemF, -5.5, 2), "-1.5");
  // A NaN with payload moves through negf, but not through arithmetic.
  EXPECT_EQ(run(ScalarOp::NegF, f32, f32, {bits(f32, 0x7f800001)}),
            "nan(0xFF800001)");
  EXPECT_EQ(
      run(ScalarOp::AddF, f32, f32, {bits(f32, 0xff800001), real(f32, 1)}),
      "nan");
  EXPECT_EQ(run(ScalarOp::Sqrt, f32, f32, {real(f32, -0.0)}), "-0.0");
  EXPECT_EQ(run(ScalarOp::Sqrt, f32, f32, {real(f32, -1)}), "nan");
}

TEST(ScalarEval, FastMathFlagsArePoison) {
  ScalarAttrs nnan, ninf;
  nnan.fastMath = FMF_nnan;
  ninf.fastMath = FMF_ninf;
  std::vector<ScalarValue> infs = {real(f32, INFINITY), real(f32, -INFINITY)};
  EXPECT_EQ(run(ScalarOp::AddF, f32, f32, infs, nnan), "poison");
  EXPECT_EQ(run(ScalarOp::AddF, f32, f32, infs, ninf), "poison");
  EXPECT_EQ(run(ScalarOp::MulF, f32, f32, infs, nnan), "-inf");
  EXPECT_EQ(run(ScalarOp::CmpF, i1, f32, {real(f32, NAN), real(f32, 1)}, nnan),
            "poison");
}

TEST(ScalarEval, Conversions) {
  ScalarType i64 = ScalarType::integer(64);
  EXPECT_EQ(run(ScalarOp::FPToSI, i8, f32, {real(f32, -128.9)}), "-128");
  EXPECT_EQ(run(ScalarOp::FPToSI, i8, f32, {real(f32, 128)}), "poison");
  EXPECT_EQ(run(ScalarOp::FPToUI, i8, f32, {real(f32, -0.5)}), "0");
  EXPECT_EQ(run(ScalarOp::FPToUI, i8, f32, {real(f32, -1)}), "poison");
  EXPECT_EQ(run(ScalarOp::SIToFP, f32, i1, {bits(i1, 1)}), "-1.0");
  EXPECT_EQ(run(ScalarOp::UIToFP, f32, i1, {bits(i1, 1)}), "1.0");
  // 2^54 + 2^30 + 1: one rounding, not two.
  EXPECT_EQ(run(ScalarOp::SIToFP, f32, i64,
                {bits(i64, (1ull << 54) + (1ull << 30) + 1)}),
            "1.80144e+16");
  // A tie, and a carry from the significand into the exponent.
  EXPECT_EQ(run(ScalarOp::TruncF, bf16, f32, {bits(f32, 0x3f808000)}), "1.0");
  EXPECT_EQ(run(ScalarOp::TruncF, bf16, f32, {bits(f32, 0x7f7fffff)}), "inf");
  EXPECT_EQ(run(ScalarOp::TruncF, bf16, f32, {bits(f32, 0x7fffffff)}), "nan");
  ScalarAttrs down;
  down.rounding = 2;
  EXPECT_EQ(run(ScalarOp::TruncF, bf16, f32, {bits(f32, 0xbf800001)}, down),
            "-1.01");
  EXPECT_EQ(
      run(ScalarOp::Bitcast, ScalarType::integer(32), f32, {real(f32, 1)}),
      "1065353216");
  EXPECT_EQ(run(ScalarOp::Round, f32, f32, {bits(f32, 0x3effffff)}), "0.0");
  EXPECT_EQ(run(ScalarOp::Round, f32, f32, {real(f32, 2.5)}), "3.0");
  EXPECT_EQ(run(ScalarOp::RoundEven, f32, f32, {real(f32, 2.5)}), "2.0");
  EXPECT_EQ(run(ScalarOp::Ceil, f32, f32, {real(f32, -0.5)}), "-0.0");
}

TEST(ScalarEval, FmaRoundsOnce) {
  float x = 1.0f + std::ldexp(1.0f, -12);
  float z = -(x * x);
  EXPECT_EQ(
      run(ScalarOp::Fma, f32, f32, {real(f32, x), real(f32, x), real(f32, z)}),
      toString(f32, real(f32, std::ldexp(1.0, -24))));
}

TEST(ScalarEval, SmallFormats) {
  ScalarType e4m3fnuz = ScalarType::floating(APFloatBase::S_Float8E4M3FNUZ);
  ScalarType e4m3fn = ScalarType::floating(APFloatBase::S_Float8E4M3FN);
  ScalarType f4 = ScalarType::floating(APFloatBase::S_Float4E2M1FN);
  // No negative zero, no infinity; overflow is NaN.
  EXPECT_EQ(run(ScalarOp::NegF, e4m3fnuz, e4m3fnuz, {bits(e4m3fnuz, 0)}),
            "0.0");
  EXPECT_EQ(
      run(ScalarOp::MulF, e4m3fn, e4m3fn, {real(e4m3fn, 448), real(e4m3fn, 2)}),
      "nan");
  EXPECT_EQ(run(ScalarOp::AddF, f4, f4, {real(f4, 1), real(f4, 2)}), "3.0");
  EXPECT_EQ(run(ScalarOp::DivF, f4, f4, {real(f4, 0), real(f4, 0)}), "poison");
}

/// The formats of the host as an oracle, random patterns.
TEST(ScalarEval, AgreesWithTheHost) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    uint32_t pa = random(), pb = random();
    float a, b;
    std::memcpy(&a, &pa, 4);
    std::memcpy(&b, &pb, 4);
    std::pair<ScalarOp, float> cases[] = {{ScalarOp::AddF, a + b},
                                          {ScalarOp::SubF, a - b},
                                          {ScalarOp::MulF, a * b},
                                          {ScalarOp::DivF, a / b},
                                          {ScalarOp::RemF, std::fmod(a, b)}};
    for (auto [op, expected] : cases)
      ASSERT_EQ(run(op, f32, f32, {bits(f32, pa), bits(f32, pb)}),
                std::isnan(expected) ? "nan"
                                     : toString(f32, real(f32, expected)))
          << scalarOpName(op).str() << " " << a << " " << b;
  }
}

/// sqrt is correctly rounded: r² and its neighbours' squares bracket x.
TEST(ScalarEval, WideSqrtIsCorrectlyRounded) {
  ScalarType f128 = ScalarType::floating(APFloatBase::S_IEEEquad);
  for (uint64_t n : {2ull, 3ull, 4ull, 10ull, 123456789ull}) {
    for (int scale : {-16494, -16400, -1, 0, 1, 16000}) {
      APFloat x(APFloat::IEEEquad());
      x.convertFromAPInt(APInt(64, n), false, APFloat::rmNearestTiesToEven);
      x = scalbn(x, scale, APFloat::rmNearestTiesToEven);
      ScalarValue r = evalScalar(ScalarOp::Sqrt, {}, f128, {f128},
                                 {{x.bitcastToAPInt(), false}})
                          .value;
      // |r·r − x| through one fma is at most r·ulp(r).
      APFloat root(APFloat::IEEEquad(), r.bits), below = root, above = root;
      below.next(true);
      above.next(false);
      auto residue = [&](APFloat v) {
        APFloat minus = x;
        minus.changeSign();
        APFloat w = v;
        w.fusedMultiplyAdd(v, minus, APFloat::rmNearestTiesToEven);
        w.clearSign();
        return w;
      };
      if (scale > -16000) {
        EXPECT_NE(residue(root).compare(residue(below)),
                  APFloat::cmpGreaterThan);
        EXPECT_NE(residue(root).compare(residue(above)),
                  APFloat::cmpGreaterThan);
      }
    }
  }
  ScalarValue four = {APFloat(APFloat::IEEEquad(), "4").bitcastToAPInt(),
                      false};
  APFloat two(APFloat::IEEEquad(),
              evalScalar(ScalarOp::Sqrt, {}, f128, {f128}, {four}).value.bits);
  EXPECT_EQ(two.convertToDouble(), 2.0);
}

TEST(ScalarEval, SmallFormatsRoundAsWideOnes) {
  // f8E3M4 cannot hold the constant that rounding by addition needs.
  ScalarType f8 = ScalarType::floating(APFloatBase::S_Float8E3M4);
  ScalarType single = ScalarType::floating(APFloatBase::S_IEEEsingle);
  for (ScalarOp op : {ScalarOp::Ceil, ScalarOp::Floor, ScalarOp::Trunc,
                      ScalarOp::Round, ScalarOp::RoundEven})
    for (int pattern = 0; pattern < 256; ++pattern) {
      ScalarValue x = bits(f8, pattern);
      ScalarValue wide =
          evalScalar(ScalarOp::ExtF, {}, single, {f8}, {x}).value;
      wide = evalScalar(op, {}, single, {single}, {wide}).value;
      ScalarValue expected =
          evalScalar(ScalarOp::TruncF, {}, f8, {single}, {wide}).value;
      EXPECT_EQ(run(op, f8, f8, {x}), toString(f8, expected))
          << scalarOpName(op).str() << " of " << toString(f8, x);
    }
}

TEST(ScalarEval, LibraryFunctions) {
  EXPECT_EQ(run(ScalarOp::Exp, f64, f64, {real(f64, 0)}), "1.0");
  EXPECT_EQ(run(ScalarOp::TanH, f32, f32, {real(f32, INFINITY)}), "1.0");
  EXPECT_EQ(run(ScalarOp::Log, f32, f32, {real(f32, -1)}), "nan");
  EXPECT_EQ(run(ScalarOp::PowF, f32, f32, {real(f32, 2), real(f32, 0.5)}),
            toString(f32, real(f32, std::sqrt(2.0))));
  EXPECT_EQ(run(ScalarOp::Exp, f16, f16, {real(f16, 1)}), "2.719");
}

} // namespace
