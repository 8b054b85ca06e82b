//===- OpsPool.cpp - Pooling ---------------------------------------------===//
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
struct Window {
  Ints kernel, stride, padding, dilation{1, 1};
  bool ceil = false;
};
} // namespace

/// Over one dimension it is a window of height 1.
static Window windowOf(NodeLowering &op, size_t dims) {
  Window w;
  w.kernel = op.integers("kernel_size", dims);
  // An empty stride means the kernel's size.
  Ints stride = op.integers("stride");
  w.stride = stride.empty() ? w.kernel : op.integers("stride", dims);
  w.padding = op.integers("padding", dims);
  w.ceil = op.boolean("ceil_mode");
  if (dims == 1) {
    w.kernel.insert(w.kernel.begin(), 1);
    w.stride.insert(w.stride.begin(), 1);
    w.padding.insert(w.padding.begin(), 0);
  }
  return w;
}

/// The shape as that of an image; a sequence has a height of 1.
static Ints imageShape(Shape shape, size_t dims) {
  Ints out(shape);
  if (dims == 1 && out.size() == 3)
    out.insert(out.begin() + 2, 1);
  return out;
}

static Value asImage(NodeLowering &op, Value v, size_t dims) {
  return op.b.reshape(v, imageShape(TensorBuilder::shapeOf(v), dims));
}

/// Calls a composite over images and gives the result its declared shape.
static void bindImage(NodeLowering &op, StringRef name, Value v, Shape out,
                      DictionaryAttr params) {
  auto type = RankedTensorType::get(out, op.resultType().getElementType());
  op.bind(op.b.reshape(op.composite(name, v, params, type), op.resultShape()));
}

/// Checks the window and that it gives the declared result.
static bool fitsResult(NodeLowering &op, Value v, Shape out, const Window &w) {
  Shape in = TensorBuilder::shapeOf(v);
  if (!op.require(in.size() == 4 && out.size() == 4 && in[0] == out[0] &&
                      in[1] == out[1],
                  "its operand is not [N, C, H, W]"))
    return false;
  for (int i = 0; i < 2; ++i) {
    constexpr int64_t bound = 1 << 20;
    if (!op.require(w.kernel[i] > 0 && w.kernel[i] < bound && w.stride[i] > 0 &&
                        w.stride[i] < bound && w.dilation[i] > 0 &&
                        w.dilation[i] < bound && w.padding[i] >= 0 &&
                        w.padding[i] <= w.kernel[i] / 2 && in[2 + i] < bound,
                    "its window is out of range"))
      return false;
    int64_t room =
        in[2 + i] + 2 * w.padding[i] - w.dilation[i] * (w.kernel[i] - 1) - 1;
    if (!op.require(room >= 0, "its window is larger than its input"))
      return false;
    int64_t size = (room + (w.ceil ? w.stride[i] - 1 : 0)) / w.stride[i] + 1;
    // The last window must begin inside the input or its left padding.
    if (w.ceil && (size - 1) * w.stride[i] >= in[2 + i] + w.padding[i])
      --size;
    if (!op.require(size == out[2 + i],
                    "its parameters do not give the declared shape"))
      return false;
  }
  return true;
}

static SmallVector<NamedAttribute> windowParams(NodeLowering &op,
                                                const Window &w) {
  Builder &b = op.b.b;
  return {b.getNamedAttr("kernel", op.b.i64Array(w.kernel)),
          b.getNamedAttr("stride", op.b.i64Array(w.stride)),
          b.getNamedAttr("padding", op.b.i64Array(w.padding)),
          b.getNamedAttr("ceil_mode", b.getBoolAttr(w.ceil))};
}

template <size_t dims> static void lowerMaxPool(NodeLowering &op) {
  Value v = op.tensor("self");
  Window w = windowOf(op, dims);
  w.dilation = op.integers("dilation", dims);
  w.dilation.insert(w.dilation.begin(), 2 - dims, 1);
  if (!op.ok())
    return;
  v = asImage(op, v, dims);
  Ints out = imageShape(op.resultShape(), dims);
  if (!fitsResult(op, v, out, w))
    return;
  auto params = windowParams(op, w);
  params.push_back(op.b.b.getNamedAttr("dilation", op.b.i64Array(w.dilation)));
  bindImage(op, "max_pool2d", v, out, op.b.b.getDictionaryAttr(params));
}

template <size_t dims> static void lowerAvgPool(NodeLowering &op) {
  Value v = op.tensor("self");
  Window w = windowOf(op, dims);
  bool countPadding = op.boolean("count_include_pad");
  int64_t divisor =
      dims == 1 ? 0 : op.optionalInteger("divisor_override").value_or(0);
  if (!op.ok())
    return;
  v = asImage(op, v, dims);
  Ints out = imageShape(op.resultShape(), dims);
  if (!fitsResult(op, v, out, w))
    return;
  Builder &b = op.b.b;
  auto params = windowParams(op, w);
  params.push_back(
      b.getNamedAttr("count_include_pad", b.getBoolAttr(countPadding)));
  params.push_back(b.getNamedAttr("divisor", b.getI64IntegerAttr(divisor)));
  bindImage(op, "avg_pool2d", v, out, b.getDictionaryAttr(params));
}

static bool keepsChannels(NodeLowering &op, Shape in, Shape out) {
  return op.require(in.size() == 4 && out.size() == 4 && in[0] == out[0] &&
                        in[1] == out[1],
                    "its operand is not [N, C, H, W]");
}

template <size_t dims> static void lowerAdaptiveAvgPool(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  v = asImage(op, v, dims);
  Shape in = TensorBuilder::shapeOf(v);
  Ints out = imageShape(op.resultShape(), dims);
  if (!keepsChannels(op, in, out))
    return;
  bool even = in[2] % out[2] == 0 && in[3] % out[3] == 0;
  if (!even && out[2] + out[3] > 1024)
    return op.fail("it has more than 1024 rows and columns of uneven windows",
                   "use avg_pool2d");
  bindImage(op, "adaptive_avg_pool2d", v, out,
            op.b.b.getDictionaryAttr(op.b.b.getNamedAttr(
                "output_size", op.b.i64Array(Shape(out).drop_front(2)))));
}

/// Where the windows have one size, it is a plain pooling with that window.
template <size_t dims> static void lowerAdaptiveMaxPool(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  v = asImage(op, v, dims);
  Shape in = TensorBuilder::shapeOf(v);
  Ints out = imageShape(op.resultShape(), dims);
  if (!keepsChannels(op, in, out))
    return;
  if (in[2] % out[2] || in[3] % out[3])
    return op.fail("its windows have uneven sizes", "use max_pool2d");
  Window w;
  w.kernel = w.stride = {in[2] / out[2], in[3] / out[3]};
  w.padding = {0, 0};
  auto params = windowParams(op, w);
  params.push_back(op.b.b.getNamedAttr("dilation", op.b.i64Array(w.dilation)));
  bindImage(op, "max_pool2d", v, out, op.b.b.getDictionaryAttr(params));
}

ArrayRef<OpEntry> panpipe::import::poolOps() {
  constexpr Accepts floats = Accepts::Floats, numbers = Accepts::Numbers;
  static const OpEntry table[] = {
      {"max_pool1d", floats, lowerMaxPool<1>},
      {"max_pool2d", floats, lowerMaxPool<2>},
      {"max_pool2d_with_indices", numbers, lowerMaxPool<2>},
      {"avg_pool1d", floats, lowerAvgPool<1>},
      {"avg_pool2d", floats, lowerAvgPool<2>},
      {"adaptive_avg_pool1d", floats, lowerAdaptiveAvgPool<1>},
      {"adaptive_avg_pool2d", floats, lowerAdaptiveAvgPool<2>},
      {"_adaptive_avg_pool2d", floats, lowerAdaptiveAvgPool<2>},
      {"adaptive_max_pool1d", numbers, lowerAdaptiveMaxPool<1>},
      {"adaptive_max_pool2d", numbers, lowerAdaptiveMaxPool<2>},
  };
  return table;
}
