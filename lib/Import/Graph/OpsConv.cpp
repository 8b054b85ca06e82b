//===- OpsConv.cpp - Convolutions ----------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Shape = TensorBuilder::Shape;

namespace {
/// Operands and parameters of a convolution over `dims` spatial dimensions.
struct Conv {
  Value input, weight, bias;
  Ints stride, padding, dilation, extra;
  int64_t groups = 1;
  bool transposed = false;
};
} // namespace

/// A convolution over one dimension is one over two with a height of 1.
static void addHeight(NodeLowering &op, Conv &c) {
  c.input = op.b.unsqueeze(c.input, 2);
  c.weight = op.b.unsqueeze(c.weight, 2);
  c.stride.insert(c.stride.begin(), 1);
  c.dilation.insert(c.dilation.begin(), 1);
  c.padding.insert(c.padding.begin(), 0);
  c.extra.insert(c.extra.begin(), 0);
}

/// The output shape, or a problem.
static Ints outputShape(NodeLowering &op, const Conv &c) {
  Shape x = TensorBuilder::shapeOf(c.input),
        w = TensorBuilder::shapeOf(c.weight);
  int64_t in = c.transposed ? w[0] : w[1] * c.groups;
  int64_t out = c.transposed ? w[1] * c.groups : w[0];
  if (!op.require(c.groups > 0 && out % c.groups == 0 && x[1] % c.groups == 0 &&
                      in == x[1],
                  "its weight does not fit its input's channels"))
    return {};
  if (c.bias && !op.require(TensorBuilder::shapeOf(c.bias) == Shape{out},
                            "its bias does not fit its weight"))
    return {};
  Ints shape{x[0], out};
  for (size_t i = 0; i + 2 < x.size(); ++i) {
    constexpr int64_t bound = 1 << 20;
    if (!op.require(c.stride[i] > 0 && c.stride[i] < bound &&
                        c.dilation[i] > 0 && c.dilation[i] < bound &&
                        c.padding[i] >= 0 && c.padding[i] < bound &&
                        c.extra[i] >= 0 && c.extra[i] < bound &&
                        x[2 + i] < bound && w[2 + i] < bound,
                    "its stride, padding or dilation is out of range"))
      return {};
    int64_t reach = c.dilation[i] * (w[2 + i] - 1);
    int64_t size =
        c.transposed
            ? (x[2 + i] - 1) * c.stride[i] - 2 * c.padding[i] + reach +
                  c.extra[i] + 1
            : (x[2 + i] + 2 * c.padding[i] - reach - 1) / c.stride[i] + 1;
    if (!op.require(size > 0 && x[2 + i] + 2 * c.padding[i] > reach,
                    "its filter is larger than its padded input"))
      return {};
    shape.push_back(size);
  }
  return shape;
}

static void lowerConv(NodeLowering &op, Conv c) {
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(c.input).getRank();
  bool known = rank == 3 || rank == 4 || (rank == 5 && !c.transposed);
  if (!op.require(
          known && TensorBuilder::typeOf(c.weight).getRank() == rank,
          "only convolutions over one to three dimensions, transposed "
          "ones over one or two, with a batch dimension, are supported"))
    return;
  if (rank == 3)
    addHeight(op, c);
  Ints shape = outputShape(op, c);
  Ints expected(op.resultShape());
  if (op.ok() && rank == 3 && expected.size() == 3)
    expected.insert(expected.begin() + 2, 1);
  if (!op.ok() || !op.require(shape == expected,
                              "its parameters do not give the declared shape"))
    return;
  SmallVector<Value> args{c.input, c.weight};
  if (c.bias)
    args.push_back(c.bias);
  Builder &b = op.b.b;
  SmallVector<NamedAttribute> params{
      b.getNamedAttr("stride", op.b.i64Array(c.stride)),
      b.getNamedAttr("padding", op.b.i64Array(c.padding)),
      b.getNamedAttr("dilation", op.b.i64Array(c.dilation)),
      b.getNamedAttr("groups", b.getI64IntegerAttr(c.groups))};
  if (c.transposed)
    params.push_back(b.getNamedAttr("output_padding", op.b.i64Array(c.extra)));
  StringRef name = c.transposed ? "conv_transpose2d"
                   : rank == 5  ? "conv3d"
                                : "conv2d";
  auto type = RankedTensorType::get(shape, op.resultType().getElementType());
  Value y = op.composite(name, args, b.getDictionaryAttr(params), type);
  op.bind(op.b.reshape(y, op.resultShape()));
}

static Conv commonParts(NodeLowering &op, size_t dims) {
  Conv c;
  c.input = op.tensor("input");
  c.weight = op.tensor("weight");
  c.bias = op.optionalTensor("bias");
  c.stride = op.integers("stride", dims);
  c.dilation = op.integers("dilation", dims);
  c.groups = op.integer("groups");
  c.extra.assign(dims, 0);
  return c;
}

template <size_t dims> static void lowerConvNd(NodeLowering &op) {
  Conv c = commonParts(op, dims);
  c.padding = op.integers("padding", dims);
  lowerConv(op, c);
}

/// padding is "valid" or "same".
template <size_t dims> static void lowerConvNamedPadding(NodeLowering &op) {
  Conv c = commonParts(op, dims);
  std::string mode = op.string("padding");
  c.padding.assign(dims, 0);
  if (!op.ok())
    return;
  Shape w = TensorBuilder::shapeOf(c.weight);
  for (size_t i = 0; mode == "same" && i < dims && 2 + i < w.size(); ++i) {
    int64_t total = c.dilation[i] * (w[2 + i] - 1);
    if (!op.require(total % 2 == 0, "its 'same' padding is uneven"))
      return;
    c.padding[i] = total / 2;
  }
  lowerConv(op, c);
}

template <size_t dims> static void lowerConvTranspose(NodeLowering &op) {
  Conv c = commonParts(op, dims);
  c.padding = op.integers("padding", dims);
  c.extra = op.integers("output_padding", dims);
  c.transposed = true;
  lowerConv(op, c);
}

/// The core form of all of them.
static void lowerConvolution(NodeLowering &op) {
  Value input = op.tensor("input");
  if (!op.ok())
    return;
  size_t dims =
      size_t(std::max<int64_t>(TensorBuilder::typeOf(input).getRank() - 2, 1));
  Conv c = commonParts(op, dims);
  c.padding = op.integers("padding", dims);
  c.extra = op.integers("output_padding", dims);
  c.transposed = op.boolean("transposed");
  lowerConv(op, c);
}

ArrayRef<OpEntry> panpipe::import::convOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"conv1d", floats, lowerConvNd<1>},
      {"conv1d.padding", floats, lowerConvNamedPadding<1>},
      {"conv2d", floats, lowerConvNd<2>},
      {"conv2d.padding", floats, lowerConvNamedPadding<2>},
      {"conv3d", floats, lowerConvNd<3>},
      {"conv3d.padding", floats, lowerConvNamedPadding<3>},
      {"conv_transpose1d", floats, lowerConvTranspose<1>},
      {"conv_transpose2d.input", floats, lowerConvTranspose<2>},
      {"convolution", floats, lowerConvolution},
  };
  return table;
}
