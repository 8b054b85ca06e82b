//===- Attention.cpp - Bodies of attention and gelu ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace panpipe;
using Shape = TensorBuilder::Shape;

static constexpr double kLowest = -std::numeric_limits<double>::infinity();

/// scores * scale [+ mask, or -inf where a bool mask or the causal rule says].
static Value maskScores(TensorBuilder &b, Value scores, ValueRange masks,
                        double scale, bool causal) {
  unsigned rank = b.shapeOf(scores).size();
  SmallVector<Value> operands{scores};
  llvm::append_range(operands, masks);
  return b.elementwise(
      operands, b.shapeOf(scores), b.elementOf(scores),
      [&](OpBuilder &inner, Location at, ValueRange v) -> Value {
        TensorBuilder s(inner, at);
        Type type = v[0].getType();
        Value x = arith::MulFOp::create(inner, at, v[0], s.scalar(type, scale));
        Value keep;
        if (causal)
          keep = arith::CmpIOp::create(
              inner, at, arith::CmpIPredicate::sle,
              linalg::IndexOp::create(inner, at, rank - 1),
              linalg::IndexOp::create(inner, at, rank - 2));
        else if (v.size() > 1 && v[1].getType().isInteger(1))
          keep = v[1];
        else if (v.size() > 1)
          return arith::AddFOp::create(inner, at, x, v[1]);
        if (!keep)
          return x;
        return arith::SelectOp::create(inner, at, keep, x,
                                       s.scalar(type, kLowest));
      });
}

/// Softmax over the last axis. A row without any unmasked element becomes 0,
/// as PyTorch defines it for attention.
static Value safeSoftmax(TensorBuilder &b, Value x) {
  Shape shape = b.shapeOf(x);
  unsigned rank = shape.size();
  Type element = b.elementOf(x);
  SmallVector<int64_t> outer;
  for (unsigned i = 0; i + 1 < rank; ++i)
    outer.push_back(i);
  SmallVector<AffineMap> maps{b.identityMap(rank), b.dimsMap(rank, outer)};
  Value top = b.maximum(x, int64_t(rank) - 1);
  auto isMasked = [](OpBuilder &inner, Location at, Value v) -> Value {
    Value lowest = TensorBuilder(inner, at).scalar(v.getType(), kLowest);
    return arith::CmpFOp::create(inner, at, arith::CmpFPredicate::OEQ, v,
                                 lowest);
  };
  Value e = b.mapped({x, top}, maps, shape, element,
                     [&](OpBuilder &inner, Location at, ValueRange v) -> Value {
                       Value zero =
                           TensorBuilder(inner, at).scalar(element, 0.0);
                       Value shift = arith::SelectOp::create(
                           inner, at, isMasked(inner, at, v[1]), zero, v[1]);
                       Value d = arith::SubFOp::create(inner, at, v[0], shift);
                       return math::ExpOp::create(inner, at, d);
                     });
  maps.push_back(maps[1]);
  return b.mapped({e, b.sum(e, int64_t(rank) - 1), top}, maps, shape, element,
                  [&](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    Value zero = TensorBuilder(inner, at).scalar(element, 0.0);
                    Value q = arith::DivFOp::create(inner, at, v[0], v[1]);
                    return arith::SelectOp::create(
                        inner, at, isMasked(inner, at, v[2]), zero, q);
                  });
}

Value panpipe::buildSdpa(TensorBuilder &b, ValueRange args,
                         DictionaryAttr params, RankedTensorType result) {
  Shape q = b.shapeOf(args[0]), k = b.shapeOf(args[1]), v = b.shapeOf(args[2]);
  Type element = result.getElementType();
  size_t rank = q.size();
  int64_t batch = 1;
  for (int64_t size : q.drop_back(2))
    batch *= size;
  int64_t rows = q[rank - 2], columns = k[rank - 2], width = q.back();
  Value query = b.reshape(args[0], {batch, rows, width});
  Value key = b.reshape(args[1], {batch, columns, width});
  Value zero = b.filled({batch, rows, columns}, element, 0.0);
  Value scores = linalg::BatchMatmulTransposeBOp::create(
                     b.b, b.loc, TypeRange(zero.getType()), {query, key}, zero)
                     .getResult(0);
  SmallVector<int64_t> shape(q.drop_back(1));
  shape.push_back(columns);
  scores = maskScores(b, b.reshape(scores, shape), args.drop_front(3),
                      paramFloat(params, "scale"), paramBool(params, "causal"));
  Value weights;
  if (args.size() > 3) {
    weights = safeSoftmax(b, scores);
  } else {
    auto axis = b.b.getNamedAttr(
        "axis", b.b.getI64IntegerAttr(int64_t(shape.size()) - 1));
    weights =
        buildSoftmax(b, scores, b.b.getDictionaryAttr(axis), b.typeOf(scores));
  }
  weights = b.reshape(weights, {batch, rows, columns});
  Value value = b.reshape(args[2], {batch, columns, v.back()});
  zero = b.filled({batch, rows, v.back()}, element, 0.0);
  Value y = linalg::BatchMatmulOp::create(b.b, b.loc, TypeRange(zero.getType()),
                                          ValueRange{weights, value}, zero)
                .getResult(0);
  return b.reshape(y, result.getShape());
}

/// x * 0.5 * (1 + erf(x / sqrt 2))
static Value geluExact(OpBuilder &inner, Location at, ValueRange v) {
  TensorBuilder s(inner, at);
  Type type = v[0].getType();
  Value scaled = arith::MulFOp::create(inner, at, v[0],
                                       s.scalar(type, 0.70710678118654752440));
  Value erf = math::ErfOp::create(inner, at, scaled);
  Value sum = arith::AddFOp::create(inner, at, erf, s.scalar(type, 1.0));
  Value half = arith::MulFOp::create(inner, at, v[0], s.scalar(type, 0.5));
  return arith::MulFOp::create(inner, at, half, sum);
}

/// x * 0.5 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
static Value geluTanh(OpBuilder &inner, Location at, ValueRange v) {
  TensorBuilder s(inner, at);
  Type type = v[0].getType();
  auto mul = [&](Value x, Value y) -> Value {
    return arith::MulFOp::create(inner, at, x, y);
  };
  Value cube = mul(mul(v[0], v[0]), v[0]);
  Value poly = arith::AddFOp::create(inner, at, v[0],
                                     mul(cube, s.scalar(type, 0.044715)));
  Value tanh = math::TanhOp::create(
      inner, at, mul(poly, s.scalar(type, 0.79788456080286535588)));
  Value sum = arith::AddFOp::create(inner, at, tanh, s.scalar(type, 1.0));
  return mul(mul(v[0], s.scalar(type, 0.5)), sum);
}

Value panpipe::buildGelu(TensorBuilder &b, ValueRange args,
                         DictionaryAttr params, RankedTensorType result) {
  bool tanh = params.getAs<StringAttr>("approximate").getValue() == "tanh";
  return b.elementwise(args[0], result.getShape(), result.getElementType(),
                       tanh ? geluTanh : geluExact);
}
