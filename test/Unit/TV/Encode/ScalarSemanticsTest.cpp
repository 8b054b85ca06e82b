//===- ScalarSemanticsTest.cpp - Encodings against execution --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// On constants every term folds. So the encoding of a scalar operation,
/// applied to constants, must say exactly what evalScalar says: value, poison,
/// undefined behaviour.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/ScalarSemantics.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace panpipe::tv;

namespace {

const ScalarType f32 = ScalarType::floating(APFloatBase::S_IEEEsingle);
const ScalarType f16 = ScalarType::floating(APFloatBase::S_IEEEhalf);
const ScalarType i8 = ScalarType::integer(8);
const ScalarType i1 = ScalarType::boolean();

struct Values {
  SmallVector<ScalarValue> list;
};

/// Corner values, a few others, and poison.
Values valuesOf(ScalarType type) {
  Values values;
  auto add = [&](APInt bits) { values.list.push_back({bits, false}); };
  if (type.isFloat()) {
    for (double v :
         {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 127.0, 127.5, 128.0, -128.0, -128.5,
          -129.0, 255.5, 256.0, 65504.0, 3e38, 1e-40, -0.99}) {
      APFloat x(v);
      bool lossy;
      x.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
      add(x.bitcastToAPInt());
    }
    add(canonicalNaN(type));
    add(APFloat::getInf(type.fltSemantics()).bitcastToAPInt());
    add(APFloat::getInf(type.fltSemantics(), true).bitcastToAPInt());
  } else {
    for (int64_t v : {0, 1, 2, 3, 7, 8, 9, -1, -2, -8, 100})
      add(APInt(type.width(), v, true, /*implicitTrunc=*/true));
    add(APInt::getSignedMinValue(type.width()));
    add(APInt::getSignedMaxValue(type.width()));
  }
  values.list.push_back(ScalarValue::poisoned(type.width()));
  return values;
}

class Checker {
public:
  void check(ScalarOp op, ScalarAttrs attrs, ScalarType result,
             ArrayRef<ScalarType> types) {
    SmallVector<ScalarValue> chosen(types.size());
    enumerate(op, attrs, result, types, chosen, 0);
  }

private:
  void enumerate(ScalarOp op, ScalarAttrs attrs, ScalarType result,
                 ArrayRef<ScalarType> types,
                 SmallVectorImpl<ScalarValue> &chosen, unsigned next) {
    if (next == types.size())
      return compare(op, attrs, result, types, chosen);
    for (const ScalarValue &value : valuesOf(types[next]).list) {
      chosen[next] = value;
      enumerate(op, attrs, result, types, chosen, next + 1);
    }
  }

  void compare(ScalarOp op, ScalarAttrs attrs, ScalarType result,
               ArrayRef<ScalarType> types, ArrayRef<ScalarValue> values) {
    SmallVector<Element> operands;
    std::string what = scalarOpName(op).str();
    for (auto [type, value] : zip_equal(types, values)) {
      // A poison value has any bits; zero is one choice.
      operands.push_back(
          {terms.mkConst(type, value.bits), terms.mkBool(value.poison)});
      what += " " + toString(type, value);
    }
    SmallVector<ScalarUB> ub;
    Element e = encodeScalarOp(terms, op, attrs, result, operands, ub);
    ScalarResult expected = evalScalar(op, attrs, result, types, values);
    bool undefined = false;
    for (const ScalarUB &condition : ub)
      undefined |= evaluate(condition.condition).isOne();
    ASSERT_EQ(undefined, expected.ub != nullptr) << what;
    if (undefined)
      return;
    ASSERT_EQ(evaluate(e.poison).isOne(), expected.value.poison) << what;
    if (expected.value.poison)
      return;
    APInt value = evaluate(e.value);
    ASSERT_TRUE(value == expected.value.bits ||
                (result.isFloat() && isNaN(result, value) &&
                 isNaN(result, expected.value.bits)))
        << what << ": " << toString(result, {value, false}) << " instead of "
        << toString(result, expected.value);
  }

  /// Operations that do not fold (their result is a NaN with open bits) are
  /// executed. Poison is a term of its own, so flags do not matter here.
  APInt evaluate(const Term *term) {
    if (term->isConst())
      return term->bits();
    EXPECT_EQ(term->kind(), TermKind::Op) << terms.print(term);
    SmallVector<ScalarType> types;
    SmallVector<ScalarValue> values;
    for (const Term *operand : term->operands()) {
      types.push_back(operand->type());
      values.push_back({evaluate(operand), false});
    }
    ScalarAttrs attrs = term->attrs();
    attrs.fastMath = FMF_none;
    return evalScalar(term->op(), attrs, term->type(), types, values)
        .value.bits;
  }

  TermContext terms;
};

ScalarAttrs flags(uint8_t intFlags) {
  ScalarAttrs attrs;
  attrs.intFlags = intFlags;
  return attrs;
}
ScalarAttrs fast(uint8_t fastMath) {
  ScalarAttrs attrs;
  attrs.fastMath = fastMath;
  return attrs;
}
ScalarAttrs predicate(uint8_t number) {
  ScalarAttrs attrs;
  attrs.predicate = number;
  return attrs;
}

TEST(ScalarSemantics, IntegerArithmetic) {
  Checker checker;
  for (ScalarOp op : {ScalarOp::AddI, ScalarOp::SubI, ScalarOp::MulI,
                      ScalarOp::ShLI, ScalarOp::ShRSI, ScalarOp::ShRUI})
    for (uint8_t f : {IF_none, IF_nsw, IF_nuw, IF_exact})
      checker.check(op, flags(f), i8, {i8, i8});
  for (ScalarOp op :
       {ScalarOp::AndI, ScalarOp::OrI, ScalarOp::XOrI, ScalarOp::MinSI,
        ScalarOp::MaxSI, ScalarOp::MinUI, ScalarOp::MaxUI, ScalarOp::MulHighSI,
        ScalarOp::MulHighUI, ScalarOp::IPowI})
    checker.check(op, {}, i8, {i8, i8});
  for (ScalarOp op :
       {ScalarOp::AbsI, ScalarOp::CtPop, ScalarOp::CtLz, ScalarOp::CtTz})
    checker.check(op, {}, i8, {i8});
  checker.check(ScalarOp::AddUICarry, {}, i1, {i8, i8});
}

TEST(ScalarSemantics, DivisionIsUndefinedWhereExecutionSaysSo) {
  Checker checker;
  for (ScalarOp op : {ScalarOp::DivSI, ScalarOp::DivUI, ScalarOp::CeilDivSI,
                      ScalarOp::CeilDivUI, ScalarOp::FloorDivSI,
                      ScalarOp::RemSI, ScalarOp::RemUI})
    checker.check(op, {}, i8, {i8, i8});
  checker.check(ScalarOp::DivSI, flags(IF_exact), i8, {i8, i8});
  checker.check(ScalarOp::DivUI, flags(IF_exact), i8, {i8, i8});
}

TEST(ScalarSemantics, OneBitIntegers) {
  Checker checker;
  for (ScalarOp op : {ScalarOp::AddI, ScalarOp::MulI, ScalarOp::ShLI,
                      ScalarOp::DivSI, ScalarOp::RemUI})
    checker.check(op, {}, i1, {i1, i1});
}

TEST(ScalarSemantics, ComparisonsAndSelect) {
  Checker checker;
  for (uint8_t p = 0; p < 10; ++p)
    checker.check(ScalarOp::CmpI, predicate(p), i1, {i8, i8});
  for (uint8_t p = 0; p < 16; ++p)
    checker.check(ScalarOp::CmpF, predicate(p), i1, {f32, f32});
  checker.check(ScalarOp::Select, {}, i8, {i1, i8, i8});
  checker.check(ScalarOp::Select, fast(FMF_nnan), f32, {i1, f32, f32});
}

TEST(ScalarSemantics, Casts) {
  Checker checker;
  ScalarType i4 = ScalarType::integer(4), i32 = ScalarType::integer(32);
  for (uint8_t f : {IF_none, IF_nsw, IF_nuw})
    checker.check(ScalarOp::TruncI, flags(f), i4, {i8});
  checker.check(ScalarOp::ExtSI, {}, i32, {i8});
  checker.check(ScalarOp::ExtUI, flags(IF_nneg), i32, {i8});
  checker.check(ScalarOp::SIToFP, {}, f16, {i8});
  checker.check(ScalarOp::UIToFP, flags(IF_nneg), f16, {i8});
  for (ScalarType from : {f32, f16})
    for (ScalarType to : {i1, i8, i32, ScalarType::integer(16)}) {
      checker.check(ScalarOp::FPToSI, {}, to, {from});
      checker.check(ScalarOp::FPToUI, {}, to, {from});
    }
  checker.check(ScalarOp::ExtF, {}, f32, {f16});
  checker.check(ScalarOp::TruncF, fast(FMF_ninf), f16, {f32});
}

TEST(ScalarSemantics, Floats) {
  Checker checker;
  for (uint8_t f : {FMF_none, FMF_nnan, FMF_ninf}) {
    for (ScalarOp op :
         {ScalarOp::AddF, ScalarOp::MulF, ScalarOp::DivF, ScalarOp::MaximumF,
          ScalarOp::MinNumF, ScalarOp::CopySign})
      checker.check(op, fast(f), f32, {f32, f32});
    for (ScalarOp op : {ScalarOp::NegF, ScalarOp::AbsF, ScalarOp::Floor,
                        ScalarOp::RoundEven, ScalarOp::Sqrt})
      checker.check(op, fast(f), f32, {f32});
  }
}

} // namespace
