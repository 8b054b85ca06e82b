//===- Conv.cpp - Bodies of convolutions ---------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace panpipe;
using Shape = TensorBuilder::Shape;

/// x[n, c, …] + bias[c], after the sum: that order is the reference.
static Value addChannelBias(TensorBuilder &b, Value v, Value bias) {
  unsigned rank = b.shapeOf(v).size();
  return b.mapped({v, bias}, {b.identityMap(rank), b.dimsMap(rank, {1})},
                  b.shapeOf(v), b.elementOf(v),
                  [](OpBuilder &inner, Location at, ValueRange args) -> Value {
                    return arith::AddFOp::create(inner, at, args[0], args[1]);
                  });
}

/// Splits dimension `dim` into [groups, size / groups].
static Value splitDim(TensorBuilder &b, Value v, int64_t dim, int64_t groups) {
  SmallVector<int64_t> shape(b.shapeOf(v));
  shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  return b.reshape(v, shape);
}

/// Convolution of an already padded input; `weight` is [out, in / groups, h,
/// w].
static Value convolve(TensorBuilder &b, Value x, Value weight, Shape stride,
                      Shape dilation, int64_t groups, Shape resultShape) {
  Type element = b.elementOf(x);
  Attribute strides = b.i64Tensor(stride), dilations = b.i64Tensor(dilation);
  if (groups == 1) {
    Value zero = b.filled(resultShape, element, 0.0);
    return linalg::Conv2DNchwFchwOp::create(b.b, b.loc, zero.getType(),
                                            {x, weight}, zero, strides,
                                            dilations)
        .getResult(0);
  }
  SmallVector<int64_t> grouped(resultShape);
  grouped[1] /= groups;
  grouped.insert(grouped.begin() + 1, groups);
  Value zero = b.filled(grouped, element, 0.0);
  Value split = splitDim(b, x, 1, groups);
  Value filter = splitDim(b, weight, 0, groups);
  Value sum = linalg::Conv2DNgchwGfchwOp::create(b.b, b.loc, zero.getType(),
                                                 {split, filter}, zero, strides,
                                                 dilations)
                  .getResult(0);
  return b.reshape(sum, resultShape);
}

/// One generic over [n, g, f, z, y, x] and the filter's [c, kz, ky, kx].
static Value convolve3d(TensorBuilder &b, Value x, Value weight, Shape stride,
                        Shape dilation, int64_t groups, Shape resultShape) {
  Type element = b.elementOf(x);
  MLIRContext *context = b.b.getContext();
  AffineExpr d[10];
  for (unsigned i = 0; i < 10; ++i)
    d[i] = getAffineDimExpr(i, context);
  SmallVector<AffineExpr> in{d[0], d[1], d[6]};
  for (unsigned i = 0; i < 3; ++i)
    in.push_back(d[3 + i] * stride[i] + d[7 + i] * dilation[i]);
  AffineMap maps[] = {
      AffineMap::get(10, 0, in, context),
      AffineMap::get(10, 0, {d[1], d[2], d[6], d[7], d[8], d[9]}, context),
      AffineMap::get(10, 0, {d[0], d[1], d[2], d[3], d[4], d[5]}, context)};
  SmallVector<utils::IteratorType> loops(10, utils::IteratorType::parallel);
  for (unsigned i = 6; i < 10; ++i)
    loops[i] = utils::IteratorType::reduction;
  SmallVector<int64_t> grouped(resultShape);
  grouped[1] /= groups;
  grouped.insert(grouped.begin() + 1, groups);
  Value zero = b.filled(grouped, element, 0.0);
  Value sum =
      linalg::GenericOp::create(
          b.b, b.loc, zero.getType(),
          ValueRange{splitDim(b, x, 1, groups), splitDim(b, weight, 0, groups)},
          zero, maps, loops,
          [](OpBuilder &inner, Location at, ValueRange v) {
            Value product = arith::MulFOp::create(inner, at, v[0], v[1]);
            Value next = arith::AddFOp::create(inner, at, v[2], product);
            linalg::YieldOp::create(inner, at, next);
          })
          .getResult(0);
  return b.reshape(sum, resultShape);
}

Value panpipe::buildConv3d(TensorBuilder &b, ValueRange args,
                           DictionaryAttr params, RankedTensorType result) {
  Shape padding = paramInts(params, "padding");
  SmallVector<int64_t> pads{0, 0, padding[0], padding[1], padding[2]};
  Value x = b.pad(args[0], pads, pads, 0.0);
  Value y = convolve3d(b, x, args[1], paramInts(params, "stride"),
                       paramInts(params, "dilation"),
                       paramInt(params, "groups"), result.getShape());
  return args.size() > 2 ? addChannelBias(b, y, args[2]) : y;
}

Value panpipe::buildConv2d(TensorBuilder &b, ValueRange args,
                           DictionaryAttr params, RankedTensorType result) {
  Shape padding = paramInts(params, "padding");
  SmallVector<int64_t> pads{0, 0, padding[0], padding[1]};
  Value x = b.pad(args[0], pads, pads, 0.0);
  Value y = convolve(b, x, args[1], paramInts(params, "stride"),
                     paramInts(params, "dilation"), paramInt(params, "groups"),
                     result.getShape());
  return args.size() > 2 ? addChannelBias(b, y, args[2]) : y;
}

/// From [in, out / groups, h, w] to [out, in / groups, h, w], mirrored in h, w.
static Value mirroredFilter(TensorBuilder &b, Value weight, int64_t groups) {
  Shape w = b.shapeOf(weight);
  int64_t in = w[0] / groups, out = w[1], h = w[2], k = w[3];
  MLIRContext *context = b.b.getContext();
  AffineExpr g, o, i, y, x;
  bindDims(context, g, o, i, y, x);
  // [groups, in, out, h, w] read at (g, i, o, h-1-y, w-1-x).
  AffineMap map =
      AffineMap::get(5, 0, {g, i, o, h - 1 - y, k - 1 - x}, context);
  Value split = splitDim(b, weight, 0, groups);
  Value mirrored =
      b.mapped(split, map, {groups, out, in, h, k}, b.elementOf(weight),
               [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  return b.reshape(mirrored, {groups * out, in, h, k});
}

/// The specification of a transposed convolution: put stride-1 zeros between
/// the elements, pad, and convolve with the mirrored filter.
Value panpipe::buildConvTranspose2d(TensorBuilder &b, ValueRange args,
                                    DictionaryAttr params,
                                    RankedTensorType result) {
  Shape stride = paramInts(params, "stride"),
        padding = paramInts(params, "padding"),
        extra = paramInts(params, "output_padding"),
        dilation = paramInts(params, "dilation");
  int64_t groups = paramInt(params, "groups");
  Shape in = b.shapeOf(args[0]), w = b.shapeOf(args[1]),
        out = result.getShape();
  SmallVector<int64_t> spread{in[0], in[1], 0, 0}, offsets{0, 0, 0, 0},
      full{out[0], out[1], 0, 0}, crop{0, 0, 0, 0};
  for (int i = 0; i < 2; ++i) {
    int64_t reach = dilation[i] * (w[2 + i] - 1);
    // A padding beyond the filter's reach crops the result instead.
    int64_t pad = std::max<int64_t>(reach - padding[i], 0);
    crop[2 + i] = std::max<int64_t>(padding[i] - reach, 0);
    offsets[2 + i] = pad;
    full[2 + i] = out[2 + i] + 2 * crop[2 + i];
    spread[2 + i] = full[2 + i] + reach;
  }
  (void)extra; // already part of the result's shape
  Value zeros = b.filled(spread, b.elementOf(args[0]), 0.0);
  Value x = b.insert(args[0], zeros, offsets, {1, 1, stride[0], stride[1]});
  Value y = convolve(b, x, mirroredFilter(b, args[1], groups), {1, 1}, dilation,
                     groups, full);
  y = b.slice(y, crop, out, {1, 1, 1, 1});
  return args.size() > 2 ? addChannelBias(b, y, args[2]) : y;
}
