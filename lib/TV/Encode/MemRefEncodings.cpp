//===- MemRefEncodings.cpp - Encodings of memref --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Allocation, access, views, copies and globals. What depends on addresses
/// (reinterpret_cast, alignment, pointers as integers) has no encoding.
///
//===----------------------------------------------------------------------===//

#include "TensorEncodings.h"

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

static SmallVector<Element> scalarsOf(ValueRange values, Encoder &e) {
  SmallVector<Element> result;
  for (Value value : values)
    result.push_back(e.scalar(value));
  return result;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult encodeAllocation(OpT op, Encoder &e) {
  MemRefType type = op.getType();
  if (!type.getLayout().isIdentity() || !op.getSymbolOperands().empty())
    return e.unsupported(op, "an allocation with a layout has no encoding");
  IndexList shape;
  unsigned next = 0;
  for (int64_t size : type.getShape()) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(e.constant(size));
      continue;
    }
    Element given = e.scalar(op.getDynamicSizes()[next++]);
    IndexTerm term = e.indexOrSymbol(given, "size", op);
    if (!term)
      return e.unsupported(op, "a size that depends on data and on loop "
                               "variables has no encoding");
    e.require(geZero(term), "negative size", op);
    shape.push_back(e.terms().index().dimFor(term));
  }
  bool isStack = std::is_same_v<OpT, memref::AllocaOp>;
  e.define(op,
           e.allocate(isStack ? MemBlock::Kind::Stack : MemBlock::Kind::Heap,
                      emptyTensor(e.terms(), *e.scalarType(type), shape),
                      "alloc"));
  return success();
}

static LogicalResult encodeDealloc(memref::DeallocOp op, Encoder &e) {
  return e.free(e.memref(op.getMemref()), op);
}

static LogicalResult encodeAllocaScope(memref::AllocaScopeOp op, Encoder &e) {
  SmallVector<SymValue> results;
  if (failed(e.encodeRegion(op.getBodyRegion(), {}, results)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results)) {
    if (value.isMemRef())
      return e.unsupported(op, "memory that leaves its scope");
    e.define(result, value);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

static LogicalResult encodeLoad(memref::LoadOp op, Encoder &e) {
  FailureOr<Element> element =
      e.load(e.memref(op.getMemRef()), scalarsOf(op.getIndices(), e), op);
  if (failed(element))
    return failure();
  e.define(op, *element);
  return success();
}

static LogicalResult encodeStore(memref::StoreOp op, Encoder &e) {
  return e.store(e.memref(op.getMemRef()), scalarsOf(op.getIndices(), e),
                 e.scalar(op.getValueToStore()), op);
}

static LogicalResult encodeDim(memref::DimOp op, Encoder &e) {
  ArrayRef<IndexTerm> shape = e.memref(op.getSource()).shape();
  Element index = e.scalar(op.getIndex());
  std::optional<IndexTerm> number = e.polynomial(index.value);
  std::optional<int64_t> dim = number ? number->constantInt64() : std::nullopt;
  if (!dim || *dim < 0 || *dim >= int64_t(shape.size()))
    return e.unsupported(op, "a dimension that is not a valid constant");
  e.define(op, e.defined(e.indexValue(shape[*dim])));
  return success();
}

static LogicalResult encodeRank(memref::RankOp op, Encoder &e) {
  int64_t rank = e.memref(op.getMemref()).shape().size();
  e.define(op, e.defined(e.terms().mkInt(e.indexType(), rank)));
  return success();
}

static LogicalResult encodeCopy(memref::CopyOp op, Encoder &e) {
  const SymMemRef from = e.memref(op.getSource()),
                  to = e.memref(op.getTarget());
  for (auto [a, b] : llvm::zip_equal(from.shape(), to.shape()))
    e.requireEqual(a, b, "copy between different shapes", op);
  // A copy of a view onto itself changes nothing, but it is an access: of
  // memory that may be gone, constant, or in use by another iteration.
  if (e.mayOverlap(from, to) && !e.isSameView(from, to))
    return e.unsupported(op, "a copy within one buffer has no encoding");
  FailureOr<SymTensor> tensor = e.readView(from, op);
  if (failed(tensor))
    return failure();
  return e.writeView(to, *tensor, op);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// A cast may only forget what is static of the layout, or keep it.
static bool isLayoutKept(MemRefType from, MemRefType to) {
  SmallVector<int64_t> a, b;
  int64_t x, y;
  if (failed(from.getStridesAndOffset(a, x)) ||
      failed(to.getStridesAndOffset(b, y)) || a.size() != b.size())
    return false;
  auto keeps = [](int64_t p, int64_t q) {
    return p == q || ShapedType::isDynamic(q);
  };
  if (!keeps(x, y))
    return false;
  for (auto [p, q] : llvm::zip_equal(a, b))
    if (!keeps(p, q))
      return false;
  return true;
}

static LogicalResult encodeCast(memref::CastOp op, Encoder &e) {
  auto from = dyn_cast<MemRefType>(op.getSource().getType());
  auto to = dyn_cast<MemRefType>(op.getType());
  if (!from || !to || !isLayoutKept(from, to))
    return e.unsupported(op, "a cast that promises a layout has no encoding");
  SymMemRef memref = e.memref(op.getSource());
  e.requireStaticSizes(memref.shape(), to.getShape(), op);
  e.define(op, std::move(memref));
  return success();
}

static LogicalResult encodeSubView(memref::SubViewOp op, Encoder &e) {
  const SymMemRef source = e.memref(op.getSource());
  SmallVector<IndexTerm> offsets, sizes, strides;
  if (failed(e.mixed(op.getMixedOffsets(), offsets, op)) ||
      failed(e.mixed(op.getMixedSizes(), sizes, op)) ||
      failed(e.mixed(op.getMixedStrides(), strides, op)))
    return failure();
  for (auto [dim, size] : llvm::enumerate(source.shape())) {
    e.require(geZero(sizes[dim]), "negative size", op);
    IndexTerm last = offsets[dim] + (sizes[dim] - 1) * strides[dim];
    Guard bounds;
    for (IndexTerm edge : {offsets[dim], last})
      bounds.append({geZero(edge), geZero(size - 1 - edge)});
    if (!e.context().nonneg(sizes[dim] - 1))
      return e.unsupported(op, "a subview that may be empty has no encoding");
    e.require(bounds, "subview out of bounds", op);
  }
  llvm::SmallBitVector bits = op.getDroppedDims();
  SmallVector<bool> dropped;
  for (unsigned dim = 0; dim < offsets.size(); ++dim)
    dropped.push_back(bits[dim]);
  std::optional<SymMemRef> view = e.mapViews(source, [&](const MemView &from) {
    return subView(e.terms(), from, offsets, sizes, strides, dropped,
                   e.block(from.block).shape);
  });
  if (!view)
    return e.unsupported(op, "a stride that is not constant has no encoding");
  e.define(op, std::move(*view));
  return success();
}

static LogicalResult encodeTranspose(memref::TransposeOp op, Encoder &e) {
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : op.getPermutation().getResults())
    permutation.push_back(cast<AffineDimExpr>(expr).getPosition());
  e.define(op, *e.mapViews(e.memref(op.getIn()), [&](const MemView &from) {
    return std::optional(transposedView(e.terms(), from, permutation));
  }));
  return success();
}

/// Collapsing is a view only where the dimensions are contiguous, which the
/// verifier checks as far as the type tells.
static LogicalResult encodeCollapse(memref::CollapseShapeOp op, Encoder &e) {
  if (!memref::CollapseShapeOp::isGuaranteedCollapsible(
          op.getSrcType(), op.getReassociationIndices()))
    return e.unsupported(op, "dimensions that may not be contiguous");
  SymMemRef memref =
      *e.mapViews(e.memref(op.getSrc()), [&](const MemView &from) {
        return std::optional(
            collapsedView(e.terms(), from, op.getReassociationIndices()));
      });
  e.requireStaticSizes(memref.shape(), op.getResultType().getShape(), op);
  e.define(op, std::move(memref));
  return success();
}

static LogicalResult encodeExpand(memref::ExpandShapeOp op, Encoder &e) {
  SmallVector<IndexTerm> shape;
  if (failed(e.mixed(op.getMixedOutputShape(), shape, op)))
    return failure();
  const SymMemRef source = e.memref(op.getSrc());
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  for (auto [dim, group] : llvm::enumerate(groups)) {
    IndexTerm product = e.constant(1);
    for (int64_t inner : group) {
      e.require(geZero(shape[inner]), "negative size", op);
      product = product * shape[inner];
    }
    e.requireEqual(source.shape()[dim], product,
                   "the expanded sizes do not multiply up to the source", op);
  }
  std::optional<SymMemRef> view = e.mapViews(source, [&](const MemView &from) {
    return expandedView(e.terms(), from, groups, shape,
                        e.block(from.block).shape);
  });
  if (!view)
    return e.unsupported(op, "these sizes have no encoding");
  e.define(op, std::move(*view));
  return success();
}

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

static LogicalResult encodeGetGlobal(memref::GetGlobalOp op, Encoder &e) {
  auto global = dyn_cast_or_null<memref::GlobalOp>(
      SymbolTable::lookupNearestSymbolFrom(op, op.getNameAttr()));
  MemRefType type = op.getType();
  if (!global || !type.hasStaticShape())
    return e.unsupported(op, "a global without a declaration");
  IndexList shape;
  for (int64_t size : type.getShape())
    shape.push_back(e.constant(size));
  ScalarType scalar = *e.scalarType(type);
  if (!global.getConstant()) {
    e.define(op, e.global(op.getName(), scalar, shape));
    return success();
  }
  auto value = dyn_cast_or_null<ElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  if (!value)
    return e.unsupported(op, "a constant global without a value");
  FailureOr<SymTensor> tensor = constantElements(value, op, e);
  if (failed(tensor))
    return failure();
  e.define(op,
           e.allocate(MemBlock::Kind::Constant, *tensor, "@" + op.getName()));
  return success();
}

void tv::populateMemRefEncodings(OpEncodings &t) {
  t.on<memref::AllocOp>(encodeAllocation<memref::AllocOp>);
  t.on<memref::AllocaOp>(encodeAllocation<memref::AllocaOp>);
  t.on<memref::AllocaScopeOp>(encodeAllocaScope);
  t.on<memref::CastOp>(encodeCast);
  t.on<memref::CollapseShapeOp>(encodeCollapse);
  t.on<memref::CopyOp>(encodeCopy);
  t.on<memref::DeallocOp>(encodeDealloc);
  t.on<memref::DimOp>(encodeDim);
  t.on<memref::ExpandShapeOp>(encodeExpand);
  t.on<memref::GetGlobalOp>(encodeGetGlobal);
  t.on<memref::LoadOp>(encodeLoad);
  t.on<memref::RankOp>(encodeRank);
  t.on<memref::StoreOp>(encodeStore);
  t.on<memref::SubViewOp>(encodeSubView);
  t.on<memref::TransposeOp>(encodeTranspose);
}
