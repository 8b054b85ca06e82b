//===- ScalarEval.cpp - Concrete execution of one scalar operation --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// evalScalar: poison and fast-math flags, then dispatch to the integer, float
/// and library parts. Also the text form of scalar types and values.
///
//===----------------------------------------------------------------------===//

#include "ScalarEvalDetail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

#include <cmath>
#include <cstdio>

using namespace llvm;
using namespace panpipe::tv;
using namespace panpipe::tv::scalareval;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

bool scalareval::hasInf(ScalarType type) {
  return APFloatBase::semanticsHasInf(type.fltSemantics());
}

bool scalareval::hasNaN(ScalarType type) {
  return APFloatBase::semanticsHasNaN(type.fltSemantics());
}

APFloat scalareval::toAPFloat(ScalarType type, const APInt &bits) {
  return APFloat(type.fltSemantics(), bits);
}

APInt panpipe::tv::canonicalNaN(ScalarType type) {
  if (!hasNaN(type))
    return APInt(type.width(), 0);
  return APFloat::getQNaN(type.fltSemantics()).bitcastToAPInt();
}

bool panpipe::tv::movesBits(ScalarOp op) {
  switch (op) {
  case ScalarOp::NegF:
  case ScalarOp::AbsF:
  case ScalarOp::CopySign:
  case ScalarOp::Select:
  case ScalarOp::Bitcast:
    return true;
  default:
    return false;
  }
}

bool panpipe::tv::isNaN(ScalarType type, const APInt &bits) {
  if (!type.isFloat() || !hasNaN(type))
    return false;
  return toAPFloat(type, bits).isNaN();
}

APInt scalareval::fromAPFloat(ScalarType type, const APFloat &value) {
  return value.isNaN() ? canonicalNaN(type) : value.bitcastToAPInt();
}

//===----------------------------------------------------------------------===//
// evalScalar
//===----------------------------------------------------------------------===//

/// Operations whose second operand must not be poison: a divisor. The encoder
/// has a list of its own, on purpose: this is its oracle, and a shared mistake
/// would be no difference.
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

static bool isSignedDivision(ScalarOp op) {
  return isDivision(op) && op != ScalarOp::DivUI && op != ScalarOp::CeilDivUI &&
         op != ScalarOp::RemUI;
}

/// True if nnan or ninf of `flags` forbids `bits`.
static bool violates(uint8_t flags, ScalarType type, const APInt &bits) {
  if (!type.isFloat() || !(flags & (FMF_nnan | FMF_ninf)))
    return false;
  APFloat value = toAPFloat(type, bits);
  return ((flags & FMF_nnan) && value.isNaN()) ||
         ((flags & FMF_ninf) && value.isInfinity());
}

static ScalarResult evalSelect(ArrayRef<ScalarValue> operands,
                               ScalarType resultType) {
  if (operands[0].poison)
    return {ScalarValue::poisoned(resultType.width())};
  return {operands[operands[0].bits.isZero() ? 2 : 1]};
}

ScalarResult panpipe::tv::evalScalar(ScalarOp op, const ScalarAttrs &attrs,
                                     ScalarType resultType,
                                     ArrayRef<ScalarType> operandTypes,
                                     ArrayRef<ScalarValue> operands) {
  ScalarResult poison = {ScalarValue::poisoned(resultType.width())};
  if (op == ScalarOp::Select) {
    ScalarResult result = evalSelect(operands, resultType);
    if (!result.value.poison &&
        violates(attrs.fastMath, resultType, result.value.bits))
      return poison;
    return result;
  }
  if (isDivision(op)) {
    if (operands[1].poison)
      return {poison.value, "division by poison"};
    if (operands[1].bits.isZero())
      return {poison.value, "division by zero"};
    // The dividend could be the least value, as LLVM has it.
    if (operands[0].poison && isSignedDivision(op) &&
        operands[1].bits.isAllOnes())
      return {poison.value, "signed division of poison by -1"};
  }
  if (any_of(operands, [](const ScalarValue &v) { return v.poison; }))
    return poison;
  for (auto [type, value] : zip(operandTypes, operands))
    if (violates(attrs.fastMath, type, value.bits))
      return poison;

  switch (scalarOpClass(op)) {
  case ScalarOpClass::INT:
    return evalInteger(op, attrs, resultType, operandTypes, operands);
  case ScalarOpClass::EXACT:
  case ScalarOpClass::ABSTRACT: {
    ScalarResult result = {
        evalFloat(op, attrs, resultType, operandTypes, operands)};
    if (violates(attrs.fastMath, resultType, result.value.bits))
      return poison;
    return result;
  }
  case ScalarOpClass::OPAQUE: {
    ScalarResult result = {
        op == ScalarOp::RemF
            ? evalFloat(op, attrs, resultType, operandTypes, operands)
            : evalLibrary(op, resultType, operandTypes, operands)};
    if (violates(attrs.fastMath, resultType, result.value.bits))
      return poison;
    return result;
  }
  }
  return poison;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static const char *floatName(APFloatBase::Semantics semantics) {
  switch (semantics) {
  case APFloatBase::S_IEEEhalf:
    return "f16";
  case APFloatBase::S_BFloat:
    return "bf16";
  case APFloatBase::S_IEEEsingle:
    return "f32";
  case APFloatBase::S_IEEEdouble:
    return "f64";
  case APFloatBase::S_IEEEquad:
    return "f128";
  case APFloatBase::S_x87DoubleExtended:
    return "f80";
  case APFloatBase::S_FloatTF32:
    return "tf32";
  case APFloatBase::S_Float8E5M2:
    return "f8E5M2";
  case APFloatBase::S_Float8E5M2FNUZ:
    return "f8E5M2FNUZ";
  case APFloatBase::S_Float8E4M3:
    return "f8E4M3";
  case APFloatBase::S_Float8E4M3FN:
    return "f8E4M3FN";
  case APFloatBase::S_Float8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case APFloatBase::S_Float8E4M3B11FNUZ:
    return "f8E4M3B11FNUZ";
  case APFloatBase::S_Float8E3M4:
    return "f8E3M4";
  case APFloatBase::S_Float8E8M0FNU:
    return "f8E8M0FNU";
  case APFloatBase::S_Float6E3M2FN:
    return "f6E3M2FN";
  case APFloatBase::S_Float6E2M3FN:
    return "f6E2M3FN";
  case APFloatBase::S_Float4E2M1FN:
    return "f4E2M1FN";
  default:
    return "float";
  }
}

std::string panpipe::tv::toString(ScalarType type) {
  if (type.isIndex())
    return "index";
  if (type.isInteger())
    return "i" + std::to_string(type.width());
  return floatName(type.semantics());
}

/// The shortest decimal that reads back as `value`.
static std::string shortest(ScalarType type, const APFloat &value) {
  SmallString<64> text;
  if (type.width() > 64) {
    value.toString(text);
    return std::string(text);
  }
  APFloat wide = value;
  bool lossy;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  double number = wide.convertToDouble();
  char buffer[64];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(buffer, sizeof buffer, "%.*g", digits, number);
    APFloat back(type.fltSemantics());
    auto status = back.convertFromString(buffer, APFloat::rmNearestTiesToEven);
    if (!status) {
      consumeError(status.takeError());
      continue;
    }
    if (back.bitwiseIsEqual(value))
      break;
  }
  // "20" instead of "2e+01": plain digits where they are few.
  double magnitude = std::fabs(number);
  if (StringRef(buffer).contains('e') && magnitude >= 1 && magnitude < 1e9 &&
      magnitude == std::floor(magnitude))
    std::snprintf(buffer, sizeof buffer, "%.0f", number);
  return buffer;
}

std::string panpipe::tv::toString(ScalarType type, const ScalarValue &value) {
  if (value.poison)
    return "poison";
  if (type.isBoolean())
    return value.bits.isZero() ? "false" : "true";
  if (!type.isFloat()) {
    SmallString<32> text;
    value.bits.toStringSigned(text);
    return std::string(text);
  }
  APFloat number = toAPFloat(type, value.bits);
  if (number.isNaN()) {
    if (value.bits == canonicalNaN(type))
      return "nan";
    SmallString<32> text;
    value.bits.toString(text, 16, /*Signed=*/false, /*formatAsCLiteral=*/true);
    return "nan(" + std::string(text) + ")";
  }
  if (number.isInfinity())
    return number.isNegative() ? "-inf" : "inf";
  std::string text = shortest(type, number);
  if (StringRef(text).find_first_of(".eE") == StringRef::npos)
    text += ".0";
  return text;
}
