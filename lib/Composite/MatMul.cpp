//===- MatMul.cpp - Bodies of matrix products ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using Shape = TensorBuilder::Shape;

static int64_t product(Shape sizes) {
  int64_t n = 1;
  for (int64_t size : sizes)
    n *= size;
  return n;
}

Value panpipe::buildLinear(TensorBuilder &b, ValueRange args, DictionaryAttr,
                           RankedTensorType result) {
  Shape in = b.shapeOf(args[0]), w = b.shapeOf(args[1]);
  Type element = result.getElementType();
  int64_t rows = product(in.drop_back());
  Value x = b.reshape(args[0], {rows, in.back()});
  Value zero = b.filled({rows, w[0]}, element, 0.0);
  // weight is [out, in]: y = x * weight^T
  Value y = linalg::MatmulTransposeBOp::create(
                b.b, b.loc, TypeRange(zero.getType()), {x, args[1]}, zero)
                .getResult(0);
  if (args.size() > 2)
    y = b.mapped({y, args[2]}, {b.identityMap(2), b.dimsMap(2, {1})},
                 {rows, w[0]}, element,
                 [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                   return arith::AddFOp::create(inner, at, v[0], v[1]);
                 });
  return b.reshape(y, result.getShape());
}

/// Equal batch dimensions on both sides, or a matrix on the right.
Value panpipe::buildMatmul(TensorBuilder &b, ValueRange args, DictionaryAttr,
                           RankedTensorType result) {
  Shape lhs = b.shapeOf(args[0]), rhs = b.shapeOf(args[1]);
  Type element = result.getElementType();
  int64_t k = lhs.back(), n = rhs.back();
  if (rhs.size() == 2) {
    int64_t rows = product(lhs.drop_back());
    Value zero = b.filled({rows, n}, element, 0.0);
    Value x = b.reshape(args[0], {rows, k});
    Value y = linalg::MatmulOp::create(b.b, b.loc, TypeRange(zero.getType()),
                                       ValueRange{x, args[1]}, zero)
                  .getResult(0);
    return b.reshape(y, result.getShape());
  }
  int64_t batch = product(lhs.drop_back(2)), m = lhs[lhs.size() - 2];
  Value x = b.reshape(args[0], {batch, m, k});
  Value w = b.reshape(args[1], {batch, k, n});
  Value zero = b.filled({batch, m, n}, element, 0.0);
  Value y = linalg::BatchMatmulOp::create(b.b, b.loc, TypeRange(zero.getType()),
                                          ValueRange{x, w}, zero)
                .getResult(0);
  return b.reshape(y, result.getShape());
}

/// Row i of the result is weight[indices[i]].
Value panpipe::buildEmbedding(TensorBuilder &b, ValueRange args, DictionaryAttr,
                              RankedTensorType result) {
  Value weight = args[0], indices = args[1];
  unsigned rank = result.getRank();
  SmallVector<int64_t> outer(rank - 1);
  for (unsigned i = 0; i + 1 < rank; ++i)
    outer[i] = i;
  return b.mapped(indices, b.dimsMap(rank, outer), result.getShape(),
                  result.getElementType(),
                  [&](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    Value row = arith::IndexCastOp::create(
                        inner, at, inner.getIndexType(), v[0]);
                    Value column = linalg::IndexOp::create(inner, at, rank - 1);
                    return tensor::ExtractOp::create(inner, at, weight,
                                                     ValueRange{row, column});
                  });
}
