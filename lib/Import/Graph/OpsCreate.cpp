//===- OpsCreate.cpp - Operators that make tensors from numbers ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;

static void bindFilled(NodeLowering &op, double value) {
  if (!op.ok())
    return;
  if (op.resultDType() == DType::Bool)
    value = value != 0.0;
  op.bind(
      op.b.filled(op.resultShape(), op.resultType().getElementType(), value));
}

static void lowerFull(NodeLowering &op) {
  bindFilled(op, op.number("fill_value"));
}
static void lowerFill(NodeLowering &op) { bindFilled(op, op.number("value")); }
static void lowerZeros(NodeLowering &op) { bindFilled(op, 0.0); }
static void lowerOnes(NodeLowering &op) { bindFilled(op, 1.0); }
static void lowerScalarTensor(NodeLowering &op) {
  bindFilled(op, op.number("s"));
}

/// start + i * step, computed as integers or in double precision.
static void bindRange(NodeLowering &op, double start, double step) {
  if (!op.ok() ||
      !op.require(op.resultType().getRank() == 1, "its result is no vector"))
    return;
  DType to = op.resultDType();
  DType via = isFloat(to) ? DType::F64 : DType::I64;
  op.bind(op.b.mapped(
      {}, {}, op.resultShape(), op.resultType().getElementType(),
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        TensorBuilder s(b, loc);
        Value i = arith::IndexCastOp::create(
            b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, 0));
        Value x = castScalar(b, loc, i, DType::I64, via);
        Value first = s.scalar(x.getType(), start);
        Value by = s.scalar(x.getType(), step);
        if (via == DType::I64)
          x = arith::AddIOp::create(b, loc, first,
                                    arith::MulIOp::create(b, loc, x, by));
        else
          x = arith::AddFOp::create(b, loc, first,
                                    arith::MulFOp::create(b, loc, x, by));
        return castScalar(b, loc, x, via, to);
      }));
}

static void lowerArange(NodeLowering &op) { bindRange(op, 0.0, 1.0); }
static void lowerArangeStart(NodeLowering &op) {
  bindRange(op, op.number("start"), 1.0);
}
static void lowerArangeStep(NodeLowering &op) {
  double start = op.number("start");
  bindRange(op, start, op.number("step"));
}

/// Keeps the elements with column - row <= diagonal (tril) or >= (triu).
template <bool lower> static void lowerTriangle(NodeLowering &op) {
  Value v = op.tensor("self");
  int64_t diagonal = op.integer("diagonal");
  if (!op.ok())
    return;
  TensorBuilder::Shape shape = TensorBuilder::shapeOf(v);
  unsigned rank = unsigned(shape.size());
  if (!op.require(rank >= 2, "its operand is no matrix"))
    return;
  op.bind(op.b.elementwise(
      v, shape, TensorBuilder::elementOf(v),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        TensorBuilder s(b, loc);
        Value column = linalg::IndexOp::create(b, loc, rank - 1);
        Value row = linalg::IndexOp::create(b, loc, rank - 2);
        Value bound = arith::AddIOp::create(b, loc, row, s.index(diagonal));
        Value keep = arith::CmpIOp::create(b, loc,
                                           lower ? arith::CmpIPredicate::sle
                                                 : arith::CmpIPredicate::sge,
                                           column, bound);
        return arith::SelectOp::create(b, loc, keep, args[0],
                                       s.scalar(args[0].getType(), 0.0));
      }));
}

ArrayRef<OpEntry> panpipe::import::createOps() {
  constexpr Accepts any = Accepts::Anything;
  static const OpEntry table[] = {
      {"full", any, lowerFull},
      {"full_like", any, lowerFull},
      {"new_full", any, lowerFull},
      {"fill.Scalar", any, lowerFill},
      {"zeros", any, lowerZeros},
      {"zeros_like", any, lowerZeros},
      {"new_zeros", any, lowerZeros},
      {"ones", any, lowerOnes},
      {"ones_like", any, lowerOnes},
      {"new_ones", any, lowerOnes},
      {"scalar_tensor", any, lowerScalarTensor},
      {"arange", Accepts::Numbers, lowerArange},
      {"arange.start", Accepts::Numbers, lowerArangeStart},
      {"arange.start_step", Accepts::Numbers, lowerArangeStep},
      {"tril", any, lowerTriangle<true>},
      {"triu", any, lowerTriangle<false>},
  };
  return table;
}
