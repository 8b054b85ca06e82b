//===- ScalarMapping.cpp - From MLIR operations to scalar operations ------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Interp/ScalarMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace panpipe::tv;

/// Operations of ScalarOps.def by the name of their MLIR operation.
static const llvm::StringMap<ScalarOp> &table() {
  static const llvm::StringMap<ScalarOp> names = {
#define SCALAR_OP(Name, Arity, Class, Spelling) {Spelling, ScalarOp::Name},
#include "panpipe/TV/Term/ScalarOps.def"
  };
  return names;
}

/// Operations with two results: the scalar operation of each.
static std::optional<ScalarOp> mapPair(Operation *op, unsigned resultNumber) {
  bool first = resultNumber == 0;
  if (isa<arith::MulSIExtendedOp>(op))
    return first ? ScalarOp::MulI : ScalarOp::MulHighSI;
  if (isa<arith::MulUIExtendedOp>(op))
    return first ? ScalarOp::MulI : ScalarOp::MulHighUI;
  if (isa<arith::AddUIExtendedOp>(op))
    return first ? ScalarOp::AddI : ScalarOp::AddUICarry;
  if (isa<math::SincosOp>(op))
    return first ? ScalarOp::Sin : ScalarOp::Cos;
  return std::nullopt;
}

static ScalarAttrs readAttrs(Operation *op) {
  ScalarAttrs attrs;
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
    if (auto flags = fast.getFastMathFlagsAttr())
      attrs.fastMath = static_cast<uint8_t>(flags.getValue());
  if (auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op)) {
    if (overflow.hasNoSignedWrap())
      attrs.intFlags |= IF_nsw;
    if (overflow.hasNoUnsignedWrap())
      attrs.intFlags |= IF_nuw;
  }
  if (op->getAttrOfType<UnitAttr>("isExact"))
    attrs.intFlags |= IF_exact;
  if (op->getAttrOfType<UnitAttr>("nonNeg"))
    attrs.intFlags |= IF_nneg;
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    attrs.predicate = static_cast<uint8_t>(cmp.getPredicate());
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    attrs.predicate = static_cast<uint8_t>(cmp.getPredicate());
  if (auto trunc = dyn_cast<arith::TruncFOp>(op))
    if (auto mode = trunc.getRoundingmodeAttr())
      attrs.rounding = 1 + static_cast<uint8_t>(mode.getValue());
  return attrs;
}

std::optional<ScalarMapping> panpipe::tv::mapScalarOp(Operation *op,
                                                      unsigned resultNumber) {
  std::optional<ScalarOp> scalar;
  if (op->getNumResults() == 2) {
    scalar = mapPair(op, resultNumber);
  } else {
    auto found = table().find(op->getName().getStringRef());
    if (found != table().end())
      scalar = found->second;
  }
  if (!scalar)
    return std::nullopt;
  return ScalarMapping{*scalar, readAttrs(op)};
}

std::optional<ScalarType> panpipe::tv::mapScalarType(Type type,
                                                     unsigned indexWidth) {
  if (type.isIndex())
    return ScalarType::index(indexWidth);
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() == 0 ? std::optional<ScalarType>()
                                   : ScalarType::integer(integer.getWidth());
  if (auto real = dyn_cast<FloatType>(type))
    return ScalarType::floating(
        llvm::APFloat::SemanticsToEnum(real.getFloatSemantics()));
  return std::nullopt;
}

std::optional<ScalarValue> panpipe::tv::mapScalarAttr(Attribute attr,
                                                      ScalarType type) {
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    return ScalarValue{integer.getValue().sextOrTrunc(type.width()), false};
  if (auto real = dyn_cast<FloatAttr>(attr))
    return ScalarValue{real.getValue().bitcastToAPInt(), false};
  return std::nullopt;
}
