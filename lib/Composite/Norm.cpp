//===- Norm.cpp - Bodies of normalisations and softmax -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace panpipe;
using Shape = TensorBuilder::Shape;

/// All dimensions of 0 … rank-1 that are not in `dims`.
static SmallVector<int64_t> otherDims(unsigned rank, Shape dims) {
  SmallVector<int64_t> kept;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    if (!llvm::is_contained(dims, i))
      kept.push_back(i);
  return kept;
}

/// 1 / sqrt(v + eps), elementwise.
static Value inverseDeviation(TensorBuilder &b, Value v, double eps) {
  return b.elementwise(
      v, b.shapeOf(v), b.elementOf(v),
      [&](OpBuilder &inner, Location at, ValueRange x) -> Value {
        TensorBuilder s(inner, at);
        Type type = x[0].getType();
        Value sum = arith::AddFOp::create(inner, at, x[0], s.scalar(type, eps));
        Value root = math::SqrtOp::create(inner, at, sum);
        return arith::DivFOp::create(inner, at, s.scalar(type, 1.0), root);
      });
}

/// (x - mean) * inverse [* weight [+ bias]]
static Value normalizeScalar(OpBuilder &inner, Location at, ValueRange v) {
  Value centred = arith::SubFOp::create(inner, at, v[0], v[1]);
  Value y = arith::MulFOp::create(inner, at, centred, v[2]);
  if (v.size() > 3)
    y = arith::MulFOp::create(inner, at, y, v[3]);
  if (v.size() > 4)
    y = arith::AddFOp::create(inner, at, y, v[4]);
  return y;
}

Value panpipe::buildBatchNorm(TensorBuilder &b, ValueRange args,
                              DictionaryAttr params, RankedTensorType result) {
  unsigned rank = result.getRank();
  SmallVector<Value> operands(args.begin(), args.end());
  operands[2] = inverseDeviation(b, args[2], paramFloat(params, "eps"));
  SmallVector<AffineMap> maps(operands.size(), b.dimsMap(rank, {1}));
  maps[0] = b.identityMap(rank);
  return b.mapped(operands, maps, result.getShape(), result.getElementType(),
                  normalizeScalar);
}

/// Mean and 1 / sqrt(variance + eps) over `dims`, two passes.
static std::pair<Value, Value> moments(TensorBuilder &b, Value x, Shape dims,
                                       double eps) {
  unsigned rank = b.shapeOf(x).size();
  Type element = b.elementOf(x);
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= b.shapeOf(x)[dim];
  auto mean = [&](Value v) {
    Value sum = b.sum(v, dims);
    return b.elementwise(
        sum, b.shapeOf(sum), element,
        [&](OpBuilder &inner, Location at, ValueRange s) -> Value {
          Value n = TensorBuilder(inner, at).scalar(element, double(count));
          return arith::DivFOp::create(inner, at, s[0], n);
        });
  };
  Value centre = mean(x);
  AffineMap kept = b.dimsMap(rank, otherDims(rank, dims));
  Value squares =
      b.mapped({x, centre}, {b.identityMap(rank), kept}, b.shapeOf(x), element,
               [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                 Value d = arith::SubFOp::create(inner, at, v[0], v[1]);
                 return arith::MulFOp::create(inner, at, d, d);
               });
  return {centre, inverseDeviation(b, mean(squares), eps)};
}

Value panpipe::buildLayerNorm(TensorBuilder &b, ValueRange args,
                              DictionaryAttr params, RankedTensorType result) {
  int64_t rank = result.getRank(), axes = paramInt(params, "axes");
  SmallVector<int64_t> dims, outer;
  for (int64_t i = 0; i < rank; ++i)
    (i < rank - axes ? outer : dims).push_back(i);
  auto [mean, inverse] = moments(b, args[0], dims, paramFloat(params, "eps"));
  SmallVector<Value> operands{args[0], mean, inverse};
  AffineMap outerMap = b.dimsMap(rank, outer);
  SmallVector<AffineMap> maps{b.identityMap(rank), outerMap, outerMap};
  for (Value extra : args.drop_front()) {
    operands.push_back(extra);
    maps.push_back(b.dimsMap(rank, dims));
  }
  return b.mapped(operands, maps, result.getShape(), result.getElementType(),
                  normalizeScalar);
}

Value panpipe::buildRmsNorm(TensorBuilder &b, ValueRange args,
                            DictionaryAttr params, RankedTensorType result) {
  int64_t rank = result.getRank(), axes = paramInt(params, "axes");
  SmallVector<int64_t> dims, outer;
  for (int64_t i = 0; i < rank; ++i)
    (i < rank - axes ? outer : dims).push_back(i);
  Type element = result.getElementType();
  Value squares =
      b.elementwise(args[0], result.getShape(), element,
                    [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                      return arith::MulFOp::create(inner, at, v[0], v[0]);
                    });
  double count = 1;
  for (int64_t dim : dims)
    count *= double(result.getDimSize(unsigned(dim)));
  Value sum = b.sum(squares, dims);
  Value mean =
      b.elementwise(sum, b.shapeOf(sum), element,
                    [&](OpBuilder &inner, Location at, ValueRange v) -> Value {
                      Value n = TensorBuilder(inner, at).scalar(element, count);
                      return arith::DivFOp::create(inner, at, v[0], n);
                    });
  SmallVector<Value> operands{
      args[0], inverseDeviation(b, mean, paramFloat(params, "eps"))};
  SmallVector<AffineMap> maps{b.identityMap(rank), b.dimsMap(rank, outer)};
  if (args.size() > 1) {
    operands.push_back(args[1]);
    maps.push_back(b.dimsMap(rank, dims));
  }
  return b.mapped(operands, maps, result.getShape(), element,
                  [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    Value y = arith::MulFOp::create(inner, at, v[0], v[1]);
                    if (v.size() < 3)
                      return y;
                    return arith::MulFOp::create(inner, at, y, v[2]);
                  });
}

Value panpipe::buildGroupNorm(TensorBuilder &b, ValueRange args,
                              DictionaryAttr params, RankedTensorType result) {
  int64_t groups = paramInt(params, "groups");
  SmallVector<int64_t> split(result.getShape());
  split[1] /= groups;
  split.insert(split.begin() + 1, groups);
  Value x = b.reshape(args[0], split);
  unsigned rank = split.size();
  SmallVector<int64_t> dims = otherDims(rank, {0, 1});
  auto [mean, inverse] = moments(b, x, dims, paramFloat(params, "eps"));
  AffineMap outer = b.dimsMap(rank, {0, 1});
  SmallVector<Value> operands{x, mean, inverse};
  SmallVector<AffineMap> maps{b.identityMap(rank), outer, outer};
  for (Value extra : args.drop_front()) {
    operands.push_back(b.reshape(extra, {groups, split[2]}));
    maps.push_back(b.dimsMap(rank, {1, 2}));
  }
  Value y =
      b.mapped(operands, maps, split, result.getElementType(), normalizeScalar);
  return b.reshape(y, result.getShape());
}

/// x - max(x) over `axis`, and the maps of both shapes.
static Value subtractMaximum(TensorBuilder &b, Value x, int64_t axis,
                             AffineMap kept) {
  Value top = b.maximum(x, axis);
  return b.mapped({x, top}, {b.identityMap(b.shapeOf(x).size()), kept},
                  b.shapeOf(x), b.elementOf(x),
                  [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    return arith::SubFOp::create(inner, at, v[0], v[1]);
                  });
}

static Value exponential(TensorBuilder &b, Value x) {
  return b.elementwise(
      x, b.shapeOf(x), b.elementOf(x),
      [](OpBuilder &inner, Location at, ValueRange v) -> Value {
        return math::ExpOp::create(inner, at, v[0]);
      });
}

Value panpipe::buildSoftmax(TensorBuilder &b, ValueRange args,
                            DictionaryAttr params, RankedTensorType result) {
  int64_t axis = paramInt(params, "axis");
  unsigned rank = result.getRank();
  AffineMap kept = b.dimsMap(rank, otherDims(rank, axis));
  Value e = exponential(b, subtractMaximum(b, args[0], axis, kept));
  return b.mapped({e, b.sum(e, axis)}, {b.identityMap(rank), kept},
                  result.getShape(), result.getElementType(),
                  [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    return arith::DivFOp::create(inner, at, v[0], v[1]);
                  });
}

Value panpipe::buildLogSoftmax(TensorBuilder &b, ValueRange args,
                               DictionaryAttr params, RankedTensorType result) {
  int64_t axis = paramInt(params, "axis");
  unsigned rank = result.getRank();
  AffineMap kept = b.dimsMap(rank, otherDims(rank, axis));
  Value shifted = subtractMaximum(b, args[0], axis, kept);
  Value total = b.sum(exponential(b, shifted), axis);
  return b.mapped({shifted, total}, {b.identityMap(rank), kept},
                  result.getShape(), result.getElementType(),
                  [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    Value log = math::LogOp::create(inner, at, v[1]);
                    return arith::SubFOp::create(inner, at, v[0], log);
                  });
}
