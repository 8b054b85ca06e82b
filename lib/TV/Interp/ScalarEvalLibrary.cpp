//===- ScalarEvalLibrary.cpp - Library functions on concrete scalars ------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one implementation of exp, tanh and friends that execution uses: the
/// host's long double functions, rounded to the format. Proofs treat these
/// functions as unknown; here any fixed meaning will do.
///
//===----------------------------------------------------------------------===//

#include "ScalarEvalDetail.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace panpipe::tv;
using namespace panpipe::tv::scalareval;

/// Formats wider than a double lose precision here, which only makes the
/// function another one.
static long double toHost(ScalarType type, const APInt &bits) {
  APFloat value = toAPFloat(type, bits);
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

static ScalarValue fromHost(ScalarType type, long double value) {
  if ((std::isnan(value) && !hasNaN(type)) ||
      (std::isinf(value) && !hasInf(type) && !hasNaN(type)))
    return ScalarValue::poisoned(type.width());
  if (std::isnan(value))
    return {canonicalNaN(type), false};
  // One rounding to f32, not two.
  if (type.semantics() == APFloatBase::S_IEEEsingle)
    return {APFloat(static_cast<float>(value)).bitcastToAPInt(), false};
  APFloat number(static_cast<double>(value));
  bool lossy;
  number.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
  return {fromAPFloat(type, number), false};
}

static long double evalUnary(ScalarOp op, long double x) {
  switch (op) {
  case ScalarOp::Rsqrt:
    return 1.0L / std::sqrt(x);
  case ScalarOp::Cbrt:
    return std::cbrt(x);
  case ScalarOp::Exp:
    return std::exp(x);
  case ScalarOp::Exp2:
    return std::exp2(x);
  case ScalarOp::ExpM1:
    return std::expm1(x);
  case ScalarOp::Log:
    return std::log(x);
  case ScalarOp::Log2:
    return std::log2(x);
  case ScalarOp::Log10:
    return std::log10(x);
  case ScalarOp::Log1p:
    return std::log1p(x);
  case ScalarOp::Sin:
    return std::sin(x);
  case ScalarOp::Cos:
    return std::cos(x);
  case ScalarOp::Tan:
    return std::tan(x);
  case ScalarOp::ASin:
    return std::asin(x);
  case ScalarOp::ACos:
    return std::acos(x);
  case ScalarOp::ATan:
    return std::atan(x);
  case ScalarOp::SinH:
    return std::sinh(x);
  case ScalarOp::CosH:
    return std::cosh(x);
  case ScalarOp::TanH:
    return std::tanh(x);
  case ScalarOp::ASinH:
    return std::asinh(x);
  case ScalarOp::ACosH:
    return std::acosh(x);
  case ScalarOp::ATanH:
    return std::atanh(x);
  case ScalarOp::Erf:
    return std::erf(x);
  default:
    return std::erfc(x);
  }
}

ScalarValue scalareval::evalLibrary(ScalarOp op, ScalarType resultType,
                                    ArrayRef<ScalarType> operandTypes,
                                    ArrayRef<ScalarValue> operands) {
  long double x = toHost(operandTypes[0], operands[0].bits);
  switch (op) {
  case ScalarOp::ATan2:
    return fromHost(resultType,
                    std::atan2(x, toHost(operandTypes[1], operands[1].bits)));
  case ScalarOp::PowF:
    return fromHost(resultType,
                    std::pow(x, toHost(operandTypes[1], operands[1].bits)));
  case ScalarOp::FPowI: {
    long double n = operands[1].bits.roundToDouble(/*isSigned=*/true);
    return fromHost(resultType, std::pow(x, n));
  }
  default:
    return fromHost(resultType, evalUnary(op, x));
  }
}
