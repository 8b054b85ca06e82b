//===- CircuitTest.cpp - Circuits against the interpreter -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every exact operation, as a circuit, against evalScalar on the inputs of
/// families F1–F7; mutants must differ.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/ScalarEncoder.h"
#include "panpipe/TV/SMT/ScalarInputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

#include "gtest/gtest.h"

using namespace panpipe::tv;
using namespace panpipe::tv::smt;
using llvm::APFloatBase;
using llvm::APInt;

namespace {

ScalarType f16() { return ScalarType::floating(APFloatBase::S_IEEEhalf); }
ScalarType bf16() { return ScalarType::floating(APFloatBase::S_BFloat); }
ScalarType f32() { return ScalarType::floating(APFloatBase::S_IEEEsingle); }
ScalarType f64() { return ScalarType::floating(APFloatBase::S_IEEEdouble); }
ScalarType e5m2() { return ScalarType::floating(APFloatBase::S_Float8E5M2); }
ScalarType e4m3() { return ScalarType::floating(APFloatBase::S_Float8E4M3); }
ScalarType e3m4() { return ScalarType::floating(APFloatBase::S_Float8E3M4); }
ScalarType i(unsigned w) { return ScalarType::integer(w); }
const ScalarType allFloats[] = {f16(),  bf16(), f32(), f64(),
                                e5m2(), e4m3(), e3m4()};

struct Case {
  ScalarOp op;
  ScalarAttrs attrs;
  ScalarType result;
  std::vector<ScalarType> types;
};

std::string describe(const Case &c, llvm::ArrayRef<APInt> inputs) {
  std::string s = scalarOpName(c.op).str() + " -> " + toString(c.result);
  for (auto [t, v] : llvm::zip(c.types, inputs)) {
    llvm::SmallString<32> hex;
    v.toString(hex, 16, false, true);
    s += " " + toString(t) + " " + std::string(hex);
  }
  return s;
}

/// Runs both on `count` inputs; the number of differences, the first printed.
unsigned differences(const Case &c, unsigned count, std::string &first) {
  ExprContext ctx;
  ScalarEncoder encoder(ctx);
  std::vector<EncodedScalar> operands;
  std::vector<FloatFormat> formats;
  std::vector<unsigned> widths;
  for (ScalarType t : c.types)
    operands.push_back(
        {ctx.fresh("x", Sort::bitVec(t.width())), ctx.boolean(false)});
  if (auto f = FloatFormat::of(c.result))
    formats.push_back(*f);
  else
    widths.push_back(c.result.width());
  auto r = encoder.encode(c.op, c.attrs, c.result, c.types, operands);
  if (!r) {
    first = "no encoding: " + encoder.unsupported();
    return 1;
  }
  if (!encoder.applications().empty()) {
    first = "not a circuit";
    return 1;
  }
  unsigned bad = 0;
  for (const auto &row : scalarInputs(c.types, formats, widths, count)) {
    ExprEvaluator ev;
    std::vector<ScalarValue> values;
    for (unsigned k = 0; k < row.size(); ++k) {
      ev.set(operands[k].value, row[k]);
      values.push_back({row[k], false});
    }
    ScalarResult want = evalScalar(c.op, c.attrs, c.result, c.types, values);
    if (want.ub)
      continue;
    APInt poison, value;
    bool ok = ev.evaluate(r->poison, poison) && ev.evaluate(r->value, value);
    bool same = ok && poison.isOne() == want.value.poison &&
                (want.value.poison || value == want.value.bits ||
                 (c.result.isFloat() && isNaN(c.result, value) &&
                  isNaN(c.result, want.value.bits)));
    if (!same && bad++ == 0)
      first = describe(c, row);
  }
  return bad;
}

void expectSame(const Case &c, unsigned count = 400) {
  std::string first;
  EXPECT_EQ(differences(c, count, first), 0u) << first;
}

TEST(Circuits, ClassTestsAndMoves) {
  for (ScalarType t : allFloats) {
    for (ScalarOp op : {ScalarOp::IsNaN, ScalarOp::IsInf, ScalarOp::IsFinite,
                        ScalarOp::IsNormal})
      expectSame({op, {}, ScalarType::boolean(), {t}});
    for (ScalarOp op : {ScalarOp::NegF, ScalarOp::AbsF})
      expectSame({op, {}, t, {t}});
    expectSame({ScalarOp::CopySign, {}, t, {t, t}});
  }
}

TEST(Circuits, ComparisonsMinMax) {
  for (ScalarType t : allFloats) {
    for (unsigned p = 0; p < 16; ++p) {
      ScalarAttrs attrs;
      attrs.predicate = p;
      expectSame({ScalarOp::CmpF, attrs, ScalarType::boolean(), {t, t}});
    }
    for (ScalarOp op : {ScalarOp::MaximumF, ScalarOp::MinimumF,
                        ScalarOp::MaxNumF, ScalarOp::MinNumF})
      expectSame({op, {}, t, {t, t}});
  }
}

TEST(Circuits, Conversions) {
  for (ScalarType from : allFloats)
    for (ScalarType to : allFloats) {
      if (from == to)
        continue;
      ScalarOp op =
          to.width() > from.width() ? ScalarOp::ExtF : ScalarOp::TruncF;
      expectSame({op, {}, to, {from}});
    }
}

TEST(Circuits, IntegersToFloatsAndBack) {
  for (ScalarType t : allFloats)
    for (unsigned w : {1, 7, 8, 16, 24, 32, 33, 64}) {
      expectSame({ScalarOp::SIToFP, {}, t, {i(w)}});
      expectSame({ScalarOp::UIToFP, {}, t, {i(w)}});
      expectSame({ScalarOp::FPToSI, {}, i(w), {t}});
      expectSame({ScalarOp::FPToUI, {}, i(w), {t}});
    }
}

TEST(Circuits, RoundToInteger) {
  // Not f8E3M4: APFloat rounds by adding 2^(p-1), which that format lacks.
  for (ScalarType t : {f16(), bf16(), f32(), f64(), e5m2(), e4m3()})
    for (ScalarOp op : {ScalarOp::Ceil, ScalarOp::Floor, ScalarOp::Trunc,
                        ScalarOp::Round, ScalarOp::RoundEven})
      expectSame({op, {}, t, {t}});
}

/// Scaling by 2^k against the interpreter's product, subnormals included.
TEST(Circuits, PowersOfTwo) {
  for (ScalarType t : allFloats) {
    FloatFormat f = *FloatFormat::of(t);
    ExprContext ctx;
    FloatCircuits circuits(ctx, f);
    Expr x = ctx.var("x", Sort::bitVec(f.width()));
    for (int k : {1, -1, 2, -3, int(f.precision), -int(f.precision),
                  f.minExponent() - 1, f.maxExponent()}) {
      std::optional<uint64_t> factor = f.powerOfTwo(k);
      if (!factor)
        continue; // f8E3M4 ends at 2^3
      EXPECT_EQ(f.log2(*factor), std::optional<int>(k));
      Expr scaled = circuits.scale(x, k), divided = circuits.scale(x, -k);
      ScalarValue c{APInt(f.width(), *factor), false};
      for (const auto &row : scalarInputs({t}, {}, {}, 200)) {
        ExprEvaluator ev;
        ev.set(x, row[0]);
        APInt m, d;
        ASSERT_TRUE(ev.evaluate(scaled, m) && ev.evaluate(divided, d));
        ScalarValue v{row[0], false};
        EXPECT_EQ(m,
                  evalScalar(ScalarOp::MulF, {}, t, {t, t}, {v, c}).value.bits);
        EXPECT_EQ(d,
                  evalScalar(ScalarOp::DivF, {}, t, {t, t}, {v, c}).value.bits);
      }
    }
  }
}

TEST(Circuits, IntegerOperations) {
  for (unsigned w : {1, 2, 8, 13, 32, 64}) {
    for (ScalarOp op :
         {ScalarOp::AddI,      ScalarOp::SubI,       ScalarOp::MulI,
          ScalarOp::ShLI,      ScalarOp::ShRSI,      ScalarOp::ShRUI,
          ScalarOp::DivSI,     ScalarOp::DivUI,      ScalarOp::CeilDivSI,
          ScalarOp::CeilDivUI, ScalarOp::FloorDivSI, ScalarOp::RemSI,
          ScalarOp::RemUI,     ScalarOp::AndI,       ScalarOp::OrI,
          ScalarOp::XOrI,      ScalarOp::MinSI,      ScalarOp::MaxSI,
          ScalarOp::MinUI,     ScalarOp::MaxUI,      ScalarOp::MulHighSI,
          ScalarOp::MulHighUI}) {
      bool wide = w > 32 && (op == ScalarOp::MulI ||
                             (op >= ScalarOp::DivSI && op <= ScalarOp::RemUI));
      if (wide)
        continue; // abstract
      expectSame({op, {}, i(w), {i(w), i(w)}}, 300);
      for (uint8_t flags : {IF_nsw, IF_nuw, IF_exact}) {
        ScalarAttrs attrs;
        attrs.intFlags = flags;
        expectSame({op, attrs, i(w), {i(w), i(w)}}, 200);
      }
    }
    expectSame({ScalarOp::AddUICarry, {}, i(1), {i(w), i(w)}}, 200);
    for (unsigned p = 0; p < 10; ++p) {
      ScalarAttrs attrs;
      attrs.predicate = p;
      expectSame({ScalarOp::CmpI, attrs, i(1), {i(w), i(w)}}, 100);
    }
    for (ScalarOp op :
         {ScalarOp::AbsI, ScalarOp::CtPop, ScalarOp::CtLz, ScalarOp::CtTz})
      expectSame({op, {}, i(w), {i(w)}}, 200);
    for (uint8_t flags : {IF_none, IF_nneg, IF_nsw, IF_nuw}) {
      ScalarAttrs attrs;
      attrs.intFlags = flags;
      expectSame({ScalarOp::ExtUI, attrs, i(w + 9), {i(w)}}, 100);
      expectSame({ScalarOp::TruncI, attrs, i(w), {i(w + 9)}}, 100);
    }
    expectSame({ScalarOp::ExtSI, {}, i(w + 3), {i(w)}}, 100);
    expectSame({ScalarOp::IndexCast, {}, ScalarType::index(64), {i(w)}}, 100);
    expectSame({ScalarOp::IndexCastUI, {}, i(w), {ScalarType::index(64)}}, 100);
  }
}

TEST(Circuits, FastMathPoison) {
  ScalarAttrs attrs;
  attrs.fastMath = FMF_nnan | FMF_ninf;
  for (ScalarType t : {f16(), f32()}) {
    expectSame({ScalarOp::NegF, attrs, t, {t}});
    expectSame({ScalarOp::CmpF, attrs, ScalarType::boolean(), {t, t}});
    expectSame({ScalarOp::MaximumF, attrs, t, {t, t}});
  }
  expectSame({ScalarOp::TruncF, attrs, f16(), {f32()}});
}

/// The inputs must tell a circuit with a bug from a right one.
TEST(Circuits, MutantsDiffer) {
  for (CircuitMutant mutant :
       {CircuitMutant::TiesUp, CircuitMutant::NoSpareBit}) {
    for (auto [from, to] : {std::pair(f32(), f16()), std::pair(f64(), f32()),
                            std::pair(f32(), bf16())}) {
      ExprContext ctx;
      FloatFormat f = *FloatFormat::of(from), g = *FloatFormat::of(to);
      FloatCircuits right(ctx, f), wrong(ctx, f, mutant);
      Expr x = ctx.var("x", Sort::bitVec(f.width()));
      Expr differ = ne(right.convert(x, g), wrong.convert(x, g));
      bool found = false;
      for (const auto &row : scalarInputs({from}, {g}, {}, 500)) {
        ExprEvaluator ev;
        ev.set(x, row[0]);
        APInt v;
        ASSERT_TRUE(ev.evaluate(differ, v));
        found |= v.isOne();
      }
      EXPECT_TRUE(found) << toString(from) << " -> " << toString(to)
                         << ", mutant " << int(mutant);
    }
  }
}

TEST(Circuits, UnsupportedIsNamed) {
  ExprContext ctx;
  ScalarEncoder encoder(ctx);
  ScalarType fn = ScalarType::floating(APFloatBase::S_Float8E4M3FN);
  Expr x = ctx.fresh("x", Sort::bitVec(8));
  EXPECT_FALSE(
      encoder.encode(ScalarOp::NegF, {}, fn, {fn}, {{x, ctx.boolean(false)}}));
  EXPECT_NE(encoder.unsupported().find("f8E4M3FN"), std::string::npos);
  ScalarAttrs down;
  down.rounding = 2;
  Expr y = ctx.fresh("y", Sort::bitVec(32));
  EXPECT_FALSE(encoder.encode(ScalarOp::TruncF, down, f16(), {f32()},
                              {{y, ctx.boolean(false)}}));
}

} // namespace
