//===- TensorBuilder.cpp - Short ways to build linalg on tensors ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Composite/TensorBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

#include <limits>

using namespace mlir;
using namespace panpipe;

RankedTensorType TensorBuilder::typeOf(Value v) {
  return cast<RankedTensorType>(v.getType());
}

Type TensorBuilder::elementOf(Value v) { return typeOf(v).getElementType(); }

AffineMap TensorBuilder::identityMap(unsigned rank) {
  return AffineMap::getMultiDimIdentityMap(rank, b.getContext());
}

AffineMap TensorBuilder::dimsMap(unsigned rank, Shape dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(b.getAffineDimExpr(unsigned(dim)));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

DenseI64ArrayAttr TensorBuilder::i64Array(Shape values) {
  return b.getDenseI64ArrayAttr(values);
}

DenseIntElementsAttr TensorBuilder::i64Tensor(Shape values) {
  return b.getI64TensorAttr(values);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value TensorBuilder::scalar(Type type, double value) {
  if (isa<FloatType>(type))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  // Infinities and NaN have no integer: take the nearest, and 0.
  constexpr double bound = 9223372036854775808.0; // 2^63
  int64_t whole = value >= bound    ? std::numeric_limits<int64_t>::max()
                  : value <= -bound ? std::numeric_limits<int64_t>::min()
                  : value == value  ? int64_t(value)
                                    : 0;
  llvm::APInt bits(64, uint64_t(whole), /*isSigned=*/true);
  return arith::ConstantOp::create(
      b, loc, b.getIntegerAttr(type, bits.trunc(type.getIntOrFloatBitWidth())));
}

Value TensorBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value TensorBuilder::empty(Shape shape, Type element) {
  return tensor::EmptyOp::create(b, loc, shape, element);
}

Value TensorBuilder::filled(Shape shape, Type element, double value) {
  Value init = scalar(element, value);
  return linalg::FillOp::create(b, loc, init, empty(shape, element))
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Structured operations
//===----------------------------------------------------------------------===//

Value TensorBuilder::mapped(ValueRange operands, ArrayRef<AffineMap> maps,
                            Shape shape, Type element, ScalarFn fn) {
  SmallVector<AffineMap> allMaps(maps);
  allMaps.push_back(identityMap(shape.size()));
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  Value init = empty(shape, element);
  return linalg::GenericOp::create(
             b, loc, init.getType(), operands, init, allMaps, loops,
             [&](OpBuilder &inner, Location at, ValueRange args) {
               linalg::YieldOp::create(inner, at,
                                       fn(inner, at, args.drop_back()));
             })
      .getResult(0);
}

Value TensorBuilder::elementwise(ValueRange operands, Shape shape, Type element,
                                 ScalarFn fn) {
  SmallVector<AffineMap> maps;
  for (Value operand : operands) {
    Shape from = shapeOf(operand);
    assert(from.size() <= shape.size() && "operand has too many dimensions");
    size_t skip = shape.size() - from.size();
    SmallVector<AffineExpr> exprs;
    for (size_t i = 0; i < from.size(); ++i)
      exprs.push_back(from[i] == shape[skip + i]
                          ? b.getAffineDimExpr(unsigned(skip + i))
                          : b.getAffineConstantExpr(0));
    maps.push_back(AffineMap::get(shape.size(), 0, exprs, b.getContext()));
  }
  return mapped(operands, maps, shape, element, fn);
}

Value TensorBuilder::reduce(Value v, Shape dims, Value init, ScalarFn fn) {
  Shape shape = shapeOf(v);
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  for (int64_t dim : dims)
    loops[dim] = utils::IteratorType::reduction;
  SmallVector<int64_t> kept, sizes;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (loops[dim] == utils::IteratorType::parallel) {
      kept.push_back(int64_t(dim));
      sizes.push_back(size);
    }
  Value start =
      linalg::FillOp::create(b, loc, init, empty(sizes, init.getType()))
          .getResult(0);
  AffineMap maps[] = {identityMap(shape.size()), dimsMap(shape.size(), kept)};
  return linalg::GenericOp::create(
             b, loc, start.getType(), v, start, maps, loops,
             [&](OpBuilder &inner, Location at, ValueRange args) {
               linalg::YieldOp::create(inner, at, fn(inner, at, args));
             })
      .getResult(0);
}

Value TensorBuilder::sum(Value v, Shape dims) {
  Type element = elementOf(v);
  bool isFloat = isa<FloatType>(element);
  return reduce(v, dims, scalar(element, 0.0),
                [&](OpBuilder &inner, Location at, ValueRange args) -> Value {
                  if (isFloat)
                    return arith::AddFOp::create(inner, at, args[1], args[0]);
                  return arith::AddIOp::create(inner, at, args[1], args[0]);
                });
}

Value TensorBuilder::maximum(Value v, Shape dims) {
  Value init = scalar(elementOf(v), -std::numeric_limits<double>::infinity());
  return reduce(v, dims, init,
                [](OpBuilder &inner, Location at, ValueRange args) -> Value {
                  return arith::MaximumFOp::create(inner, at, args[1], args[0]);
                });
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value TensorBuilder::unsqueeze(Value v, Shape dims) {
  SmallVector<int64_t> shape(shapeOf(v));
  for (int64_t dim : dims)
    shape.insert(shape.begin() + dim, 1);
  return reshape(v, shape);
}

/// Splits two shapes with equal products into the shortest runs of dimensions
/// with equal products.
static void matchRuns(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                      SmallVectorImpl<ReassociationIndices> &fromRuns,
                      SmallVectorImpl<ReassociationIndices> &toRuns) {
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    ReassociationIndices a{int64_t(i)}, c{int64_t(j)};
    int64_t x = from[i++], y = to[j++];
    while (x != y) {
      if (x < y) {
        a.push_back(int64_t(i));
        x *= from[i++];
      } else {
        c.push_back(int64_t(j));
        y *= to[j++];
      }
    }
    fromRuns.push_back(a);
    toRuns.push_back(c);
  }
  // Sizes of 1 that are left over belong to the last run.
  for (; i < from.size(); ++i)
    fromRuns.back().push_back(int64_t(i));
  for (; j < to.size(); ++j)
    toRuns.back().push_back(int64_t(j));
}

static bool hasLongRun(ArrayRef<ReassociationIndices> runs) {
  return llvm::any_of(
      runs, [](const ReassociationIndices &r) { return r.size() > 1; });
}

Value TensorBuilder::regroup(Value v, Shape shape) {
  SmallVector<ReassociationIndices> fromRuns, toRuns;
  matchRuns(shapeOf(v), shape, fromRuns, toRuns);
  if (hasLongRun(fromRuns)) {
    SmallVector<int64_t> merged;
    for (const ReassociationIndices &run : fromRuns) {
      int64_t size = 1;
      for (int64_t dim : run)
        size *= shapeOf(v)[dim];
      merged.push_back(size);
    }
    auto type = RankedTensorType::get(merged, elementOf(v));
    v = tensor::CollapseShapeOp::create(b, loc, type, v, fromRuns);
  }
  if (!hasLongRun(toRuns))
    return v;
  auto type = RankedTensorType::get(shape, elementOf(v));
  return tensor::ExpandShapeOp::create(b, loc, type, v, toRuns);
}

Value TensorBuilder::reshape(Value v, Shape shape) {
  Shape from = shapeOf(v);
  if (from == shape)
    return v;
  auto type = RankedTensorType::get(shape, elementOf(v));
  if (type.getNumElements() == 0)
    return empty(shape, elementOf(v));
  if (from.empty())
    return tensor::ExpandShapeOp::create(b, loc, type, v,
                                         ArrayRef<ReassociationIndices>());
  if (shape.empty())
    return tensor::CollapseShapeOp::create(b, loc, type, v,
                                           ArrayRef<ReassociationIndices>());
  return regroup(v, shape);
}

Value TensorBuilder::transpose(Value v, Shape permutation) {
  if (llvm::is_sorted(permutation))
    return v;
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(shapeOf(v)[dim]);
  return linalg::TransposeOp::create(b, loc, v, empty(shape, elementOf(v)),
                                     permutation)
      ->getResult(0);
}

Value TensorBuilder::broadcastTo(Value v, Shape shape) {
  if (shapeOf(v) == shape)
    return v;
  return elementwise(
      v, shape, elementOf(v),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
}

static SmallVector<OpFoldResult> asAttrs(OpBuilder &b, ArrayRef<int64_t> v) {
  return getAsIndexOpFoldResult(b.getContext(), v);
}

Value TensorBuilder::slice(Value v, Shape offsets, Shape sizes, Shape strides) {
  if (sizes == shapeOf(v))
    return v;
  return tensor::ExtractSliceOp::create(b, loc, v, asAttrs(b, offsets),
                                        asAttrs(b, sizes), asAttrs(b, strides));
}

Value TensorBuilder::insert(Value v, Value into, Shape offsets, Shape strides) {
  return tensor::InsertSliceOp::create(b, loc, v, into, asAttrs(b, offsets),
                                       asAttrs(b, shapeOf(v)),
                                       asAttrs(b, strides));
}

Value TensorBuilder::pad(Value v, Shape low, Shape high, double value) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return v;
  SmallVector<int64_t> shape;
  for (auto [size, before, after] : llvm::zip_equal(shapeOf(v), low, high))
    shape.push_back(size + before + after);
  return tensor::PadOp::create(
      b, loc, RankedTensorType::get(shape, elementOf(v)), v, asAttrs(b, low),
      asAttrs(b, high), scalar(elementOf(v), value));
}

Value TensorBuilder::concat(ValueRange parts, int64_t dim) {
  if (parts.size() == 1)
    return parts[0];
  return tensor::ConcatOp::create(b, loc, dim, parts);
}
