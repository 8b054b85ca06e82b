//===- InterpTosaWindow.cpp - Convolutions and pools of tosa --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InterpTosa.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static int64_t at(const ConcreteValue &value, ArrayRef<int64_t> index) {
  return linearize(index, ConcreteValue::stridesOf(value.shape()));
}

/// Calls visit(ky, kx, y, x) for the points of a window inside of the image.
template <typename Visit>
static void forEachPoint(const ConcreteValue &image, int64_t height,
                         int64_t width, ArrayRef<int64_t> pad,
                         ArrayRef<int64_t> stride, ArrayRef<int64_t> dilation,
                         int64_t outY, int64_t outX, Visit visit) {
  for (int64_t ky = 0; ky < height; ++ky)
    for (int64_t kx = 0; kx < width; ++kx) {
      int64_t y = outY * stride[0] - pad[0] + ky * dilation[0];
      int64_t x = outX * stride[1] - pad[2] + kx * dilation[1];
      if (y >= 0 && y < image.shape()[1] && x >= 0 && x < image.shape()[2])
        visit(ky, kx, y, x);
    }
}

static std::optional<ConcreteValue> imageFor(Executor &e, Operation *op,
                                             uint64_t stepsEach) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<ScalarType> element =
      type ? e.elementType(type) : std::optional<ScalarType>();
  if (!element || !type.hasStaticShape()) {
    e.unsupported(op, "dynamic sizes of images");
    return std::nullopt;
  }
  if (!e.allocate(op, *element, type.getShape()) ||
      !e.spend(op, type.getNumElements() * stepsEach))
    return std::nullopt;
  return ConcreteValue(*element, type.getShape());
}

static Did executeMaxPool(Executor &e, tosa::MaxPool2dOp op) {
  const ConcreteValue &image = e.get(op.getInput());
  ScalarType type = image.type();
  if (type.isFloat() && (op.getNanMode() == tosa::NanPropagationMode::IGNORE ||
                         !APFloat::semanticsHasInf(type.fltSemantics())))
    return e.unsupported(op, "no execution of this pool");
  ArrayRef<int64_t> kernel = op.getKernel();
  std::optional<ConcreteValue> value = imageFor(e, op, kernel[0] * kernel[1]);
  if (!value)
    return Did::Failed;
  llvm::APInt lowest =
      type.isFloat()
          ? APFloat::getInf(type.fltSemantics(), true).bitcastToAPInt()
          : llvm::APInt::getSignedMinValue(type.width());
  TosaScalars scalars(e, op);
  int64_t position = 0;
  forEachIndex(value->shape(), [&](ArrayRef<int64_t> out) {
    Typed best{type, {lowest}};
    forEachPoint(
        image, kernel[0], kernel[1], op.getPad(), op.getStride(), {1, 1},
        out[1], out[2], [&](int64_t, int64_t, int64_t y, int64_t x) {
          Typed next{type, image.get(at(image, {out[0], y, x, out[3]}))};
          best.element =
              scalars.run(type.isFloat() ? ScalarOp::MaximumF : ScalarOp::MaxSI,
                          type, {best, next});
        });
    value->set(position++, best.element);
  });
  return scalars.failed ? Did::Failed
                        : e.define(op.getResult(), std::move(*value));
}

namespace {
/// Sums of products in the type of the result.
class Accumulator {
public:
  Accumulator(TosaScalars &scalars, ScalarType type)
      : scalars(scalars), type(type),
        sum{type, {llvm::APInt(type.width(), 0)}} {}
  Typed less(const ConcreteValue &source, int64_t position,
             const ConcreteValue &zero) {
    Typed x = widen({source.type(), source.get(position)});
    if (type.isFloat())
      return x;
    Typed point = widen({zero.type(), zero.get(0)});
    return {type, scalars.run(ScalarOp::SubI, type, {x, point})};
  }
  void addProduct(Typed a, Typed b) {
    add({type, scalars.run(type.isFloat() ? ScalarOp::MulF : ScalarOp::MulI,
                           type, {a, b})});
  }
  void add(Typed x) {
    sum.element = scalars.run(type.isFloat() ? ScalarOp::AddF : ScalarOp::AddI,
                              type, {sum, x});
  }
  const ConcreteElement &value() const { return sum.element; }

private:
  Typed widen(Typed x) {
    if (x.type == type)
      return x;
    return {type, scalars.run(type.isFloat() ? ScalarOp::ExtF : ScalarOp::ExtSI,
                              type, {x})};
  }
  TosaScalars &scalars;
  ScalarType type;
  Typed sum;
};
} // namespace

/// `weightAt(out, ky, kx, channel)` numbers the weights; `channels` gives the
/// first channel of the image, and how many, that an output channel sums up.
template <typename OpT, typename WeightAt, typename Channels>
static Did convolve(Executor &e, OpT op, int64_t height, int64_t width,
                    Channels channels, WeightAt weightAt) {
  const ConcreteValue &image = e.get(op.getInput());
  const ConcreteValue &weight = e.get(op.getWeight());
  const ConcreteValue &bias = e.get(op.getBias());
  const ConcreteValue &zeroA = e.get(op.getInputZp()),
                      &zeroB = e.get(op.getWeightZp());
  std::optional<ConcreteValue> value =
      imageFor(e, op, height * width * image.shape()[3]);
  if (!value)
    return Did::Failed;
  ScalarType type = value->type();
  bool isKnown = *e.elementType(op.getAccTypeAttr().getValue()) == type &&
                 bias.type() == type &&
                 (!type.isFloat() ||
                  (zeroA.get(0).bits.isZero() && zeroB.get(0).bits.isZero()));
  if (!isKnown)
    return e.unsupported(op, "no execution of this convolution");
  TosaScalars scalars(e, op);
  int64_t position = 0;
  forEachIndex(value->shape(), [&](ArrayRef<int64_t> out) {
    Accumulator sum(scalars, type);
    forEachPoint(image, height, width, op.getPad(), op.getStride(),
                 op.getDilation(), out[1], out[2],
                 [&](int64_t ky, int64_t kx, int64_t y, int64_t x) {
                   auto [first, count] = channels(out[3]);
                   for (int64_t c = first; c < first + count; ++c)
                     sum.addProduct(
                         sum.less(image, at(image, {out[0], y, x, c}), zeroA),
                         sum.less(weight, weightAt(out[3], ky, kx, c), zeroB));
                 });
    sum.add({type, bias.get(bias.size() == 1 ? 0 : out[3])});
    value->set(position++, sum.value());
  });
  return scalars.failed ? Did::Failed
                        : e.define(op.getResult(), std::move(*value));
}

static Did executeConv2D(Executor &e, tosa::Conv2DOp op) {
  const ConcreteValue &weight = e.get(op.getWeight());
  int64_t all = weight.shape()[3];
  if (e.get(op.getInput()).shape()[3] != all)
    return e.undefined(op, "channels of different count");
  return convolve(
      e, op, weight.shape()[1], weight.shape()[2],
      [&](int64_t) { return std::pair<int64_t, int64_t>(0, all); },
      [&](int64_t o, int64_t ky, int64_t kx, int64_t c) {
        return at(weight, {o, ky, kx, c});
      });
}

static Did executeDepthwise(Executor &e, tosa::DepthwiseConv2DOp op) {
  const ConcreteValue &weight = e.get(op.getWeight());
  int64_t multiplier = weight.shape()[3];
  return convolve(
      e, op, weight.shape()[0], weight.shape()[1],
      [&](int64_t o) { return std::pair<int64_t, int64_t>(o / multiplier, 1); },
      [&](int64_t o, int64_t ky, int64_t kx, int64_t c) {
        return at(weight, {ky, kx, c, o % multiplier});
      });
}

bool interp::knowsTosaWindow(Operation *op) {
  return isa<tosa::Conv2DOp, tosa::DepthwiseConv2DOp, tosa::MaxPool2dOp>(op);
}

Did interp::executeTosaWindow(Executor &e, Operation *op) {
  if (auto conv = dyn_cast<tosa::Conv2DOp>(op))
    return executeConv2D(e, conv);
  if (auto conv = dyn_cast<tosa::DepthwiseConv2DOp>(op))
    return executeDepthwise(e, conv);
  if (auto pool = dyn_cast<tosa::MaxPool2dOp>(op))
    return executeMaxPool(e, pool);
  return Did::NotMine;
}
