//===- TosaWindowEncodings.cpp - Convolutions and pools of tosa -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Windows that slide over the height and width of an image: points of a window
/// outside of the image contribute nothing. Sums start from zero; a bias is
/// added at the end.
///
//===----------------------------------------------------------------------===//

#include "TosaEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {
/// Padding before, step and distance of points, for height and width.
struct Window {
  int64_t before[2], stride[2], dilation[2];

  IndexTerm row(unsigned dim, IndexTerm out, IndexTerm point) const {
    return out * stride[dim] + point * dilation[dim] - before[dim];
  }
};
} // namespace

/// Guard "row is inside of the image".
static void addInside(Guard &guard, IndexTerm row, IndexTerm size) {
  guard.push_back(geZero(row));
  guard.push_back(geZero(size - 1 - row));
}

static SmallVector<IndexTerm> staticSizes(Value value, Encoder &e) {
  SmallVector<IndexTerm> shape;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.hasStaticShape())
    for (int64_t size : type.getShape())
      shape.push_back(e.constant(size));
  return shape;
}

static LogicalResult
encodeWindow(Operation *op, Encoder &e, const Window &window, FoldSpec spec,
             llvm::function_ref<Element(ArrayRef<IndexTerm> at, IndexTerm y,
                                        IndexTerm x, const IndexContext &)>
                 value,
             llvm::function_ref<Element(Element, ArrayRef<IndexTerm> at)> last,
             Element start, const SymTensor &image) {
  SmallVector<IndexTerm> shape = staticSizes(op->getResult(0), e);
  if (shape.empty())
    return e.unsupported(op, "dynamic sizes of images have no encoding");
  FailureOr<SymTensor> result = e.compute(
      start.value->type(), shape,
      [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        FoldSpec points = spec;
        IndexTerm y = window.row(0, at[1], spec.vars[0]);
        IndexTerm x = window.row(1, at[2], spec.vars[1]);
        addInside(points.guard, y, image.shape[1]);
        addInside(points.guard, x, image.shape[2]);
        Element body = value(at, y, x, foldContext(e.context(), points));
        return last(mkFold(e.terms(), e.context(), points, body, start), at);
      });
  if (failed(result))
    return failure();
  e.define(op->getResult(0), std::move(*result));
  return success();
}

static LogicalResult encodeMaxPool(tosa::MaxPool2dOp op, Encoder &e) {
  const SymTensor image = e.tensor(op.getInput());
  bool isReal = image.type.isFloat();
  if (isReal && op.getNanMode() == tosa::NanPropagationMode::IGNORE)
    return e.unsupported(op, "a pool that ignores NaN has no encoding");
  FoldSpec spec;
  spec.op = isReal ? ScalarOp::MaximumF : ScalarOp::MaxSI;
  for (int64_t size : op.getKernel()) {
    spec.vars.push_back(e.terms().index().freshVar());
    spec.extents.push_back(e.constant(size));
  }
  std::optional<llvm::APInt> start = identityOf(spec.op, image.type);
  if (!start)
    return e.unsupported(op, "this element type has no encoding");
  Window window{{op.getPad()[0], op.getPad()[2]},
                {op.getStride()[0], op.getStride()[1]},
                {1, 1}};
  return encodeWindow(
      op, e, window, spec,
      [&](ArrayRef<IndexTerm> at, IndexTerm y, IndexTerm x,
          const IndexContext &inside) {
        return readElement(e.terms(), image, {at[0], y, x, at[3]}, inside);
      },
      [](Element all, ArrayRef<IndexTerm>) { return all; },
      e.defined(e.terms().mkConst(image.type, *start)), image);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// What both kinds of convolutions check; false if there is no encoding.
template <typename OpT>
static LogicalResult checkConvolution(OpT op, TosaProducts &products,
                                      Encoder &e) {
  if (*e.scalarType(op.getAccTypeAttr().getValue()) != products.resultType())
    return e.unsupported(op, "an accumulator of another type than the result "
                             "has no encoding");
  if (failed(products.check(op.getInputZp(), e.tensor(op.getInput()).type)) ||
      failed(products.check(op.getWeightZp(), e.tensor(op.getWeight()).type)))
    return failure();
  if (e.tensor(op.getBias()).type != products.resultType())
    return e.unsupported(op, "this type of bias has no encoding");
  return success();
}

template <typename OpT> static Window windowOf(OpT op) {
  return {{op.getPad()[0], op.getPad()[2]},
          {op.getStride()[0], op.getStride()[1]},
          {op.getDilation()[0], op.getDilation()[1]}};
}

/// The sum plus the bias of the channel, which may be one for all channels.
static Element withBias(Element sum, const SymTensor &bias, IndexTerm channel,
                        TosaProducts &products, Operation *op, Encoder &e) {
  IndexTerm at = bias.shape[0].constantInt64() == 1 ? e.constant(0) : channel;
  Element more = readElement(e.terms(), bias, {at}, e.context());
  return e.apply(products.sum(), {}, products.resultType(), {sum, more}, op);
}

/// The sum of `product` over the window and what else `spec` runs over.
template <typename OpT, typename Product>
static LogicalResult encodeConvolution(OpT op, Encoder &e,
                                       TosaProducts &products, FoldSpec &spec,
                                       Product product) {
  const SymTensor bias = e.tensor(op.getBias());
  return encodeWindow(
      op, e, windowOf(op), spec, product,
      [&](Element sum, ArrayRef<IndexTerm> at) {
        return withBias(sum, bias, at[3], products, op, e);
      },
      products.zero(), e.tensor(op.getInput()));
}

/// out[n, y, x, o] = sum over (ky, kx, i) of in[n, …, i] · weight[o, ky, kx,
/// i].
static LogicalResult encodeConv2D(tosa::Conv2DOp op, Encoder &e) {
  TosaProducts products(op, e);
  if (failed(checkConvolution(op, products, e)))
    return failure();
  const SymTensor image = e.tensor(op.getInput());
  const SymTensor weight = e.tensor(op.getWeight());
  e.requireEqual(image.shape[3], weight.shape[3], "channels of different count",
                 op);
  FoldSpec spec;
  spec.op = products.sum();
  for (unsigned dim = 1; dim < 4; ++dim) {
    spec.vars.push_back(e.terms().index().freshVar());
    spec.extents.push_back(weight.shape[dim]);
  }
  auto product = [&](ArrayRef<IndexTerm> at, IndexTerm y, IndexTerm x,
                     const IndexContext &inside) {
    Element a =
        readElement(e.terms(), image, {at[0], y, x, spec.vars[2]}, inside);
    Element b =
        readElement(e.terms(), weight,
                    {at[3], spec.vars[0], spec.vars[1], spec.vars[2]}, inside);
    return products.product(products.widened(a, op.getInputZp()),
                            products.widened(b, op.getWeightZp()));
  };
  return encodeConvolution(op, e, products, spec, product);
}

/// out[n, y, x, c·M + m] = sum over (ky, kx) of in[…, c] · weight[ky, kx, c,
/// m].
static LogicalResult encodeDepthwise(tosa::DepthwiseConv2DOp op, Encoder &e) {
  TosaProducts products(op, e);
  if (failed(checkConvolution(op, products, e)))
    return failure();
  const SymTensor image = e.tensor(op.getInput());
  const SymTensor weight = e.tensor(op.getWeight());
  std::optional<int64_t> multiplier = weight.shape[3].constantInt64();
  if (!multiplier || *multiplier < 1)
    return e.unsupported(op, "a dynamic multiplier has no encoding");
  FoldSpec spec;
  spec.op = products.sum();
  for (unsigned dim = 0; dim < 2; ++dim) {
    spec.vars.push_back(e.terms().index().freshVar());
    spec.extents.push_back(weight.shape[dim]);
  }
  auto product = [&](ArrayRef<IndexTerm> at, IndexTerm y, IndexTerm x,
                     const IndexContext &inside) {
    IndexTerm many = e.constant(*multiplier);
    IndexTerm channel = inside.floorDiv(at[3], many);
    Element a = readElement(e.terms(), image, {at[0], y, x, channel}, inside);
    Element b = readElement(
        e.terms(), weight,
        {spec.vars[0], spec.vars[1], channel, inside.mod(at[3], many)}, inside);
    return products.product(products.widened(a, op.getInputZp()),
                            products.widened(b, op.getWeightZp()));
  };
  return encodeConvolution(op, e, products, spec, product);
}

void tv::populateTosaWindowEncodings(OpEncodings &t) {
  t.on(encodeConv2D);
  t.on(encodeDepthwise);
  t.on(encodeMaxPool);
}
