//===- ScalarEvalFloat.cpp - Concrete execution of float operations -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exact float operations in every format, through APFloat; the square root,
/// which APFloat lacks, through a wider host format or an integer root.
///
//===----------------------------------------------------------------------===//

#include "ScalarEvalDetail.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace llvm;
using namespace panpipe::tv;
using namespace panpipe::tv::scalareval;

static constexpr APFloat::roundingMode nearest = APFloat::rmNearestTiesToEven;

static APFloat convertTo(APFloat value, const fltSemantics &semantics,
                         APFloat::roundingMode mode = nearest) {
  bool lossy;
  value.convert(semantics, mode, &lossy);
  return value;
}

//===----------------------------------------------------------------------===//
// Comparisons, minimum and maximum
//===----------------------------------------------------------------------===//

/// Predicates are those of arith::CmpFPredicate.
static bool compare(unsigned predicate, const APFloat &a, const APFloat &b) {
  APFloat::cmpResult order = a.compare(b);
  bool unordered = order == APFloat::cmpUnordered;
  bool equal = order == APFloat::cmpEqual;
  bool less = order == APFloat::cmpLessThan;
  bool greater = order == APFloat::cmpGreaterThan;
  switch (predicate) {
  case 0:
    return false;
  case 1:
    return equal;
  case 2:
    return greater;
  case 3:
    return greater || equal;
  case 4:
    return less;
  case 5:
    return less || equal;
  case 6:
    return less || greater;
  case 7:
    return !unordered;
  case 8:
    return unordered || equal;
  case 9:
    return unordered || greater;
  case 10:
    return unordered || greater || equal;
  case 11:
    return unordered || less;
  case 12:
    return unordered || less || equal;
  case 13:
    return unordered || less || greater;
  case 14:
    return unordered;
  default:
    return true;
  }
}

/// Total order of numbers in which -0 < +0.
static bool isBelow(const APFloat &a, const APFloat &b) {
  APFloat::cmpResult order = a.compare(b);
  if (order == APFloat::cmpEqual)
    return a.isNegative() && !b.isNegative();
  return order == APFloat::cmpLessThan;
}

/// The min/max family: whether NaN propagates, and which operand is wanted. For
/// +0 and -0 maxnumf and minnumf may return either; this picks by sign.
static APFloat minMax(ScalarOp op, const APFloat &a, const APFloat &b) {
  bool propagate = op == ScalarOp::MaximumF || op == ScalarOp::MinimumF;
  bool wantMax = op == ScalarOp::MaximumF || op == ScalarOp::MaxNumF;
  if (a.isNaN())
    return propagate ? a : b;
  if (b.isNaN())
    return propagate ? b : a;
  return isBelow(a, b) == wantMax ? b : a;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// floor(sqrt(n)), bit by bit; exact is set if nothing is left.
static APInt integerRoot(const APInt &n, bool &exact) {
  unsigned width = n.getBitWidth();
  APInt rest = n, root(width, 0);
  for (int i = int(width - 1) & ~1; i >= 0; i -= 2) {
    APInt bit = APInt::getOneBitSet(width, i);
    APInt trial = root + bit;
    root.lshrInPlace(1);
    if (rest.uge(trial)) {
      rest -= trial;
      root += bit;
    }
  }
  exact = rest.isZero();
  return root;
}

/// Square root of a positive finite number of a wide format (f80, f128), whose
/// exponent range keeps every root normal.
static APFloat wideRoot(const APFloat &value) {
  const fltSemantics &semantics = value.getSemantics();
  unsigned precision = APFloat::semanticsPrecision(semantics);
  int exponent = ilogb(value) - int(precision) + 1;
  // value = significand · 2^exponent; make the exponent even and the
  // significand wide enough for precision + 3 bits of root.
  unsigned width = 2 * precision + 10;
  APSInt significand(width, /*isUnsigned=*/true);
  bool exact;
  scalbn(value, -exponent, nearest)
      .convertToInteger(significand, APFloat::rmTowardZero, &exact);
  unsigned shift = precision + 6;
  if ((exponent - int(shift)) % 2)
    ++shift;
  APInt root = integerRoot(significand.shl(shift), exact);
  root <<= 1; // room for the sticky bit
  if (!exact)
    root.setBit(0);
  APFloat result(semantics);
  result.convertFromAPInt(root, /*IsSigned=*/false, nearest);
  return scalbn(result, (exponent - int(shift)) / 2 - 1, nearest);
}

static APFloat squareRoot(const APFloat &value) {
  const fltSemantics &semantics = value.getSemantics();
  if (value.isNaN() || value.isZero())
    return value;
  if (value.isNegative())
    return APFloat::getQNaN(semantics);
  if (value.isInfinity())
    return value;
  if (&semantics == &APFloat::IEEEsingle())
    return APFloat(std::sqrt(value.convertToFloat()));
  if (&semantics == &APFloat::IEEEdouble())
    return APFloat(std::sqrt(value.convertToDouble()));
  if (APFloat::getSizeInBits(semantics) > 64)
    return wideRoot(value);
  // A double has more than 2p + 2 bits for every narrower format, so rounding
  // twice rounds rightly.
  APFloat wide = convertTo(value, APFloat::IEEEdouble());
  return convertTo(APFloat(std::sqrt(wide.convertToDouble())), semantics);
}

static APFloat arithmetic(ScalarOp op, ArrayRef<APFloat> args) {
  APFloat result = args[0];
  switch (op) {
  case ScalarOp::AddF:
    result.add(args[1], nearest);
    break;
  case ScalarOp::SubF:
    result.subtract(args[1], nearest);
    break;
  case ScalarOp::MulF:
    result.multiply(args[1], nearest);
    break;
  case ScalarOp::DivF:
    result.divide(args[1], nearest);
    break;
  case ScalarOp::Fma:
    result.fusedMultiplyAdd(args[1], args[2], nearest);
    break;
  case ScalarOp::RemF:
    result.mod(args[1]);
    break;
  default:
    result = squareRoot(args[0]);
    break;
  }
  return result;
}

static APFloat roundToInteger(ScalarOp op, APFloat value) {
  APFloat::roundingMode mode = nearest;
  if (op == ScalarOp::Ceil)
    mode = APFloat::rmTowardPositive;
  else if (op == ScalarOp::Floor)
    mode = APFloat::rmTowardNegative;
  else if (op == ScalarOp::Trunc)
    mode = APFloat::rmTowardZero;
  else if (op == ScalarOp::Round)
    mode = APFloat::rmNearestTiesToAway;
  // APFloat adds and subtracts 2^(precision - 1), which f8E3M4 cannot hold.
  const fltSemantics &format = value.getSemantics();
  bool isSmall = APFloat::getSizeInBits(format) <= 8, lossy;
  if (isSmall)
    value.convert(APFloat::IEEEsingle(), nearest, &lossy);
  value.roundToIntegral(mode);
  if (isSmall)
    value.convert(format, nearest, &lossy);
  return value;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

/// arith::RoundingMode, one based; 0 is the default.
static APFloat::roundingMode roundingMode(uint8_t number) {
  switch (number) {
  case 2:
    return APFloat::rmTowardNegative;
  case 3:
    return APFloat::rmTowardPositive;
  case 4:
    return APFloat::rmTowardZero;
  case 5:
    return APFloat::rmNearestTiesToAway;
  default:
    return nearest;
  }
}

static ScalarValue floatToInteger(const APFloat &value, unsigned width,
                                  bool isSigned) {
  APSInt result(width, /*isUnsigned=*/!isSigned);
  bool exact;
  if (value.isNaN() || value.isInfinity() ||
      value.convertToInteger(result, APFloat::rmTowardZero, &exact) ==
          APFloat::opInvalidOp)
    return ScalarValue::poisoned(width);
  return {APInt(result), false};
}

static ScalarValue floatToFloat(ScalarType from, ScalarType to,
                                const APFloat &value,
                                APFloat::roundingMode mode) {
  // Formats of four and six bits have no NaN, and the smallest no infinity:
  // such values have no image.
  if ((value.isNaN() && !hasNaN(to)) ||
      (value.isInfinity() && !hasInf(to) && !hasNaN(to)))
    return ScalarValue::poisoned(to.width());
  return {fromAPFloat(to, convertTo(value, to.fltSemantics(), mode)), false};
}

/// Moves bits where the format has a sign bit of its own; the formats in which
/// -0 is NaN go through APFloat.
static APInt negate(ScalarType type, const APInt &bits) {
  APFloat value = toAPFloat(type, bits);
  value.changeSign();
  if (!value.isNaN())
    return value.bitcastToAPInt();
  if (type.width() == 8)
    return bits; // one NaN or a NaN whose sign is not readable
  return bits ^ APInt::getSignMask(type.width());
}

static ScalarValue evalMove(ScalarOp op, ScalarType type, const APInt &a,
                            const APInt &b) {
  bool negative = a.isNegative();
  switch (op) {
  case ScalarOp::NegF:
    return {negate(type, a), false};
  case ScalarOp::AbsF:
    return {toAPFloat(type, a).isNegative() ? negate(type, a) : a, false};
  default: // CopySign
    return {negative == b.isNegative() ? a : negate(type, a), false};
  }
}

static bool classTest(ScalarOp op, const APFloat &value) {
  switch (op) {
  case ScalarOp::IsNaN:
    return value.isNaN();
  case ScalarOp::IsInf:
    return value.isInfinity();
  case ScalarOp::IsFinite:
    return value.isFinite();
  default:
    return value.isNormal();
  }
}

/// Arithmetic in `type`. Formats without NaN compute in f32 and round back.
static ScalarValue evalArithmetic(ScalarOp op, ScalarType type,
                                  ArrayRef<ScalarValue> operands) {
  SmallVector<APFloat, 3> args;
  for (const ScalarValue &operand : operands)
    args.push_back(toAPFloat(type, operand.bits));
  if (hasNaN(type) && type.semantics() != APFloatBase::S_Float8E8M0FNU)
    return {fromAPFloat(type, arithmetic(op, args)), false};
  for (APFloat &arg : args)
    arg = convertTo(arg, APFloat::IEEEsingle());
  ScalarType single = ScalarType::floating(APFloatBase::S_IEEEsingle);
  return floatToFloat(single, type, arithmetic(op, args), nearest);
}

ScalarValue scalareval::evalFloat(ScalarOp op, const ScalarAttrs &attrs,
                                  ScalarType resultType,
                                  ArrayRef<ScalarType> operandTypes,
                                  ArrayRef<ScalarValue> operands) {
  const APInt &a = operands[0].bits;
  const APInt &b = operands.size() > 1 ? operands[1].bits : a;
  ScalarType type = operandTypes[0];
  switch (op) {
  case ScalarOp::Bitcast:
    return {a, false};
  case ScalarOp::NegF:
  case ScalarOp::AbsF:
  case ScalarOp::CopySign:
    return evalMove(op, type, a, b);
  case ScalarOp::SIToFP:
  case ScalarOp::UIToFP: {
    if ((attrs.intFlags & IF_nneg) && a.isNegative())
      return ScalarValue::poisoned(resultType.width());
    APFloat value(resultType.fltSemantics());
    value.convertFromAPInt(a, op == ScalarOp::SIToFP, nearest);
    return {fromAPFloat(resultType, value), false};
  }
  default:
    break;
  }
  APFloat x = toAPFloat(type, a);
  switch (op) {
  case ScalarOp::CmpF:
    return {APInt(1, compare(attrs.predicate, x, toAPFloat(type, b))), false};
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF:
    return {fromAPFloat(type, minMax(op, x, toAPFloat(type, b))), false};
  case ScalarOp::ExtF:
  case ScalarOp::TruncF:
    return floatToFloat(type, resultType, x, roundingMode(attrs.rounding));
  case ScalarOp::FPToSI:
  case ScalarOp::FPToUI:
    return floatToInteger(x, resultType.width(), op == ScalarOp::FPToSI);
  case ScalarOp::Ceil:
  case ScalarOp::Floor:
  case ScalarOp::Trunc:
  case ScalarOp::Round:
  case ScalarOp::RoundEven:
    return {fromAPFloat(type, roundToInteger(op, x)), false};
  case ScalarOp::IsNaN:
  case ScalarOp::IsInf:
  case ScalarOp::IsFinite:
  case ScalarOp::IsNormal:
    return {APInt(1, classTest(op, x)), false};
  default:
    return evalArithmetic(op, type, operands);
  }
}
