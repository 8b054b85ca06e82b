//===- OpsConv.cpp - Convolutions and upsampling -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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
  for (int i = 0; i < 2; ++i) {
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
  if (!op.require((rank == 3 || rank == 4) &&
                      TensorBuilder::typeOf(c.weight).getRank() == rank,
                  "only convolutions over one or two dimensions, with a batch "
                  "dimension, are supported"))
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
  StringRef name = c.transposed ? "conv_transpose2d" : "conv2d";
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

static void lowerConvTranspose2d(NodeLowering &op) {
  Conv c = commonParts(op, 2);
  c.padding = op.integers("padding", 2);
  c.extra = op.integers("output_padding", 2);
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

//===----------------------------------------------------------------------===//
// Upsampling
//===----------------------------------------------------------------------===//

/// By a whole factor: repeat each row and column.
static void lowerUpsampleNearest(NodeLowering &op) {
  Value v = op.tensor(op.node.find("input") ? "input" : "self");
  if (!op.ok())
    return;
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  if (!op.require(in.size() == 4 && out.size() == 4 && in[0] == out[0] &&
                      in[1] == out[1],
                  "its operand is not [N, C, H, W]"))
    return;
  if (out[2] % in[2] || out[3] % in[3])
    return op.fail("it does not enlarge by a whole factor",
                   "choose a size that is a multiple of the input's");
  int64_t fy = out[2] / in[2], fx = out[3] / in[3];
  // [N, C, H, fy, W, fx] reads [N, C, H, W].
  Value wide = op.b.mapped(
      v, op.b.dimsMap(6, {0, 1, 2, 4}), {in[0], in[1], in[2], fy, in[3], fx},
      TensorBuilder::elementOf(v),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  op.bind(op.b.reshape(wide, out));
}

/// The two source lines of each output line and the weight of the second.
struct Interpolation {
  SmallVector<int64_t> first, second;
  SmallVector<float> weight;
};

static Interpolation interpolate(int64_t in, int64_t out, bool alignCorners,
                                 std::optional<double> factor) {
  Interpolation r;
  float scale = factor ? float(1.0 / *factor) : float(in) / float(out);
  if (alignCorners)
    scale = out > 1 ? float(in - 1) / float(out - 1) : 0.0f;
  for (int64_t i = 0; i < out; ++i) {
    float at = alignCorners ? scale * float(i)
                            : std::max(scale * (float(i) + 0.5f) - 0.5f, 0.0f);
    int64_t low = std::min(int64_t(at), in - 1);
    r.first.push_back(low);
    r.second.push_back(std::min(low + 1, in - 1));
    r.weight.push_back(std::min(std::max(at - float(low), 0.0f), 1.0f));
  }
  return r;
}

static Value indexVector(TensorBuilder &b, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(int64_t(values.size()), b.b.getI64Type());
  return arith::ConstantOp::create(b.b, b.loc,
                                   DenseElementsAttr::get(type, values));
}

/// One dimension of a bilinear resize: x[first] * (1 - w) + x[second] * w.
static Value resizeDim(TensorBuilder &b, Value v, int64_t dim,
                       const Interpolation &r) {
  SmallVector<int64_t> shape(b.shapeOf(v));
  unsigned rank = shape.size();
  shape[dim] = int64_t(r.first.size());
  Type element = b.elementOf(v);
  auto weights = DenseElementsAttr::get(
      RankedTensorType::get(shape[dim], b.b.getF32Type()),
      ArrayRef<float>(r.weight));
  Value w = arith::ConstantOp::create(b.b, b.loc, weights);
  AffineMap along = b.dimsMap(rank, dim);
  return b.mapped(
      {indexVector(b, r.first), indexVector(b, r.second), w},
      {along, along, along}, shape, element,
      [&](OpBuilder &inner, Location at, ValueRange args) -> Value {
        SmallVector<Value> place;
        for (unsigned i = 0; i < rank; ++i)
          place.push_back(linalg::IndexOp::create(inner, at, i));
        auto read = [&](Value index) -> Value {
          place[dim] = arith::IndexCastOp::create(inner, at,
                                                  inner.getIndexType(), index);
          return tensor::ExtractOp::create(inner, at, v, place);
        };
        Value one = TensorBuilder(inner, at).scalar(element, 1.0);
        Value rest = arith::SubFOp::create(inner, at, one, args[2]);
        Value low = arith::MulFOp::create(inner, at, read(args[0]), rest);
        Value high = arith::MulFOp::create(inner, at, read(args[1]), args[2]);
        return arith::AddFOp::create(inner, at, low, high);
      });
}

static void lowerUpsampleBilinear(NodeLowering &op) {
  Value v = op.tensor(op.node.find("input") ? "input" : "self");
  bool alignCorners = op.boolean("align_corners");
  if (!op.ok())
    return;
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  if (!op.require(in.size() == 4 && out.size() == 4 && in[0] == out[0] &&
                      in[1] == out[1] && out[2] < (1 << 16) &&
                      out[3] < (1 << 16),
                  "its operand is not [N, C, H, W]") ||
      !op.require(TensorBuilder::elementOf(v).isF32(), "it is not in f32"))
    return;
  std::optional<double> fy, fx;
  const Argument *factors = op.node.find("scale_factors");
  if (factors && factors->floats.size() == 2) {
    fy = factors->floats[0];
    fx = factors->floats[1];
  }
  Value rows =
      resizeDim(op.b, v, 2, interpolate(in[2], out[2], alignCorners, fy));
  op.bind(
      resizeDim(op.b, rows, 3, interpolate(in[3], out[3], alignCorners, fx)));
}

ArrayRef<OpEntry> panpipe::import::convOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"conv1d", floats, lowerConvNd<1>},
      {"conv1d.padding", floats, lowerConvNamedPadding<1>},
      {"conv2d", floats, lowerConvNd<2>},
      {"conv2d.padding", floats, lowerConvNamedPadding<2>},
      {"conv_transpose2d.input", floats, lowerConvTranspose2d},
      {"convolution", floats, lowerConvolution},
      {"upsample_nearest2d", floats, lowerUpsampleNearest},
      {"upsample_nearest2d.vec", floats, lowerUpsampleNearest},
      {"upsample_bilinear2d", floats, lowerUpsampleBilinear},
      {"upsample_bilinear2d.vec", floats, lowerUpsampleBilinear},
  };
  return table;
}
