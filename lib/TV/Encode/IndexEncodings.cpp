//===- IndexEncodings.cpp - Encodings of the index dialect ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations on scalars of type index. Each is one scalar operation without
/// flags, undefined or poison where its arith counterpart is.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

template <typename OpT, ScalarOp scalar>
static LogicalResult encodeScalar(OpT op, Encoder &e) {
  SmallVector<Element, 2> operands;
  for (Value operand : op->getOperands())
    operands.push_back(e.scalar(operand));
  Value result = op->getResult(0);
  e.define(result, e.apply(scalar, ScalarAttrs(),
                           *e.scalarType(result.getType()), operands, op));
  return success();
}

static LogicalResult encodeCmp(index::CmpOp op, Encoder &e) {
  // The enumerations of both dialects number the predicates alike.
  ScalarAttrs attrs;
  attrs.predicate = static_cast<uint8_t>(op.getPred());
  e.define(op, e.apply(ScalarOp::CmpI, attrs, ScalarType::boolean(),
                       {e.scalar(op.getLhs()), e.scalar(op.getRhs())}, op));
  return success();
}

/// The attribute has 64 bits whatever the width of index.
static LogicalResult encodeConstant(index::ConstantOp op, Encoder &e) {
  ScalarType type = e.indexType();
  e.define(op, e.defined(e.terms().mkConst(
                   type, op.getValue().sextOrTrunc(type.width()))));
  return success();
}

static LogicalResult encodeBoolConstant(index::BoolConstantOp op, Encoder &e) {
  e.define(op, e.defined(e.terms().mkBool(op.getValue())));
  return success();
}

static LogicalResult encodeSizeOf(index::SizeOfOp op, Encoder &e) {
  int64_t width = e.indexType().width();
  e.assumeNote("index-width", "index has " + Twine(width) + " bits");
  e.define(op, e.defined(e.terms().mkInt(e.indexType(), width)));
  return success();
}

void tv::populateIndexEncodings(OpEncodings &t) {
  t.on(encodeScalar<index::AddOp, ScalarOp::AddI>);
  t.on(encodeScalar<index::AndOp, ScalarOp::AndI>);
  t.on(encodeBoolConstant);
  t.on(encodeScalar<index::CastSOp, ScalarOp::IndexCast>);
  t.on(encodeScalar<index::CastUOp, ScalarOp::IndexCastUI>);
  t.on(encodeScalar<index::CeilDivSOp, ScalarOp::CeilDivSI>);
  t.on(encodeScalar<index::CeilDivUOp, ScalarOp::CeilDivUI>);
  t.on(encodeCmp);
  t.on(encodeConstant);
  t.on(encodeScalar<index::DivSOp, ScalarOp::DivSI>);
  t.on(encodeScalar<index::DivUOp, ScalarOp::DivUI>);
  t.on(encodeScalar<index::FloorDivSOp, ScalarOp::FloorDivSI>);
  t.on(encodeScalar<index::MaxSOp, ScalarOp::MaxSI>);
  t.on(encodeScalar<index::MaxUOp, ScalarOp::MaxUI>);
  t.on(encodeScalar<index::MinSOp, ScalarOp::MinSI>);
  t.on(encodeScalar<index::MinUOp, ScalarOp::MinUI>);
  t.on(encodeScalar<index::MulOp, ScalarOp::MulI>);
  t.on(encodeScalar<index::OrOp, ScalarOp::OrI>);
  t.on(encodeScalar<index::RemSOp, ScalarOp::RemSI>);
  t.on(encodeScalar<index::RemUOp, ScalarOp::RemUI>);
  t.on(encodeScalar<index::ShlOp, ScalarOp::ShLI>);
  t.on(encodeScalar<index::ShrSOp, ScalarOp::ShRSI>);
  t.on(encodeScalar<index::ShrUOp, ScalarOp::ShRUI>);
  t.on(encodeSizeOf);
  t.on(encodeScalar<index::SubOp, ScalarOp::SubI>);
  t.on(encodeScalar<index::XOrOp, ScalarOp::XOrI>);
}
