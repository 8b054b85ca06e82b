//===- OpsResize.cpp - Upsampling -----------------------------------------===//
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

static Value indexVector(TensorBuilder &b, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(int64_t(values.size()), b.b.getI64Type());
  return arith::ConstantOp::create(b.b, b.loc,
                                   DenseElementsAttr::get(type, values));
}

/// By a whole factor: repeat each row and column.
static void enlarge(NodeLowering &op, Value v, int64_t fy, int64_t fx) {
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  // [N, C, H, fy, W, fx] reads [N, C, H, W].
  Value wide = op.b.mapped(
      v, op.b.dimsMap(6, {0, 1, 2, 4}), {in[0], in[1], in[2], fy, in[3], fx},
      TensorBuilder::elementOf(v),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; });
  op.bind(op.b.reshape(wide, out));
}

/// The source line of each output line, in single precision as PyTorch does.
/// Nearest takes the line that begins before, "exact" the one whose middle is
/// nearest.
static SmallVector<int64_t> nearestLines(int64_t in, int64_t out, bool exact,
                                         std::optional<double> factor) {
  float scale = factor ? float(1.0 / *factor) : float(in) / float(out);
  SmallVector<int64_t> lines;
  for (int64_t i = 0; i < out; ++i) {
    float at = exact ? (float(i) + 0.5f) * scale : float(i) * scale;
    lines.push_back(std::min(int64_t(at), in - 1));
  }
  return lines;
}

static Value takeLines(TensorBuilder &b, Value v, int64_t dim,
                       ArrayRef<int64_t> lines) {
  Ints shape(TensorBuilder::shapeOf(v));
  unsigned rank = unsigned(shape.size());
  shape[dim] = int64_t(lines.size());
  return b.mapped(indexVector(b, lines), b.dimsMap(rank, dim), shape,
                  TensorBuilder::elementOf(v),
                  [&](OpBuilder &inner, Location at, ValueRange args) -> Value {
                    SmallVector<Value> place;
                    for (unsigned i = 0; i < rank; ++i)
                      place.push_back(linalg::IndexOp::create(inner, at, i));
                    place[dim] = arith::IndexCastOp::create(
                        inner, at, inner.getIndexType(), args[0]);
                    return tensor::ExtractOp::create(inner, at, v, place);
                  });
}

/// Factors that the user gave instead of a size; none means from the sizes.
static std::pair<std::optional<double>, std::optional<double>>
scaleFactors(NodeLowering &op) {
  const Argument *factors = op.node.find("scale_factors");
  if (factors && factors->floats.size() == 2)
    return {factors->floats[0], factors->floats[1]};
  auto one = [&](StringRef name) {
    return op.node.find(name.str()) ? op.optionalNumber(name) : std::nullopt;
  };
  return {one("scales_h"), one("scales_w")};
}

static bool isResize(NodeLowering &op, Value v) {
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  return op.require(in.size() == 4 && out.size() == 4 && in[0] == out[0] &&
                        in[1] == out[1] && out[2] < (1 << 16) &&
                        out[3] < (1 << 16),
                    "its operand is not [N, C, H, W]");
}

template <bool exact> static void lowerUpsampleNearest(NodeLowering &op) {
  Value v = op.tensor(op.node.find("input") ? "input" : "self");
  if (!op.ok() || !isResize(op, v))
    return;
  auto [fy, fx] = scaleFactors(op);
  if (!op.ok())
    return;
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  auto whole = [&](int i, std::optional<double> factor) {
    return out[i] % in[i] == 0 &&
           factor.value_or(double(out[i] / in[i])) == double(out[i] / in[i]);
  };
  if (whole(2, fy) && whole(3, fx))
    return enlarge(op, v, out[2] / in[2], out[3] / in[3]);
  Value rows = takeLines(op.b, v, 2, nearestLines(in[2], out[2], exact, fy));
  op.bind(takeLines(op.b, rows, 3, nearestLines(in[3], out[3], exact, fx)));
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
  if (!op.ok() || !isResize(op, v) ||
      !op.require(TensorBuilder::elementOf(v).isF32(), "it is not in f32"))
    return;
  auto [fy, fx] = scaleFactors(op);
  if (!op.ok())
    return;
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  Value rows =
      resizeDim(op.b, v, 2, interpolate(in[2], out[2], alignCorners, fy));
  op.bind(
      resizeDim(op.b, rows, 3, interpolate(in[3], out[3], alignCorners, fx)));
}

ArrayRef<OpEntry> panpipe::import::resizeOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"upsample_nearest2d", floats, lowerUpsampleNearest<false>},
      {"upsample_nearest2d.vec", floats, lowerUpsampleNearest<false>},
      {"_upsample_nearest_exact2d", floats, lowerUpsampleNearest<true>},
      {"_upsample_nearest_exact2d.vec", floats, lowerUpsampleNearest<true>},
      {"upsample_bilinear2d", floats, lowerUpsampleBilinear},
      {"upsample_bilinear2d.vec", floats, lowerUpsampleBilinear},
  };
  return table;
}
