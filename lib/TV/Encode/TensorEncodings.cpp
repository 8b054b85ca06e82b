//===- TensorEncodings.cpp - Encodings of tensor views --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations of the tensor dialect that only move elements: they rewrite
/// indices and leave no node. Operations with a region or with run-time indices
/// are in TensorRegionEncodings.cpp.
///
//===----------------------------------------------------------------------===//

#include "TensorEncodings.h"

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

LogicalResult tv::resultShape(RankedTensorType type, ValueRange dynamicSizes,
                              Operation *op, Encoder &e,
                              SmallVectorImpl<IndexTerm> &shape) {
  unsigned next = 0;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(e.constant(size));
      continue;
    }
    IndexTerm dim = e.indexOrSymbol(e.scalar(dynamicSizes[next++]), "size", op);
    if (!dim)
      return e.unsupported(op, "a size that depends on data and on loop "
                               "variables has no encoding");
    e.require(geZero(dim), "negative size", op);
    shape.push_back(dim);
  }
  return success();
}

static LogicalResult encodeEmpty(tensor::EmptyOp op, Encoder &e) {
  SmallVector<IndexTerm> shape;
  if (failed(resultShape(op.getType(), op.getDynamicSizes(), op, e, shape)))
    return failure();
  e.define(op, emptyTensor(e.terms(), *e.scalarType(op.getType()), shape));
  return success();
}

static LogicalResult encodeSplat(tensor::SplatOp op, Encoder &e) {
  SmallVector<IndexTerm> shape;
  if (failed(resultShape(op.getType(), op.getDynamicSizes(), op, e, shape)))
    return failure();
  e.define(op, splatTensor(e.terms(), *e.scalarType(op.getType()), shape,
                           e.scalar(op.getInput())));
  return success();
}

/// The size of a run-time dimension number is a choice among all sizes.
static LogicalResult encodeDim(tensor::DimOp op, Encoder &e) {
  ArrayRef<IndexTerm> shape = e.tensor(op.getSource()).shape;
  if (std::optional<int64_t> dim = op.getConstantIndex()) {
    if (*dim < 0 || *dim >= int64_t(shape.size())) {
      e.addUB(e.terms().mkBool(true), "dimension number out of range", op);
      e.define(op, e.poison(e.indexType()));
      return success();
    }
    e.define(op, e.defined(e.indexValue(shape[*dim])));
    return success();
  }
  SymTensor sizes{e.indexType(), {e.constant(shape.size())}, {}};
  IndexTerm own = e.terms().ownIndex(0);
  if (e.underBinder())
    return e.unsupported(op, "a run-time dimension number in a body has no "
                             "encoding");
  sizes.element = e.defined(e.terms().mkInt(e.indexType(), 0));
  IndexContext inside = ownContext(e.terms(), sizes.shape);
  for (auto [dim, size] : llvm::enumerate(shape))
    sizes.element =
        e.terms().mkIte(eqZero(own - dim), e.defined(e.indexValue(size)),
                        sizes.element, inside);
  FailureOr<Element> size = e.readAt(sizes, {e.scalar(op.getIndex())}, op);
  if (failed(size))
    return failure();
  e.define(op, *size);
  return success();
}

static LogicalResult encodeRank(tensor::RankOp op, Encoder &e) {
  e.define(op, e.defined(e.terms().mkInt(e.indexType(),
                                         e.tensor(op.getTensor()).rank())));
  return success();
}

/// Static sizes of the result must hold at run time.
static LogicalResult encodeCast(tensor::CastOp op, Encoder &e) {
  SymTensor result = e.tensor(op.getSource());
  auto type = cast<RankedTensorType>(op.getType());
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size))
      continue;
    e.requireEqual(result.shape[dim], e.constant(size),
                   "the size at run time contradicts the cast", op);
    result.shape[dim] = e.constant(size);
  }
  // With a new size, what is known of the element's own index changes too.
  result.element = e.terms().substitute(result.element, TermSubst(),
                                        ownContext(e.terms(), result.shape));
  e.define(op, std::move(result));
  return success();
}

static LogicalResult encodeBitcast(tensor::BitcastOp op, Encoder &e) {
  SymTensor source = e.tensor(op.getSource());
  ScalarType type = *e.scalarType(op.getType());
  if (type == source.type) { // signedness is no part of the value
    e.define(op, std::move(source));
    return success();
  }
  FailureOr<SymTensor> result = e.compute(
      type, source.shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        Element x = readElement(e.terms(), source, at, e.context());
        return e.apply(ScalarOp::Bitcast, ScalarAttrs(), type, {x}, op);
      });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Every element that the slice touches lies inside of a tensor of `shape`.
static void requireSlice(ArrayRef<IndexTerm> shape, ArrayRef<IndexTerm> offsets,
                         ArrayRef<IndexTerm> sizes, ArrayRef<IndexTerm> strides,
                         Operation *op, Encoder &e) {
  for (auto [dim, offset, size, stride] :
       llvm::zip_equal(shape, offsets, sizes, strides)) {
    e.require(geZero(size), "negative slice size", op);
    IndexTerm last = offset + (size - 1) * stride;
    Guard bounds;
    for (IndexTerm edge : {offset, last}) {
      bounds.push_back(geZero(edge));
      bounds.push_back(geZero(dim - 1 - edge));
    }
    std::string reason = "slice out of bounds";
    if (e.context().nonneg(size - 1)) {
      e.require(bounds, reason, op);
      continue;
    }
    // An empty slice touches nothing.
    TermContext &terms = e.terms();
    IndexContext some = e.context().assume(geZero(size - 1));
    e.addUB(terms.mkIte(geZero(size - 1),
                        terms.mkIte(bounds, terms.mkBool(false),
                                    terms.mkBool(true), some),
                        terms.mkBool(false), e.context()),
            reason, op);
  }
}

namespace {
struct Slice {
  SmallVector<IndexTerm> offsets, sizes, strides;
};
} // namespace

static LogicalResult readSlice(OffsetSizeAndStrideOpInterface op, Encoder &e,
                               Slice &slice) {
  if (failed(e.mixed(op.getMixedOffsets(), slice.offsets, op)) ||
      failed(e.mixed(op.getMixedSizes(), slice.sizes, op)) ||
      failed(e.mixed(op.getMixedStrides(), slice.strides, op)))
    return failure();
  for (IndexTerm stride : slice.strides)
    if (!e.context().nonneg(stride - 1))
      return e.unsupported(op, "a stride that is not provably positive has no "
                               "encoding");
  return success();
}

static SmallVector<bool> flags(const llvm::SmallBitVector &bits) {
  SmallVector<bool> result;
  for (unsigned i = 0; i < bits.size(); ++i)
    result.push_back(bits[i]);
  return result;
}

static LogicalResult encodeExtractSlice(tensor::ExtractSliceOp op, Encoder &e) {
  Slice slice;
  if (failed(readSlice(op, e, slice)))
    return failure();
  const SymTensor &source = e.tensor(op.getSource());
  requireSlice(source.shape, slice.offsets, slice.sizes, slice.strides, op, e);
  SymTensor result = extractSlice(e.terms(), source, slice.offsets, slice.sizes,
                                  slice.strides);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  if (dropped.any())
    result = dropUnitDims(e.terms(), result, flags(dropped));
  e.define(op, std::move(result));
  return success();
}

template <typename OpT>
static LogicalResult insertInto(OpT op, const SymTensor &dest, Encoder &e,
                                SymTensor &result) {
  Slice slice;
  if (failed(readSlice(op, e, slice)))
    return failure();
  requireSlice(dest.shape, slice.offsets, slice.sizes, slice.strides, op, e);
  SymTensor source = e.tensor(op.getSource());
  llvm::SmallBitVector added = op.getDroppedDims();
  unsigned next = 0;
  for (unsigned dim = 0; dim < added.size(); ++dim)
    if (!added[dim])
      e.requireEqual(source.shape[next++], slice.sizes[dim],
                     "the source is not as large as the slice", op);
  if (added.any())
    source = addUnitDims(e.terms(), source, slice.sizes, flags(added));
  result = insertSlice(e.terms(), source, dest, slice.offsets, slice.strides);
  return success();
}

static LogicalResult encodeInsertSlice(tensor::InsertSliceOp op, Encoder &e) {
  SymTensor result;
  if (failed(insertInto(op, e.tensor(op.getDest()), e, result)))
    return failure();
  e.define(op, std::move(result));
  return success();
}

LogicalResult tv::insertParallel(tensor::ParallelInsertSliceOp op,
                                 const SymTensor &dest, Encoder &e,
                                 SymTensor &result) {
  return insertInto(op, dest, e, result);
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static IndexTerm product(Encoder &e, ArrayRef<IndexTerm> shape) {
  IndexTerm result = e.constant(1);
  for (IndexTerm size : shape)
    result = result * size;
  return result;
}

static LogicalResult encodeCollapse(tensor::CollapseShapeOp op, Encoder &e) {
  SymTensor result = collapseShape(e.terms(), e.tensor(op.getSrc()),
                                   op.getReassociationIndices());
  e.requireStaticSizes(result.shape, op.getResultType().getShape(), op);
  e.define(op, std::move(result));
  return success();
}

static LogicalResult encodeExpand(tensor::ExpandShapeOp op, Encoder &e) {
  const SymTensor &source = e.tensor(op.getSrc());
  SmallVector<IndexTerm> shape;
  if (failed(e.mixed(op.getMixedOutputShape(), shape, op)))
    return failure();
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  for (auto [dim, group] : llvm::enumerate(groups)) {
    SmallVector<IndexTerm> sizes;
    for (int64_t inner : group) {
      e.require(geZero(shape[inner]), "negative size", op);
      sizes.push_back(shape[inner]);
    }
    e.requireEqual(source.shape[dim], product(e, sizes),
                   "the element count changes", op);
  }
  // A scalar has no dimension to expand.
  e.define(op, source.rank() == 0
                   ? reshapeTensor(e.terms(), source, shape)
                   : expandShape(e.terms(), source, groups, shape));
  return success();
}

static LogicalResult encodeReshape(tensor::ReshapeOp op, Encoder &e) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  const SymTensor &source = e.tensor(op.getSource());
  const SymTensor &sizes = e.tensor(op.getShape());
  SmallVector<IndexTerm> shape;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    Element given =
        readElement(e.terms(), sizes, {e.constant(dim)}, e.context());
    IndexTerm index = e.indexOrSymbol(given, "size", op);
    if (!index)
      return e.unsupported(op, "a size that depends on loop variables has no "
                               "encoding");
    if (!ShapedType::isDynamic(size)) {
      e.requireEqual(index, e.constant(size),
                     "the shape operand contradicts the result type", op);
      index = e.constant(size);
    } else {
      e.require(geZero(index), "negative size", op);
    }
    shape.push_back(index);
  }
  e.requireEqual(product(e, source.shape), product(e, shape),
                 "the element count changes", op);
  e.define(op, reshapeTensor(e.terms(), source, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

static LogicalResult encodeConcat(tensor::ConcatOp op, Encoder &e) {
  SmallVector<SymTensor> parts;
  unsigned along = op.getDim();
  for (Value input : op.getInputs())
    parts.push_back(e.tensor(input));
  for (const SymTensor &part : ArrayRef(parts).drop_front())
    for (unsigned dim = 0; dim < part.rank(); ++dim)
      if (dim != along)
        e.requireEqual(parts[0].shape[dim], part.shape[dim],
                       "parts of different size", op);
  SymTensor result = concatTensors(e.terms(), parts, along);
  e.requireStaticSizes(result.shape, op.getResultType().getShape(), op);
  e.define(op, std::move(result));
  return success();
}

/// Row-major numbers of a static shape, one element each.
static LogicalResult encodeFromElements(tensor::FromElementsOp op, Encoder &e) {
  ScalarType type = *e.scalarType(op.getType());
  SmallVector<IndexTerm> flat = {e.constant(int64_t(op.getElements().size()))};
  SymTensor list = emptyTensor(e.terms(), type, flat);
  IndexContext inside = ownContext(e.terms(), flat);
  IndexTerm own = e.terms().ownIndex(0);
  for (auto [position, value] :
       llvm::enumerate(llvm::reverse(op.getElements()))) {
    int64_t number = op.getElements().size() - 1 - position;
    Element element = e.scalar(value);
    list.element = position == 0
                       ? element
                       : e.terms().mkIte(eqZero(own - number), element,
                                         list.element, inside);
  }
  SmallVector<IndexTerm> shape;
  for (int64_t size : cast<RankedTensorType>(op.getType()).getShape())
    shape.push_back(e.constant(size));
  e.define(op, reshapeTensor(e.terms(), list, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void tv::populateTensorEncodings(OpEncodings &t) {
  t.on<tensor::BitcastOp>(encodeBitcast);
  t.on<tensor::CastOp>(encodeCast);
  t.on<tensor::CollapseShapeOp>(encodeCollapse);
  t.on<tensor::ConcatOp>(encodeConcat);
  t.on<tensor::DimOp>(encodeDim);
  t.on<tensor::EmptyOp>(encodeEmpty);
  t.on<tensor::ExpandShapeOp>(encodeExpand);
  t.on<tensor::ExtractSliceOp>(encodeExtractSlice);
  t.on<tensor::FromElementsOp>(encodeFromElements);
  t.on<tensor::InsertSliceOp>(encodeInsertSlice);
  t.on<tensor::RankOp>(encodeRank);
  t.on<tensor::ReshapeOp>(encodeReshape);
  t.on<tensor::SplatOp>(encodeSplat);
  populateTensorRegionEncodings(t);
}
