//===- ScalarSemantics.cpp - Scalar operations with poison and UB ---------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Poison conditions are written with the vocabulary of the value terms
/// themselves: a wrapped sum is one that differs from the sum one bit wider.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/ScalarSemantics.h"

#include "llvm/ADT/APFloat.h"

using namespace llvm;
using namespace panpipe::tv;

// Numbers of arith::CmpIPredicate and arith::CmpFPredicate.
enum : uint8_t { EQ = 0, NE = 1, SLT = 2, SGE = 5, UGE = 9 };
enum : uint8_t { OGT = 2, OGE = 3, OLT = 4 };

namespace {
/// Builds the conditions of one operation.
class Conditions {
public:
  Conditions(TermContext &terms, ScalarType type, ArrayRef<Element> operands)
      : terms(terms), type(type), operands(operands) {}

  const Term *overflow(ScalarOp op, uint8_t flags, const Term *result);
  const Term *shift(ScalarOp op, uint8_t flags, const Term *result);
  const Term *truncation(uint8_t flags, const Term *result);
  const Term *inexact(ScalarOp op);
  const Term *floatToIntegerRange(bool isSigned);
  const Term *floatFlags(uint8_t flags, const Term *result);
  void division(ScalarOp op, SmallVectorImpl<ScalarUB> &ub);
  void integerPower(SmallVectorImpl<ScalarUB> &ub);

  const Term *value(unsigned i) { return operands[i].value; }
  const Term *never() { return terms.mkBool(false); }

private:
  const Term *compare(uint8_t predicate, const Term *a, const Term *b) {
    ScalarAttrs attrs;
    attrs.predicate = predicate;
    return terms.mkOp(ScalarOp::CmpI, attrs, ScalarType::boolean(), {a, b});
  }
  const Term *compareFloat(uint8_t predicate, const Term *a, const Term *b) {
    ScalarAttrs attrs;
    attrs.predicate = predicate;
    return terms.mkOp(ScalarOp::CmpF, attrs, ScalarType::boolean(), {a, b});
  }
  const Term *constant(const Term *like, int64_t v) {
    return terms.mkInt(like->type(), v);
  }
  const Term *widened(const Term *t, unsigned width, bool isSigned) {
    return terms.mkOp(isSigned ? ScalarOp::ExtSI : ScalarOp::ExtUI,
                      ScalarType::integer(width), {t});
  }
  const Term *wraps(ScalarOp op, bool isSigned, const Term *result);
  const Term *differsAfter(ScalarOp back, const Term *result);

  TermContext &terms;
  ScalarType type;
  ArrayRef<Element> operands;
};
} // namespace

/// The exact result, in a width that holds it, is not the extension of
/// `result`.
const Term *Conditions::wraps(ScalarOp op, bool isSigned, const Term *result) {
  unsigned width = type.width();
  unsigned wide = op == ScalarOp::MulI ? 2 * width : width + 1;
  const Term *exact = terms.mkOp(
      op, ScalarType::integer(wide),
      {widened(value(0), wide, isSigned), widened(value(1), wide, isSigned)});
  return compare(NE, exact, widened(result, wide, isSigned));
}

const Term *Conditions::overflow(ScalarOp op, uint8_t flags,
                                 const Term *result) {
  const Term *poison = never();
  if (flags & IF_nsw)
    poison = terms.mkOr(poison, wraps(op, true, result));
  if (flags & IF_nuw)
    poison = terms.mkOr(poison, wraps(op, false, result));
  return poison;
}

/// back(result, amount) is not the first operand.
const Term *Conditions::differsAfter(ScalarOp back, const Term *result) {
  return compare(NE, terms.mkOp(back, type, {result, value(1)}), value(0));
}

const Term *Conditions::shift(ScalarOp op, uint8_t flags, const Term *result) {
  const Term *amount = value(1);
  unsigned width = type.width();
  const Term *poison = compare(
      UGE, amount,
      terms.mkConst(amount->type(), APInt(width, width, /*isSigned=*/false,
                                          /*implicitTrunc=*/true)));
  if (op == ScalarOp::ShLI && (flags & IF_nsw))
    poison = terms.mkOr(poison, differsAfter(ScalarOp::ShRSI, result));
  if (op == ScalarOp::ShLI && (flags & IF_nuw))
    poison = terms.mkOr(poison, differsAfter(ScalarOp::ShRUI, result));
  if (op != ScalarOp::ShLI && (flags & IF_exact))
    poison = terms.mkOr(poison, differsAfter(ScalarOp::ShLI, result));
  return poison;
}

const Term *Conditions::truncation(uint8_t flags, const Term *result) {
  const Term *poison = never();
  ScalarType wide = value(0)->type();
  if (flags & IF_nsw)
    poison = terms.mkOr(
        poison,
        compare(NE, terms.mkOp(ScalarOp::ExtSI, wide, {result}), value(0)));
  if (flags & IF_nuw)
    poison = terms.mkOr(
        poison,
        compare(NE, terms.mkOp(ScalarOp::ExtUI, wide, {result}), value(0)));
  return poison;
}

/// A division with `exact` leaves a remainder.
const Term *Conditions::inexact(ScalarOp op) {
  const Term *rest =
      terms.mkOp(op == ScalarOp::DivSI ? ScalarOp::RemSI : ScalarOp::RemUI,
                 type, {value(0), value(1)});
  return compare(NE, rest, constant(rest, 0));
}

/// Truncated towards zero, the operand is not a value of the integer type.
const Term *Conditions::floatToIntegerRange(bool isSigned) {
  const Term *x = value(0);
  ScalarType from = x->type();
  unsigned width = type.width();
  const fltSemantics &format = from.fltSemantics();
  APFloat end(format), begin(format);
  APInt one(width + 2, 1);
  // Both are powers of two, so they convert exactly or not at all.
  bool fits = end.convertFromAPInt(one.shl(isSigned ? width - 1 : width), true,
                                   APFloat::rmTowardZero) == APFloat::opOK &&
              end.isFinite();
  const Term *finite =
      terms.mkOp(ScalarOp::IsFinite, ScalarType::boolean(), {x});
  const Term *good = finite;
  if (fits) {
    good = compareFloat(OLT, x, terms.mkConst(from, end.bitcastToAPInt()));
    if (isSigned) {
      begin = end;
      begin.changeSign();
      good = terms.mkAnd(
          good, compareFloat(OGE, terms.mkOp(ScalarOp::Trunc, from, {x}),
                             terms.mkConst(from, begin.bitcastToAPInt())));
    }
  }
  if (!isSigned) {
    // Values in (-1, 0) become 0.
    APFloat minusOne(format);
    minusOne.convertFromAPInt(APInt::getAllOnes(2), true,
                              APFloat::rmTowardZero);
    good = terms.mkAnd(
        good,
        compareFloat(OGT, x, terms.mkConst(from, minusOne.bitcastToAPInt())));
  }
  return terms.mkNot(good);
}

/// nnan and ninf, of operands and result.
const Term *Conditions::floatFlags(uint8_t flags, const Term *result) {
  const Term *poison = never();
  auto add = [&](const Term *t) {
    if (!t->type().isFloat())
      return;
    if (flags & FMF_nnan)
      poison = terms.mkOr(
          poison, terms.mkOp(ScalarOp::IsNaN, ScalarType::boolean(), {t}));
    if (flags & FMF_ninf)
      poison = terms.mkOr(
          poison, terms.mkOp(ScalarOp::IsInf, ScalarType::boolean(), {t}));
  };
  for (const Element &operand : operands)
    add(operand.value);
  add(result);
  return poison;
}

void Conditions::division(ScalarOp op, SmallVectorImpl<ScalarUB> &ub) {
  const Term *divisor = value(1);
  auto add = [&](const Term *condition, const char *reason) {
    if (!condition->isFalse())
      ub.push_back({condition, reason});
  };
  add(operands[1].poison, "division by poison");
  add(compare(EQ, divisor, constant(divisor, 0)), "division by zero");
  if (op == ScalarOp::DivUI || op == ScalarOp::CeilDivUI ||
      op == ScalarOp::RemUI)
    return;
  const Term *minusOne = compare(EQ, divisor, constant(divisor, -1));
  const Term *least =
      compare(EQ, value(0),
              terms.mkConst(type, APInt::getSignedMinValue(type.width())));
  add(terms.mkAnd(minusOne, least),
      "signed division overflows (least value by -1)");
  add(terms.mkAnd(minusOne, operands[0].poison),
      "signed division of poison by -1");
}

void Conditions::integerPower(SmallVectorImpl<ScalarUB> &ub) {
  const Term *zeroBase = compare(EQ, value(0), constant(value(0), 0));
  const Term *negative = compare(SLT, value(1), constant(value(1), 0));
  const Term *bad = terms.mkAnd(zeroBase, negative);
  // Poison operands make a poison result, not undefined behaviour.
  bad = terms.mkAnd(
      bad, terms.mkNot(terms.mkOr(operands[0].poison, operands[1].poison)));
  if (!bad->isFalse())
    ub.push_back({bad, "zero to a negative power"});
}

/// The interpreter has a list of its own, on purpose: it is the oracle of this
/// encoding.
static bool isDivision(ScalarOp op) {
  switch (op) {
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
  case ScalarOp::CeilDivSI:
  case ScalarOp::CeilDivUI:
  case ScalarOp::FloorDivSI:
  case ScalarOp::RemSI:
  case ScalarOp::RemUI:
    return true;
  default:
    return false;
  }
}

/// The poison that the operation itself adds.
static const Term *ownPoison(Conditions &c, TermContext &terms, ScalarOp op,
                             const ScalarAttrs &attrs, const Term *result) {
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::SubI:
  case ScalarOp::MulI:
    return c.overflow(op, attrs.intFlags, result);
  case ScalarOp::ShLI:
  case ScalarOp::ShRSI:
  case ScalarOp::ShRUI:
    return c.shift(op, attrs.intFlags, result);
  case ScalarOp::TruncI:
    return c.truncation(attrs.intFlags, result);
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
    return attrs.intFlags & IF_exact ? c.inexact(op) : c.never();
  case ScalarOp::ExtUI:
  case ScalarOp::IndexCastUI:
  case ScalarOp::UIToFP: {
    if (!(attrs.intFlags & IF_nneg))
      return c.never();
    ScalarAttrs less;
    less.predicate = SLT;
    return terms.mkOp(ScalarOp::CmpI, less, ScalarType::boolean(),
                      {c.value(0), terms.mkInt(c.value(0)->type(), 0)});
  }
  case ScalarOp::FPToSI:
    return c.floatToIntegerRange(true);
  case ScalarOp::FPToUI:
    return c.floatToIntegerRange(false);
  default:
    return c.never();
  }
}

Element panpipe::tv::encodeScalarOp(TermContext &terms, ScalarOp op,
                                    const ScalarAttrs &attrs,
                                    ScalarType resultType,
                                    ArrayRef<Element> operands,
                                    SmallVectorImpl<ScalarUB> &ub) {
  Conditions conditions(terms, resultType, operands);
  SmallVector<const Term *, 3> values;
  for (const Element &operand : operands)
    values.push_back(operand.value);
  // Integer flags only make poison; the value is the same without them.
  ScalarAttrs valueAttrs = attrs;
  valueAttrs.intFlags = IF_none;
  if (op == ScalarOp::Select) {
    const Term *value = terms.mkSelect(values[0], values[1], values[2]);
    const Term *poison = terms.mkOr(
        operands[0].poison,
        terms.mkSelect(values[0], operands[1].poison, operands[2].poison));
    if (attrs.fastMath & (FMF_nnan | FMF_ninf))
      poison = terms.mkOr(
          poison,
          Conditions(terms, resultType, {}).floatFlags(attrs.fastMath, value));
    return {value, poison};
  }
  if (isDivision(op))
    conditions.division(op, ub);
  if (op == ScalarOp::IPowI)
    conditions.integerPower(ub);
  const Term *value = terms.mkOp(op, valueAttrs, resultType, values);
  const Term *poison = ownPoison(conditions, terms, op, attrs, value);
  if (attrs.fastMath & (FMF_nnan | FMF_ninf))
    poison = terms.mkOr(poison, conditions.floatFlags(attrs.fastMath, value));
  for (const Element &operand : operands)
    poison = terms.mkOr(operand.poison, poison);
  return {value, poison};
}
