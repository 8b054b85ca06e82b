//===- InterpTensorViews.cpp - Execution of slices, reshapes, padding -----===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {
/// A strided box inside a tensor.
struct Box {
  SmallVector<int64_t> offsets, sizes, strides;

  template <typename Op> bool read(Executor &e, Op op) {
    return e.indices(op, op.getMixedOffsets(), offsets) &&
           e.indices(op, op.getMixedSizes(), sizes) &&
           e.indices(op, op.getMixedStrides(), strides);
  }
  /// Undefined unless the box lies inside `shape`.
  bool check(Executor &e, Operation *op, ArrayRef<int64_t> shape) const;
  /// Calls visit(position in the tensor, position in the box).
  template <typename Visit>
  void forEach(ArrayRef<int64_t> shape, Visit visit) const {
    SmallVector<int64_t> steps = ConcreteValue::stridesOf(shape);
    int64_t base = linearize(offsets, steps), inBox = 0;
    for (auto [step, stride] : llvm::zip(steps, strides))
      step *= stride;
    forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
      visit(base + linearize(index, steps), inBox++);
    });
  }
};
} // namespace

bool Box::check(Executor &e, Operation *op, ArrayRef<int64_t> shape) const {
  bool isEmpty = llvm::is_contained(sizes, 0);
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (sizes[d] < 0) {
      e.undefined(op, "negative size " + Twine(sizes[d]));
      return false;
    }
    // An empty slice touches no element, so none out of bounds.
    int64_t last = offsets[d] + (sizes[d] - 1) * strides[d];
    if (isEmpty || (std::min(offsets[d], last) >= 0 &&
                    std::max(offsets[d], last) < shape[d]))
      continue;
    e.undefined(op, "the slice leaves dimension " + Twine(d) + " of size " +
                        Twine(shape[d]) + " (offset " + Twine(offsets[d]) +
                        ", size " + Twine(sizes[d]) + ", stride " +
                        Twine(strides[d]) + ")");
    return false;
  }
  return true;
}

/// The shape of a slice without the dimensions that `type` drops.
static SmallVector<int64_t> reducedShape(RankedTensorType type,
                                         const llvm::SmallBitVector &dropped,
                                         ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(sizes))
    if (!dropped.test(d))
      shape.push_back(size);
  return shape;
}

/// True if the sizes do not contradict the static sizes of `type`.
static bool fits(RankedTensorType type, ArrayRef<int64_t> shape) {
  if (type.getRank() != int64_t(shape.size()))
    return false;
  for (auto [wanted, have] : llvm::zip(type.getShape(), shape))
    if (!ShapedType::isDynamic(wanted) && wanted != have)
      return false;
  return true;
}

static Did executeExtractSlice(Executor &e, tensor::ExtractSliceOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  Box box;
  if (!box.read(e, op) || !box.check(e, op, source.shape()))
    return Did::Failed;
  SmallVector<int64_t> shape =
      reducedShape(op.getType(), op.getDroppedDims(), box.sizes);
  if (!fits(op.getType(), shape))
    return e.undefined(op, "the slice contradicts its result type");
  if (!e.allocate(op, source.type(), shape))
    return Did::Failed;
  ConcreteValue value(source.type(), shape);
  box.forEach(source.shape(),
              [&](int64_t from, int64_t to) { value.copy(to, source, from); });
  return e.define(op.getResult(), std::move(value));
}

static Did executeInsertSlice(Executor &e, tensor::InsertSliceOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  const ConcreteValue &dest = e.get(op.getDest());
  Box box;
  if (!box.read(e, op) || !box.check(e, op, dest.shape()))
    return Did::Failed;
  // The source may leave out unit dimensions; sizes must agree otherwise.
  auto drop = [](ArrayRef<int64_t> sizes) {
    SmallVector<int64_t> rest;
    llvm::copy_if(sizes, std::back_inserter(rest),
                  [](int64_t size) { return size != 1; });
    return rest;
  };
  if (drop(box.sizes) != drop(source.shape()))
    return e.undefined(op, "the source's sizes are not those of the slice");
  if (!e.allocate(op, dest.type(), dest.shape()))
    return Did::Failed;
  ConcreteValue value = dest;
  box.forEach(dest.shape(),
              [&](int64_t to, int64_t from) { value.copy(to, source, from); });
  return e.define(op.getResult(), std::move(value));
}

static Did executeCollapse(Executor &e, tensor::CollapseShapeOp op) {
  const ConcreteValue &source = e.get(op.getSrc());
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t size = 1;
    for (int64_t d : group)
      size *= source.shape()[d];
    shape.push_back(size);
  }
  if (!fits(op.getResultType(), shape))
    return e.undefined(op, "the collapsed sizes contradict the result type");
  return e.define(op.getResult(), source.reshaped(shape));
}

static Did executeExpand(Executor &e, tensor::ExpandShapeOp op) {
  const ConcreteValue &source = e.get(op.getSrc());
  SmallVector<int64_t> shape;
  if (!e.indices(op, op.getMixedOutputShape(), shape))
    return Did::Failed;
  auto groups = op.getReassociationIndices();
  if (groups.empty() && llvm::any_of(shape, [](int64_t s) { return s != 1; }))
    return e.undefined(op, "a scalar tensor expanded to several elements");
  for (auto [d, group] : llvm::enumerate(groups)) {
    int64_t size = 1;
    for (int64_t k : group) {
      if (shape[k] < 0)
        return e.undefined(op, "negative size " + Twine(shape[k]));
      size *= shape[k];
    }
    if (size != source.shape()[d])
      return e.undefined(op, "dimension " + Twine(d) + " of size " +
                                 Twine(source.shape()[d]) + " is expanded to " +
                                 Twine(size) + " elements");
  }
  if (!fits(op.getResultType(), shape))
    return e.undefined(op, "the expanded sizes contradict the result type");
  return e.define(op.getResult(), source.reshaped(shape));
}

static Did executePad(Executor &e, tensor::PadOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  SmallVector<int64_t> low, high, shape;
  if (!e.indices(op, op.getMixedLowPad(), low) ||
      !e.indices(op, op.getMixedHighPad(), high))
    return Did::Failed;
  for (auto [size, l, h] : llvm::zip(source.shape(), low, high)) {
    if (l < 0 || h < 0)
      return e.undefined(op, "negative padding");
    shape.push_back(size + l + h);
  }
  if (!fits(op.getResultType(), shape))
    return e.undefined(op, "the padded sizes contradict the result type");
  if (!e.allocate(op, source.type(), shape))
    return Did::Failed;
  ConcreteValue value(source.type(), shape);
  Block &block = op.getRegion().front();
  Body body(e, block);
  bool constant =
      llvm::all_of(block.getArguments(), [](Value v) { return v.use_empty(); });
  std::optional<ConcreteElement> padding;
  ScalarType indexType = ScalarType::index(e.options.indexWidth);
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(source.shape());
  bool ok = true;
  int64_t position = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    if (!ok)
      return;
    int64_t from = 0, to = position++;
    bool inside = true;
    for (auto [i, l, size, stride] :
         llvm::zip(index, low, source.shape(), strides)) {
      inside &= i >= l && i < l + size;
      from += (i - l) * stride;
    }
    if (inside)
      return value.copy(to, source, from);
    if (!padding || !constant) {
      SmallVector<ConcreteValue, 4> arguments;
      for (int64_t i : index)
        arguments.push_back(ConcreteValue::scalar(indexType, i));
      SmallVector<ConcreteElement> results;
      ok = body.run(arguments, index, results) && e.spend(op, 1);
      if (!ok)
        return;
      padding = results[0];
    }
    value.set(to, *padding);
  });
  if (!ok)
    return Did::Failed;
  return e.define(op.getResult(), std::move(value));
}

static Did executeConcat(Executor &e, tensor::ConcatOp op) {
  int64_t dim = op.getDim();
  SmallVector<int64_t> shape(e.get(op.getInputs()[0]).shape());
  shape[dim] = 0;
  for (Value input : op.getInputs()) {
    const ConcreteValue &piece = e.get(input);
    for (int64_t d = 0; d < piece.rank(); ++d)
      if (d != dim && piece.shape()[d] != shape[d])
        return e.undefined(op, "pieces of different sizes in dimension " +
                                   Twine(d));
    shape[dim] += piece.shape()[dim];
  }
  auto type = cast<RankedTensorType>(op.getType());
  if (!fits(type, shape))
    return e.undefined(op, "the pieces contradict the result type");
  ScalarType element = e.get(op.getInputs()[0]).type();
  if (!e.allocate(op, element, shape))
    return Did::Failed;
  ConcreteValue value(element, shape);
  int64_t offset = 0;
  for (Value input : op.getInputs()) {
    const ConcreteValue &piece = e.get(input);
    Box box;
    box.offsets.assign(shape.size(), 0);
    box.offsets[dim] = offset;
    box.sizes.assign(piece.shape().begin(), piece.shape().end());
    box.strides.assign(shape.size(), 1);
    box.forEach(shape,
                [&](int64_t to, int64_t from) { value.copy(to, piece, from); });
    offset += piece.shape()[dim];
  }
  return e.define(op.getResult(), std::move(value));
}

Did interp::executeTensorViews(Executor &e, Operation *op) {
  if (auto o = dyn_cast<tensor::ExtractSliceOp>(op))
    return executeExtractSlice(e, o);
  if (auto o = dyn_cast<tensor::InsertSliceOp>(op))
    return executeInsertSlice(e, o);
  if (auto o = dyn_cast<tensor::CollapseShapeOp>(op))
    return executeCollapse(e, o);
  if (auto o = dyn_cast<tensor::ExpandShapeOp>(op))
    return executeExpand(e, o);
  if (auto o = dyn_cast<tensor::PadOp>(op))
    return executePad(e, o);
  if (auto o = dyn_cast<tensor::ConcatOp>(op))
    return executeConcat(e, o);
  return Did::NotMine;
}
