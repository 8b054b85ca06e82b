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

static Window windowOf(NodeLowering &op) {
  Window w;
  w.kernel = op.integers("kernel_size", 2);
  // An empty stride means the kernel's size.
  Ints stride = op.integers("stride");
  w.stride = stride.empty() ? w.kernel : op.integers("stride", 2);
  w.padding = op.integers("padding", 2);
  w.ceil = op.boolean("ceil_mode");
  return w;
}

/// Checks the window and that it gives the declared result.
static bool fitsResult(NodeLowering &op, Value v, const Window &w) {
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
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

static void lowerMaxPool(NodeLowering &op) {
  Value v = op.tensor("self");
  Window w = windowOf(op);
  w.dilation = op.integers("dilation", 2);
  if (!op.ok() || !fitsResult(op, v, w))
    return;
  auto params = windowParams(op, w);
  params.push_back(op.b.b.getNamedAttr("dilation", op.b.i64Array(w.dilation)));
  op.call("max_pool2d", v, op.b.b.getDictionaryAttr(params));
}

static void lowerAvgPool(NodeLowering &op) {
  Value v = op.tensor("self");
  Window w = windowOf(op);
  bool countPadding = op.boolean("count_include_pad");
  int64_t divisor = op.optionalInteger("divisor_override").value_or(0);
  if (!op.ok() || !fitsResult(op, v, w))
    return;
  Builder &b = op.b.b;
  auto params = windowParams(op, w);
  params.push_back(
      b.getNamedAttr("count_include_pad", b.getBoolAttr(countPadding)));
  params.push_back(b.getNamedAttr("divisor", b.getI64IntegerAttr(divisor)));
  op.call("avg_pool2d", v, b.getDictionaryAttr(params));
}

static void lowerAdaptiveAvgPool(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  Shape in = TensorBuilder::shapeOf(v), out = op.resultShape();
  if (!op.require(in.size() == 4 && out.size() == 4 && in[0] == out[0] &&
                      in[1] == out[1],
                  "its operand is not [N, C, H, W]"))
    return;
  bool even = in[2] % out[2] == 0 && in[3] % out[3] == 0;
  if (!even && out[2] * out[3] > 256)
    return op.fail("it has more than 256 windows of uneven size",
                   "use avg_pool2d");
  op.call("adaptive_avg_pool2d", v,
          op.b.b.getDictionaryAttr(op.b.b.getNamedAttr(
              "output_size", op.b.i64Array(out.drop_front(2)))));
}

ArrayRef<OpEntry> panpipe::import::poolOps() {
  constexpr Accepts floats = Accepts::Floats;
  static const OpEntry table[] = {
      {"max_pool2d", floats, lowerMaxPool},
      {"max_pool2d_with_indices", Accepts::Numbers, lowerMaxPool},
      {"avg_pool2d", floats, lowerAvgPool},
      {"adaptive_avg_pool2d", floats, lowerAdaptiveAvgPool},
      {"_adaptive_avg_pool2d", floats, lowerAdaptiveAvgPool},
  };
  return table;
}
