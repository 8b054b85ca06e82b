//===- InterpMemRefViews.cpp - Execution of views of memory ---------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations of memref that read or change sizes, strides and offset, and
/// never the memory.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static ConcreteValue indexValue(Executor &e, int64_t number) {
  return ConcreteValue::scalar(ScalarType::index(e.options.indexWidth),
                               uint64_t(number));
}

/// A view of the same block under the same origin.
static Did defineView(Executor &e, Value result, const ConcreteValue &source,
                      ArrayRef<int64_t> shape, int64_t offset,
                      ArrayRef<int64_t> strides) {
  MemoryView view = source.view();
  view.offset = offset;
  view.strides.assign(strides.begin(), strides.end());
  return e.define(result,
                  ConcreteValue::memref(source.type(), shape, std::move(view)));
}

/// Sizes, strides and offset at run time must be those of the type.
static Did executeCast(Executor &e, Operation *op, ValuePtr source,
                       Value result) {
  auto type = dyn_cast<MemRefType>(result.getType());
  if (!type)
    return e.define(result, source);
  auto differs = [](int64_t wanted, int64_t actual) {
    return !ShapedType::isDynamic(wanted) && wanted != actual;
  };
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return e.unsupported(op, "a layout that is not strided");
  if (source->rank() != type.getRank())
    return e.undefined(op, "the memref has rank " + Twine(source->rank()));
  for (auto [wanted, actual] : llvm::zip(type.getShape(), source->shape()))
    if (differs(wanted, actual))
      return e.undefined(op, "a size is " + Twine(actual) +
                                 " where the type "
                                 "says " +
                                 Twine(wanted));
  for (auto [d, wanted] : llvm::enumerate(strides))
    if (source->shape()[d] > 1 && differs(wanted, source->view().strides[d]))
      return e.undefined(op, "a stride is " + Twine(source->view().strides[d]) +
                                 " where the type says " + Twine(wanted));
  if (differs(offset, source->view().offset))
    return e.undefined(op, "the offset is " + Twine(source->view().offset) +
                               " where the type says " + Twine(offset));
  return e.define(result, source);
}

static Did executeSubView(Executor &e, memref::SubViewOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  SmallVector<int64_t> offsets, sizes, steps;
  if (!e.indices(op, op.getMixedOffsets(), offsets) ||
      !e.indices(op, op.getMixedSizes(), sizes) ||
      !e.indices(op, op.getMixedStrides(), steps))
    return Did::Failed;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  const MemoryView &view = source.view();
  SmallVector<int64_t> shape, strides;
  int64_t offset = view.offset;
  for (int64_t d = 0; d < source.rank(); ++d) {
    if (sizes[d] < 0)
      return e.undefined(op, "negative size " + Twine(sizes[d]));
    int64_t last = offsets[d] + (sizes[d] - 1) * steps[d];
    int64_t extent = source.shape()[d];
    if (sizes[d] > 0 &&
        (offsets[d] < 0 || offsets[d] >= extent || last < 0 || last >= extent))
      return e.undefined(op, "the view runs from " + Twine(offsets[d]) +
                                 " to " + Twine(last) + " in dimension " +
                                 Twine(d) + " of size " + Twine(extent));
    offset += offsets[d] * view.strides[d];
    if (dropped.test(d))
      continue;
    shape.push_back(sizes[d]);
    strides.push_back(steps[d] * view.strides[d]);
  }
  return defineView(e, op.getResult(), source, shape, offset, strides);
}

static Did executeReinterpret(Executor &e, memref::ReinterpretCastOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  SmallVector<int64_t> offsets, sizes, strides;
  if (!e.indices(op, op.getMixedOffsets(), offsets) ||
      !e.indices(op, op.getMixedSizes(), sizes) ||
      !e.indices(op, op.getMixedStrides(), strides))
    return Did::Failed;
  for (int64_t size : sizes)
    if (size < 0)
      return e.undefined(op, "negative size " + Twine(size));
  return defineView(e, op.getResult(), source, sizes, offsets[0], strides);
}

static Did executeTranspose(Executor &e, memref::TransposeOp op) {
  const ConcreteValue &source = e.get(op.getIn());
  SmallVector<int64_t> shape, strides;
  for (AffineExpr expr : op.getPermutation().getResults()) {
    unsigned d = cast<AffineDimExpr>(expr).getPosition();
    shape.push_back(source.shape()[d]);
    strides.push_back(source.view().strides[d]);
  }
  return defineView(e, op.getResult(), source, shape, source.view().offset,
                    strides);
}

static Did executeExpand(Executor &e, memref::ExpandShapeOp op) {
  const ConcreteValue &source = e.get(op.getSrc());
  SmallVector<int64_t> shape;
  if (!e.indices(op, op.getMixedOutputShape(), shape))
    return Did::Failed;
  SmallVector<int64_t> strides(shape.size(), 1);
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t stride = source.view().strides[d], count = 1;
    for (int64_t inner : llvm::reverse(group)) {
      if (shape[inner] < 0)
        return e.undefined(op, "negative size " + Twine(shape[inner]));
      strides[inner] = stride * count;
      count *= shape[inner];
    }
    if (count != source.shape()[d])
      return e.undefined(
          op, "dimension " + Twine(d) + " of size " + Twine(source.shape()[d]) +
                  " cannot be expanded to " + Twine(count) + " elements");
  }
  return defineView(e, op.getResult(), source, shape, source.view().offset,
                    strides);
}

static Did executeCollapse(Executor &e, memref::CollapseShapeOp op) {
  const ConcreteValue &source = e.get(op.getSrc());
  ArrayRef<int64_t> old = source.view().strides;
  SmallVector<int64_t> shape, strides;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t count = 1, stride = old[group.back()], expected = -1;
    for (int64_t d : llvm::reverse(group)) {
      int64_t extent = source.shape()[d];
      if (extent == 1)
        continue;
      if (expected < 0)
        stride = old[d];
      else if (old[d] != expected && source.size() > 0)
        return e.undefined(op, "the dimensions to collapse are not contiguous");
      expected = old[d] * extent;
      count *= extent;
    }
    shape.push_back(count);
    strides.push_back(stride);
  }
  return defineView(e, op.getResult(), source, shape, source.view().offset,
                    strides);
}

static Did executeView(Executor &e, memref::ViewOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  std::optional<int64_t> shift = e.index(op, op.getByteShift());
  SmallVector<int64_t> dynamic;
  if (!shift || !e.indices(op, op.getSizes(), dynamic))
    return Did::Failed;
  MemRefType type = op.getType();
  std::optional<ScalarType> element =
      mapScalarType(type.getElementType(), e.options.indexWidth);
  if (!element)
    return e.unsupported(op, "an element type without execution");
  SmallVector<int64_t> shape(type.getShape());
  size_t next = 0;
  int64_t count = 1;
  for (int64_t &extent : shape) {
    if (ShapedType::isDynamic(extent))
      extent = dynamic[next++];
    if (extent < 0)
      return e.undefined(op, "negative size " + Twine(extent));
    count *= extent;
  }
  if (*shift < 0 || *shift + count * bytesOf(*element) > source.size())
    return e.undefined(op, "the view is larger than the memory");
  MemoryView view = source.view();
  view.origin += view.offset + *shift;
  view.offset = 0;
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(shape);
  view.strides.assign(strides.begin(), strides.end());
  return e.define(op.getResult(),
                  ConcreteValue::memref(*element, shape, std::move(view)));
}

/// The source is contiguous by its type.
static Did executeReshape(Executor &e, memref::ReshapeOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  const ConcreteValue &sizes = e.get(op.getShape());
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (int64_t i = 0; i < sizes.size(); ++i) {
    std::optional<ConcreteElement> element = e.load(op, sizes, i);
    std::optional<int64_t> size;
    if (element)
      size = e.index(op, *element, "a size");
    if (!size)
      return Did::Failed;
    if (*size < 0)
      return e.undefined(op, "negative size " + Twine(*size));
    shape.push_back(*size);
    count *= *size;
  }
  if (count != source.size())
    return e.undefined(op, "a memref of " + Twine(source.size()) +
                               " elements becomes one of " + Twine(count));
  if (auto type = dyn_cast<MemRefType>(op.getResult().getType()))
    for (auto [wanted, actual] : llvm::zip(type.getShape(), shape))
      if (!ShapedType::isDynamic(wanted) && wanted != actual)
        return e.undefined(op, "a size is " + Twine(actual) +
                                   " where the type says " + Twine(wanted));
  return defineView(e, op.getResult(), source, shape, source.view().offset,
                    ConcreteValue::stridesOf(shape));
}

static Did executeMetadata(Executor &e, memref::ExtractStridedMetadataOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  const MemoryView &view = source.view();
  e.define(op.getOffset(), indexValue(e, view.offset));
  for (auto [d, size] : llvm::enumerate(op.getSizes()))
    e.define(size, indexValue(e, source.shape()[d]));
  for (auto [d, stride] : llvm::enumerate(op.getStrides()))
    e.define(stride, indexValue(e, view.strides[d]));
  return defineView(e, op.getBaseBuffer(), source, {}, 0, {});
}

static Did executeDim(Executor &e, memref::DimOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  ConcreteElement which = e.get(op.getIndex()).get(0);
  std::optional<int64_t> dim = e.index(op, which, "the dimension");
  if (!dim)
    return Did::Failed;
  if (*dim < 0 || *dim >= source.rank())
    return e.undefined(op, "no dimension " + Twine(*dim));
  return e.define(op.getResult(), indexValue(e, source.shape()[*dim]));
}

/// Blocks are aligned as strictly as anything asks for; views may not be.
static Did executeAssumeAlignment(Executor &e, memref::AssumeAlignmentOp op) {
  ValuePtr source = e.getPtr(op.getMemref());
  const MemoryView &view = source->view();
  int64_t at = view.origin + view.offset * int64_t(bytesOf(source->type()));
  if (at % int64_t(op.getAlignment()) != 0)
    return e.undefined(op, "the memory is not aligned");
  return e.define(op.getResult(), source);
}

static Did executeDistinct(Executor &e, memref::DistinctObjectsOp op) {
  llvm::SmallPtrSet<const MemoryBlock *, 4> blocks;
  for (Value operand : op.getOperands())
    if (!blocks.insert(e.get(operand).view().block.get()).second)
      return e.undefined(op, "the objects are not distinct");
  for (auto [result, operand] : llvm::zip(op.getResults(), op.getOperands()))
    e.define(result, e.getPtr(operand));
  return Did::Done;
}

bool interp::knowsMemRefViews(Operation *op) {
  return isa<memref::AssumeAlignmentOp, memref::CastOp, memref::CollapseShapeOp,
             memref::DimOp, memref::DistinctObjectsOp, memref::ExpandShapeOp,
             memref::ExtractStridedMetadataOp, memref::MemorySpaceCastOp,
             memref::RankOp, memref::ReinterpretCastOp, memref::ReshapeOp,
             memref::SubViewOp, memref::TransposeOp, memref::ViewOp>(op);
}

Did interp::executeMemRefViews(Executor &e, Operation *op) {
  return llvm::TypeSwitch<Operation *, Did>(op)
      .Case([&](memref::AssumeAlignmentOp o) {
        return executeAssumeAlignment(e, o);
      })
      .Case([&](memref::CastOp o) {
        return executeCast(e, op, e.getPtr(o.getSource()), o.getResult());
      })
      .Case([&](memref::CollapseShapeOp o) { return executeCollapse(e, o); })
      .Case([&](memref::DimOp o) { return executeDim(e, o); })
      .Case([&](memref::DistinctObjectsOp o) { return executeDistinct(e, o); })
      .Case([&](memref::ExpandShapeOp o) { return executeExpand(e, o); })
      .Case([&](memref::ExtractStridedMetadataOp o) {
        return executeMetadata(e, o);
      })
      .Case([&](memref::MemorySpaceCastOp o) {
        return e.define(o.getDest(), e.getPtr(o.getSource()));
      })
      .Case([&](memref::RankOp o) {
        return e.define(o.getResult(),
                        indexValue(e, e.get(o.getMemref()).rank()));
      })
      .Case(
          [&](memref::ReinterpretCastOp o) { return executeReinterpret(e, o); })
      .Case([&](memref::ReshapeOp o) { return executeReshape(e, o); })
      .Case([&](memref::SubViewOp o) { return executeSubView(e, o); })
      .Case([&](memref::TransposeOp o) { return executeTranspose(e, o); })
      .Case([&](memref::ViewOp o) { return executeView(e, o); })
      .Default([](Operation *) { return Did::NotMine; });
}
