//===- ScalarEvalInt.cpp - Concrete execution of integer operations -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integer and index operations. Violated flags and too large shift amounts are
/// poison; division by zero and INT_MIN / -1 (remsi included) are undefined.
///
//===----------------------------------------------------------------------===//

#include "ScalarEvalDetail.h"

using namespace llvm;
using namespace panpipe::tv;
using namespace panpipe::tv::scalareval;

namespace {
/// The result of an operation that can break a promise of its flags.
struct Flagged {
  APInt value;
  bool poison;
};
} // namespace

static Flagged evalAddSubMul(ScalarOp op, uint8_t flags, const APInt &a,
                             const APInt &b) {
  bool overflowS = false, overflowU = false;
  APInt value;
  if (op == ScalarOp::AddI) {
    value = a.sadd_ov(b, overflowS);
    (void)a.uadd_ov(b, overflowU);
  } else if (op == ScalarOp::SubI) {
    value = a.ssub_ov(b, overflowS);
    (void)a.usub_ov(b, overflowU);
  } else {
    value = a * b;
    if (flags & IF_nsw)
      (void)a.smul_ov(b, overflowS);
    if (flags & IF_nuw)
      (void)a.umul_ov(b, overflowU);
  }
  return {value,
          ((flags & IF_nsw) && overflowS) || ((flags & IF_nuw) && overflowU)};
}

static Flagged evalShift(ScalarOp op, uint8_t flags, const APInt &a,
                         const APInt &b) {
  unsigned width = a.getBitWidth();
  if (b.uge(width))
    return {APInt(width, 0), true};
  unsigned amount = b.getZExtValue();
  if (op == ScalarOp::ShLI) {
    APInt value = a.shl(amount);
    bool lostS = value.ashr(amount) != a, lostU = value.lshr(amount) != a;
    return {value, ((flags & IF_nsw) && lostS) || ((flags & IF_nuw) && lostU)};
  }
  APInt value = op == ScalarOp::ShRSI ? a.ashr(amount) : a.lshr(amount);
  return {value, (flags & IF_exact) && value.shl(amount) != a};
}

/// Quotients and remainders; the divisor is not zero.
static ScalarResult evalDivision(ScalarOp op, uint8_t flags, const APInt &a,
                                 const APInt &b) {
  bool isSigned = op != ScalarOp::DivUI && op != ScalarOp::CeilDivUI &&
                  op != ScalarOp::RemUI;
  if (isSigned && a.isMinSignedValue() && b.isAllOnes())
    return {ScalarValue::poisoned(a.getBitWidth()),
            "signed division overflows (least value by -1)"};
  APInt quotient(a.getBitWidth(), 0), remainder(a.getBitWidth(), 0);
  if (isSigned)
    APInt::sdivrem(a, b, quotient, remainder);
  else
    APInt::udivrem(a, b, quotient, remainder);
  bool exact = remainder.isZero();
  bool sameSign = a.isNegative() == b.isNegative();
  switch (op) {
  case ScalarOp::RemSI:
  case ScalarOp::RemUI:
    return {{remainder, false}};
  case ScalarOp::CeilDivSI:
    if (!exact && sameSign)
      ++quotient;
    return {{quotient, false}};
  case ScalarOp::CeilDivUI:
    if (!exact)
      ++quotient;
    return {{quotient, false}};
  case ScalarOp::FloorDivSI:
    if (!exact && !sameSign)
      --quotient;
    return {{quotient, false}};
  default:
    return {{quotient, (flags & IF_exact) && !exact}};
  }
}

static APInt mulHigh(const APInt &a, const APInt &b, bool isSigned) {
  unsigned width = a.getBitWidth();
  APInt wideA = isSigned ? a.sext(2 * width) : a.zext(2 * width);
  APInt wideB = isSigned ? b.sext(2 * width) : b.zext(2 * width);
  return (wideA * wideB).lshr(width).trunc(width);
}

static bool compare(unsigned predicate, const APInt &a, const APInt &b) {
  switch (predicate) {
  case 0:
    return a == b;
  case 1:
    return a != b;
  case 2:
    return a.slt(b);
  case 3:
    return a.sle(b);
  case 4:
    return a.sgt(b);
  case 5:
    return a.sge(b);
  case 6:
    return a.ult(b);
  case 7:
    return a.ule(b);
  case 8:
    return a.ugt(b);
  default:
    return a.uge(b);
  }
}

/// math.ipowi: wraps; a negative exponent gives 1/base rounded towards zero.
static ScalarResult evalIPow(const APInt &base, const APInt &exponent) {
  unsigned width = base.getBitWidth();
  APInt one = width == 1 ? APInt::getAllOnes(1) : APInt(width, 1);
  if (exponent.isNegative()) {
    if (base.isZero())
      return {ScalarValue::poisoned(width), "zero to a negative power"};
    if (base.isOne() && width > 1)
      return {{base, false}};
    if (base.isAllOnes())
      return {{exponent[0] ? base : one, false}};
    return {{APInt(width, 0), false}};
  }
  APInt result = one, factor = base;
  for (APInt e = exponent; !e.isZero(); e.lshrInPlace(1), factor *= factor)
    if (e[0])
      result *= factor;
  return {{result, false}};
}

static Flagged evalCast(ScalarOp op, uint8_t flags, const APInt &a,
                        unsigned width) {
  switch (op) {
  case ScalarOp::ExtSI:
    return {a.sext(width), false};
  case ScalarOp::ExtUI:
    return {a.zext(width), (flags & IF_nneg) && a.isNegative()};
  case ScalarOp::IndexCast:
    return {a.sextOrTrunc(width), false};
  case ScalarOp::IndexCastUI:
    return {a.zextOrTrunc(width), (flags & IF_nneg) && a.isNegative()};
  default: {
    APInt value = a.trunc(width);
    bool lostS = value.sext(a.getBitWidth()) != a;
    bool lostU = value.zext(a.getBitWidth()) != a;
    return {value, ((flags & IF_nsw) && lostS) || ((flags & IF_nuw) && lostU)};
  }
  }
}

static APInt evalUnary(ScalarOp op, const APInt &a) {
  unsigned width = a.getBitWidth();
  switch (op) {
  case ScalarOp::AbsI:
    return a.abs();
  case ScalarOp::CtPop:
    return APInt(width, a.popcount(), /*isSigned=*/false,
                 /*implicitTrunc=*/true);
  case ScalarOp::CtLz:
    return APInt(width, a.countl_zero(), false, true);
  default:
    return APInt(width, a.countr_zero(), false, true);
  }
}

ScalarResult scalareval::evalInteger(ScalarOp op, const ScalarAttrs &attrs,
                                     ScalarType resultType,
                                     ArrayRef<ScalarType> operandTypes,
                                     ArrayRef<ScalarValue> operands) {
  const APInt &a = operands[0].bits;
  const APInt &b = operands.size() > 1 ? operands[1].bits : a;
  uint8_t flags = attrs.intFlags;
  auto flagged = [](Flagged f) {
    return ScalarResult{{std::move(f.value), f.poison}};
  };
  auto plain = [](APInt value) {
    return ScalarResult{{std::move(value), false}};
  };
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::SubI:
  case ScalarOp::MulI:
    return flagged(evalAddSubMul(op, flags, a, b));
  case ScalarOp::MulHighSI:
  case ScalarOp::MulHighUI:
    return plain(mulHigh(a, b, op == ScalarOp::MulHighSI));
  case ScalarOp::AddUICarry: {
    bool carry;
    (void)a.uadd_ov(b, carry);
    return plain(APInt(1, carry));
  }
  case ScalarOp::DivSI:
  case ScalarOp::DivUI:
  case ScalarOp::CeilDivSI:
  case ScalarOp::CeilDivUI:
  case ScalarOp::FloorDivSI:
  case ScalarOp::RemSI:
  case ScalarOp::RemUI:
    return evalDivision(op, flags, a, b);
  case ScalarOp::AndI:
    return plain(a & b);
  case ScalarOp::OrI:
    return flagged({a | b, false});
  case ScalarOp::XOrI:
    return plain(a ^ b);
  case ScalarOp::ShLI:
  case ScalarOp::ShRSI:
  case ScalarOp::ShRUI:
    return flagged(evalShift(op, flags, a, b));
  case ScalarOp::MinSI:
    return plain(a.slt(b) ? a : b);
  case ScalarOp::MaxSI:
    return plain(a.slt(b) ? b : a);
  case ScalarOp::MinUI:
    return plain(a.ult(b) ? a : b);
  case ScalarOp::MaxUI:
    return plain(a.ult(b) ? b : a);
  case ScalarOp::CmpI:
    return plain(APInt(1, compare(attrs.predicate, a, b)));
  case ScalarOp::ExtSI:
  case ScalarOp::ExtUI:
  case ScalarOp::TruncI:
  case ScalarOp::IndexCast:
  case ScalarOp::IndexCastUI:
    return flagged(evalCast(op, flags, a, resultType.width()));
  case ScalarOp::IPowI:
    return evalIPow(a, b);
  default:
    return plain(evalUnary(op, a));
  }
}
