//===- Pool.cpp - Bodies of pooling operations ---------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <limits>

using namespace mlir;
using namespace panpipe;
using Shape = TensorBuilder::Shape;

/// Pads so that every window of the result lies inside. With ceil mode the last
/// window may need more than `padding` on the right.
static Value padForWindows(TensorBuilder &b, Value x, Shape out, Shape kernel,
                           Shape stride, Shape padding, Shape dilation,
                           double value) {
  SmallVector<int64_t> low{0, 0, padding[0], padding[1]}, high(low);
  for (int i = 0; i < 2; ++i) {
    int64_t needed =
        (out[2 + i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1;
    high[2 + i] =
        std::max(padding[i], needed - b.shapeOf(x)[2 + i] - padding[i]);
  }
  return b.pad(x, low, high, value);
}

static Value divideBy(TensorBuilder &b, Value v, double divisor) {
  return b.elementwise(
      v, b.shapeOf(v), b.elementOf(v),
      [&](OpBuilder &inner, Location at, ValueRange args) -> Value {
        Value d = TensorBuilder(inner, at).scalar(args[0].getType(), divisor);
        return arith::DivFOp::create(inner, at, args[0], d);
      });
}

Value panpipe::buildMaxPool2d(TensorBuilder &b, ValueRange args,
                              DictionaryAttr params, RankedTensorType result) {
  constexpr double lowest = -std::numeric_limits<double>::infinity();
  Shape kernel = paramInts(params, "kernel"),
        stride = paramInts(params, "stride"),
        dilation = paramInts(params, "dilation");
  Type element = result.getElementType();
  Value x = padForWindows(b, args[0], result.getShape(), kernel, stride,
                          paramInts(params, "padding"), dilation, lowest);
  Value window = b.empty(kernel, element);
  Value init = b.filled(result.getShape(), element, lowest);
  return linalg::PoolingNchwMaxOp::create(
             b.b, b.loc, init.getType(), {x, window}, init, b.i64Tensor(stride),
             b.i64Tensor(dilation))
      .getResult(0);
}

static Value sumWindows(TensorBuilder &b, Value x, Shape kernel, Shape stride,
                        Shape out) {
  Type element = b.elementOf(x);
  Value window = b.empty(kernel, element);
  Value init = b.filled(out, element, 0.0);
  return linalg::PoolingNchwSumOp::create(
             b.b, b.loc, init.getType(), {x, window}, init, b.i64Tensor(stride),
             b.i64Tensor({1, 1}))
      .getResult(0);
}

/// How many elements of each window count, along one dimension.
static SmallVector<double> windowCounts(int64_t in, int64_t out, int64_t kernel,
                                        int64_t stride, int64_t padding,
                                        bool countPadding) {
  SmallVector<double> counts;
  for (int64_t i = 0; i < out; ++i) {
    int64_t begin = i * stride - padding;
    int64_t end = std::min(begin + kernel, in + padding);
    if (!countPadding) {
      begin = std::max<int64_t>(begin, 0);
      end = std::min(end, in);
    }
    counts.push_back(double(end - begin));
  }
  return counts;
}

static Value constantVector(TensorBuilder &b, Type element,
                            ArrayRef<double> values) {
  SmallVector<Attribute> attrs;
  for (double value : values)
    attrs.push_back(b.b.getFloatAttr(element, value));
  auto type = RankedTensorType::get(int64_t(values.size()), element);
  return arith::ConstantOp::create(b.b, b.loc,
                                   DenseElementsAttr::get(type, attrs));
}

/// Divides by the size of each window, which is that of its rows times that of
/// its columns.
static Value divideByCounts(TensorBuilder &b, Value sum, ArrayRef<double> rows,
                            ArrayRef<double> columns) {
  if (llvm::all_equal(rows) && llvm::all_equal(columns))
    return divideBy(b, sum, rows[0] * columns[0]);
  Type element = b.elementOf(sum);
  return b.mapped({sum, constantVector(b, element, rows),
                   constantVector(b, element, columns)},
                  {b.identityMap(4), b.dimsMap(4, {2}), b.dimsMap(4, {3})},
                  b.shapeOf(sum), element,
                  [](OpBuilder &inner, Location at, ValueRange v) -> Value {
                    Value count = arith::MulFOp::create(inner, at, v[1], v[2]);
                    return arith::DivFOp::create(inner, at, v[0], count);
                  });
}

Value panpipe::buildAvgPool2d(TensorBuilder &b, ValueRange args,
                              DictionaryAttr params, RankedTensorType result) {
  Shape kernel = paramInts(params, "kernel"),
        stride = paramInts(params, "stride"),
        padding = paramInts(params, "padding"), out = result.getShape(),
        in = b.shapeOf(args[0]);
  bool countPadding = paramBool(params, "count_include_pad");
  Value x =
      padForWindows(b, args[0], out, kernel, stride, padding, {1, 1}, 0.0);
  Value sum = sumWindows(b, x, kernel, stride, out);
  if (int64_t divisor = paramInt(params, "divisor"))
    return divideBy(b, sum, double(divisor));
  SmallVector<double> rows = windowCounts(in[2], out[2], kernel[0], stride[0],
                                          padding[0], countPadding);
  SmallVector<double> columns = windowCounts(
      in[3], out[3], kernel[1], stride[1], padding[1], countPadding);
  return divideByCounts(b, sum, rows, columns);
}

/// Sums over windows of uneven size along one dimension: window i reaches from
/// floor(i * in / out) to ceil((i + 1) * in / out).
static Value sumUneven(TensorBuilder &b, Value x, int64_t dim, int64_t out,
                       SmallVector<double> &counts) {
  SmallVector<int64_t> offsets(4, 0), sizes(b.shapeOf(x)), strides(4, 1);
  int64_t in = sizes[dim];
  SmallVector<Value> parts;
  for (int64_t i = 0; i < out; ++i) {
    offsets[dim] = i * in / out;
    sizes[dim] = ((i + 1) * in + out - 1) / out - offsets[dim];
    counts.push_back(double(sizes[dim]));
    Value part = b.slice(x, offsets, sizes, strides);
    parts.push_back(b.unsqueeze(b.sum(part, dim), dim));
  }
  return b.concat(parts, dim);
}

/// First the rows of all windows, then their columns, then the division.
static Value averageUneven(TensorBuilder &b, Value x, RankedTensorType result) {
  Shape out = result.getShape();
  SmallVector<double> rows, columns;
  Value y = sumUneven(b, x, 2, out[2], rows);
  y = sumUneven(b, y, 3, out[3], columns);
  return divideByCounts(b, y, rows, columns);
}

Value panpipe::buildAdaptiveAvgPool2d(TensorBuilder &b, ValueRange args,
                                      DictionaryAttr, RankedTensorType result) {
  Shape in = b.shapeOf(args[0]), out = result.getShape();
  if (out[2] == 1 && out[3] == 1) {
    Value mean = divideBy(b, b.sum(args[0], {2, 3}), double(in[2] * in[3]));
    return b.reshape(mean, out);
  }
  if (in[2] % out[2] || in[3] % out[3])
    return averageUneven(b, args[0], result);
  SmallVector<int64_t> kernel{in[2] / out[2], in[3] / out[3]};
  Value sum = sumWindows(b, args[0], kernel, kernel, out);
  return divideBy(b, sum, double(kernel[0] * kernel[1]));
}
