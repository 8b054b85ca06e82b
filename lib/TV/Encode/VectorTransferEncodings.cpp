//===- VectorTransferEncodings.cpp - Encodings of vector transfers --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Vectors read from tensors or memory and written into them. Each lane is an
/// access of its own: none where the mask is off, or where a dimension without
/// `in_bounds` leaves the tensor; one out of bounds elsewhere is undefined.
///
//===----------------------------------------------------------------------===//

#include "VectorEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

/// What a tensor or a memref holds.
static FailureOr<SymTensor> contentsOf(Value base, Operation *op, Encoder &e) {
  if (isa<RankedTensorType>(base.getType()))
    return e.tensor(base);
  return e.readView(e.memref(base), op);
}

/// The index operands of an access to several lanes.
static FailureOr<IndexList> startOf(OperandRange indices, Operation *op,
                                    Encoder &e) {
  IndexList start;
  for (Value index : indices) {
    Element scalar = e.scalar(index);
    if (!e.exactIndex(scalar.value) && e.polynomial(scalar.value))
      e.assumeNote("index-range",
                   "start indices of transfers do not wrap around");
    IndexTerm position = e.indexOrSymbol(scalar, "index", op);
    if (!position)
      return e.unsupported(op, "this index has no encoding");
    start.push_back(position);
  }
  return start;
}

namespace {
/// Where the lanes of one transfer lie.
class Transfer {
public:
  Transfer(VectorTransferOpInterface op, Value mask, Encoder &e)
      : op(op), mask(mask), e(e), map(op.getPermutationMap()),
        vectorType(op.getVectorType()) {}
  /// Reads the start indices, and what the base holds.
  LogicalResult start();
  LogicalResult read(Value padding, Value result);
  LogicalResult write(Value vector, Value result);

private:
  /// The dimension of the vector along which source dimension `dim` runs.
  std::optional<unsigned> laneDim(unsigned dim) const;
  IndexList positionOf(ArrayRef<IndexTerm> lane) const;
  /// The lane is no access unless `optional` holds, and undefined unless
  /// `required` does.
  void bounds(ArrayRef<IndexTerm> position, Guard &optional,
              Guard &required) const;
  Element maskOf(ArrayRef<IndexTerm> lane) const;
  void requireLane(ArrayRef<IndexTerm> lane);
  bool isPlain() const;
  void requireCorners();
  SymTensor insert(const SymTensor &vector);
  LogicalResult finish(SymTensor written, ArrayRef<IndexTerm> sizes,
                       Value result);

  VectorTransferOpInterface op;
  Value mask;
  Encoder &e;
  AffineMap map;
  VectorType vectorType;
  SymTensor whole;
  IndexList base;
};
} // namespace

std::optional<unsigned> Transfer::laneDim(unsigned dim) const {
  for (auto [number, expr] : llvm::enumerate(map.getResults()))
    if (auto used = dyn_cast<AffineDimExpr>(expr))
      if (used.getPosition() == dim)
        return number;
  return std::nullopt;
}

LogicalResult Transfer::start() {
  if (e.underBinder())
    return e.unsupported(op, "a transfer in a body has no encoding");
  if (isa<VectorType>(op.getShapedType().getElementType()))
    return e.unsupported(op, "tensors of vectors have no encoding");
  FailureOr<SymTensor> contents = contentsOf(op.getBase(), op, e);
  if (failed(contents))
    return failure();
  whole = std::move(*contents);
  FailureOr<IndexList> start = startOf(op.getIndices(), op, e);
  if (failed(start))
    return failure();
  base = std::move(*start);
  return success();
}

IndexList Transfer::positionOf(ArrayRef<IndexTerm> lane) const {
  IndexList position(base);
  for (unsigned dim = 0; dim < position.size(); ++dim)
    if (std::optional<unsigned> along = laneDim(dim))
      position[dim] = position[dim] + lane[*along];
  return position;
}

void Transfer::bounds(ArrayRef<IndexTerm> position, Guard &optional,
                      Guard &required) const {
  SmallVector<bool> inBounds =
      const_cast<VectorTransferOpInterface &>(op).getInBoundsValues();
  for (unsigned dim = 0; dim < position.size(); ++dim) {
    std::optional<unsigned> along = laneDim(dim);
    Guard &guard = along && !inBounds[*along] ? optional : required;
    guard.push_back(geZero(position[dim]));
    guard.push_back(geZero(whole.shape[dim] - 1 - position[dim]));
  }
}

/// A mask has one dimension for each that the vector runs along, in the order
/// of the tensor's.
Element Transfer::maskOf(ArrayRef<IndexTerm> lane) const {
  IndexList at;
  for (unsigned dim = 0; dim < base.size(); ++dim)
    if (std::optional<unsigned> along = laneDim(dim))
      at.push_back(lane[*along]);
  return readElement(e.terms(), e.tensor(mask), at, e.context());
}

void Transfer::requireLane(ArrayRef<IndexTerm> lane) {
  TermContext &terms = e.terms();
  Guard optional, required;
  bounds(positionOf(lane), optional, required);
  IndexContext reached = e.context().assume(optional);
  const Term *violated = terms.mkIte(
      optional,
      terms.mkIte(required, terms.mkBool(false), terms.mkBool(true), reached),
      terms.mkBool(false), e.context());
  if (mask) {
    Element on = maskOf(lane);
    violated =
        terms.mkAnd(violated, terms.mkAnd(on.value, terms.mkNot(on.poison)));
  }
  e.addUB(violated, "index out of bounds", op);
}

/// Every lane is an access, and an index is in bounds if the ends are.
bool Transfer::isPlain() const {
  auto &transfer = const_cast<VectorTransferOpInterface &>(op);
  return !mask && !transfer.hasOutOfBoundsDim();
}

void Transfer::requireCorners() {
  Guard guard;
  IndexList first(vectorType.getRank(), e.constant(0)), last;
  for (int64_t size : vectorType.getShape())
    last.push_back(e.constant(size - 1));
  for (ArrayRef<IndexTerm> corner :
       {ArrayRef<IndexTerm>(first), ArrayRef<IndexTerm>(last)})
    bounds(positionOf(corner), guard, guard);
  e.require(guard, "index out of bounds", op);
}

LogicalResult Transfer::read(Value padding, Value result) {
  if (isPlain())
    requireCorners();
  Element outside = e.scalar(padding);
  FailureOr<SymTensor> vector =
      e.compute(whole.type, sizesOf(vectorType, e),
                [&](ArrayRef<IndexTerm> lane) -> FailureOr<Element> {
                  if (!isPlain())
                    requireLane(lane);
                  IndexList position = positionOf(lane);
                  Guard optional, required;
                  bounds(position, optional, required);
                  IndexContext inside =
                      e.context().assume(optional).assume(required);
                  Element element = e.terms().mkIte(
                      optional, readElement(e.terms(), whole, position, inside),
                      outside, e.context());
                  if (!mask)
                    return element;
                  return e.apply(ScalarOp::Select, {}, whole.type,
                                 {maskOf(lane), element, outside}, op);
                });
  if (failed(vector))
    return failure();
  e.define(result, std::move(*vector));
  return success();
}

/// A write of all lanes, in bounds: a slice.
SymTensor Transfer::insert(const SymTensor &vector) {
  SmallVector<int64_t> order;
  SmallVector<IndexTerm> shape, ones(whole.rank(), e.constant(1));
  SmallVector<bool> added;
  for (unsigned dim = 0; dim < whole.rank(); ++dim) {
    std::optional<unsigned> along = laneDim(dim);
    added.push_back(!along);
    shape.push_back(along ? vector.shape[*along] : e.constant(1));
    if (along)
      order.push_back(*along);
  }
  SymTensor slice = transposeTensor(e.terms(), vector, order);
  if (order.size() != whole.rank())
    slice = addUnitDims(e.terms(), slice, shape, added);
  return insertSlice(e.terms(), slice, whole, base, ones);
}

/// The tensor after the write is the result; of memory only the elements that
/// the vector covers are written.
LogicalResult Transfer::finish(SymTensor written, ArrayRef<IndexTerm> sizes,
                               Value result) {
  if (result) {
    e.define(result, std::move(written));
    return success();
  }
  Guard where;
  for (unsigned dim = 0; dim < whole.rank(); ++dim) {
    IndexTerm distance = e.terms().ownIndex(dim) - base[dim];
    std::optional<unsigned> along = laneDim(dim);
    if (!along) {
      where.push_back(eqZero(distance));
      continue;
    }
    where.push_back(geZero(distance));
    where.push_back(geZero(sizes[*along] - 1 - distance));
  }
  return e.writeView(e.memref(op.getBase()), written, op, where);
}

LogicalResult Transfer::write(Value source, Value result) {
  const SymTensor vector = e.tensor(source);
  if (isPlain()) {
    requireCorners();
    return finish(insert(vector), vector.shape, result);
  }
  if (whole.element.value->hasUnspecified())
    return e.unsupported(op, "a partial write into unspecified contents has no "
                             "encoding");
  // Undefined accesses, lane by lane; the values follow below.
  FailureOr<SymTensor> lanes =
      e.compute(ScalarType::boolean(), vector.shape,
                [&](ArrayRef<IndexTerm> lane) -> FailureOr<Element> {
                  requireLane(lane);
                  return e.defined(e.terms().mkBool(true));
                });
  if (failed(lanes))
    return failure();
  FailureOr<SymTensor> written =
      e.compute(whole.type, whole.shape,
                [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
                  IndexList lane(vector.rank());
                  Guard here;
                  for (unsigned dim = 0; dim < at.size(); ++dim) {
                    IndexTerm distance = at[dim] - base[dim];
                    std::optional<unsigned> along = laneDim(dim);
                    if (!along) {
                      here.push_back(eqZero(distance));
                      continue;
                    }
                    lane[*along] = distance;
                    here.push_back(geZero(distance));
                    here.push_back(geZero(vector.shape[*along] - 1 - distance));
                  }
                  IndexContext inside = e.context().assume(here);
                  Element kept = readElement(e.terms(), whole, at, e.context());
                  Element next = readElement(e.terms(), vector, lane, inside);
                  if (mask)
                    next = e.apply(ScalarOp::Select, {}, whole.type,
                                   {maskOf(lane), next, kept}, op);
                  return e.terms().mkIte(here, next, kept, e.context());
                });
  if (failed(written))
    return failure();
  return finish(std::move(*written), vector.shape, result);
}

LogicalResult tv::encodeTransferRead(vector::TransferReadOp op, Value mask,
                                     Value result, Encoder &e) {
  Transfer transfer(op, mask ? mask : op.getMask(), e);
  if (failed(transfer.start()))
    return failure();
  return transfer.read(op.getPadding(), result);
}

LogicalResult tv::encodeTransferWrite(vector::TransferWriteOp op, Value mask,
                                      Value result, Encoder &e) {
  Transfer transfer(op, mask ? mask : op.getMask(), e);
  if (failed(transfer.start()))
    return failure();
  return transfer.write(op.getValueToStore(), result);
}

//===----------------------------------------------------------------------===//
// Load, store
//===----------------------------------------------------------------------===//

/// The start of a vector of trailing dimensions; the whole vector must lie
/// inside of `shape`.
static FailureOr<IndexList> startInside(OperandRange indices, VectorType type,
                                        ArrayRef<IndexTerm> shape,
                                        Operation *op, Encoder &e) {
  if (e.underBinder())
    return e.unsupported(op, "an access to memory in a body has no encoding");
  FailureOr<IndexList> start = startOf(indices, op, e);
  if (failed(start))
    return failure();
  unsigned leading = shape.size() - type.getRank();
  Guard inside;
  for (auto [dim, position] : llvm::enumerate(*start)) {
    int64_t size = dim < leading ? 1 : type.getDimSize(dim - leading);
    inside.push_back(geZero(position));
    inside.push_back(geZero(shape[dim] - size - position));
  }
  e.require(inside, "index out of bounds", op);
  return start;
}

static LogicalResult encodeLoad(vector::LoadOp op, Encoder &e) {
  VectorType type = op.getVectorType();
  if (isa<VectorType>(op.getMemRefType().getElementType()))
    return e.unsupported(op, "memory of vectors has no encoding");
  FailureOr<SymTensor> contents = contentsOf(op.getBase(), op, e);
  if (failed(contents))
    return failure();
  FailureOr<IndexList> start =
      startInside(op.getIndices(), type, contents->shape, op, e);
  if (failed(start))
    return failure();
  FailureOr<SymTensor> vector =
      e.compute(contents->type, sizesOf(type, e),
                [&](ArrayRef<IndexTerm> lane) -> FailureOr<Element> {
                  IndexList at(*start);
                  for (unsigned d = 0; d < lane.size(); ++d)
                    at[at.size() - lane.size() + d] =
                        at[at.size() - lane.size() + d] + lane[d];
                  return readElement(e.terms(), *contents, at, e.context());
                });
  if (failed(vector))
    return failure();
  e.define(op, std::move(*vector));
  return success();
}

static LogicalResult encodeStore(vector::StoreOp op, Encoder &e) {
  VectorType type = op.getVectorType();
  if (isa<VectorType>(op.getMemRefType().getElementType()))
    return e.unsupported(op, "memory of vectors has no encoding");
  const SymTensor vector = e.tensor(op.getValueToStore());
  FailureOr<SymTensor> whole = contentsOf(op.getBase(), op, e);
  if (failed(whole))
    return failure();
  FailureOr<IndexList> start =
      startInside(op.getIndices(), type, whole->shape, op, e);
  if (failed(start))
    return failure();
  unsigned leading = whole->rank() - vector.rank();
  SmallVector<IndexTerm> ones(whole->rank(), e.constant(1)), shape;
  SmallVector<bool> added;
  Guard where;
  for (unsigned dim = 0; dim < whole->rank(); ++dim) {
    added.push_back(dim < leading);
    shape.push_back(dim < leading ? e.constant(1)
                                  : vector.shape[dim - leading]);
    IndexTerm distance = e.terms().ownIndex(dim) - (*start)[dim];
    where.push_back(geZero(distance));
    where.push_back(geZero(shape.back() - 1 - distance));
  }
  SymTensor slice =
      leading ? addUnitDims(e.terms(), vector, shape, added) : vector;
  return e.writeView(e.memref(op.getBase()),
                     insertSlice(e.terms(), slice, *whole, *start, ones), op,
                     where);
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// base[offsets…, last offset + indices[lane]] where the mask is on.
static FailureOr<Element> gatherLane(vector::GatherOp op,
                                     ArrayRef<IndexTerm> lane, Encoder &e) {
  TermContext &terms = e.terms();
  auto read = [&](Value vector) {
    return readElement(terms, e.tensor(vector), lane, e.context());
  };
  const SymTensor &base = e.tensor(op.getBase());
  Element on = read(op.getMask()), element;
  std::vector<UBCondition> conditions;
  {
    Encoder::BodyScope scope(e, e.context(), lane);
    SmallVector<Element> position;
    for (Value offset : op.getOffsets())
      position.push_back(e.scalar(offset));
    Element index = read(op.getIndices());
    if (!index.value->type().isIndex())
      index = e.apply(ScalarOp::IndexCast, {}, e.indexType(), {index}, op);
    position.back() = e.apply(ScalarOp::AddI, {}, e.indexType(),
                              {position.back(), index}, op);
    FailureOr<Element> found = e.readAt(base, position, op);
    if (failed(found))
      return failure();
    element = *found;
    conditions = std::move(scope.conditions());
  }
  const Term *accessed = terms.mkAnd(on.value, terms.mkNot(on.poison));
  for (const UBCondition &ub : conditions)
    e.addUB(terms.mkAnd(accessed, ub.condition), ub.reason, op);
  return e.apply(ScalarOp::Select, {}, base.type,
                 {on, element, read(op.getPassThru())}, op);
}

static LogicalResult encodeGather(vector::GatherOp op, Encoder &e) {
  if (!isa<RankedTensorType>(op.getBase().getType()))
    return e.unsupported(op, "a gather from memory has no encoding");
  if (op.getAlignmentAttr())
    return e.unsupported(op, "a promised alignment has no encoding");
  FailureOr<SymTensor> result = e.compute(
      *e.scalarType(op.getVectorType()), sizesOf(op.getVectorType(), e),
      [&](ArrayRef<IndexTerm> lane) { return gatherLane(op, lane, e); });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

void tv::populateVectorTransferEncodings(OpEncodings &t) {
  t.on<vector::GatherOp>(encodeGather);
  t.on<vector::LoadOp>(encodeLoad);
  t.on<vector::StoreOp>(encodeStore);
  t.on<vector::TransferReadOp>([](vector::TransferReadOp op, Encoder &e) {
    return encodeTransferRead(op, Value(), op.getVector(), e);
  });
  t.on<vector::TransferWriteOp>([](vector::TransferWriteOp op, Encoder &e) {
    return encodeTransferWrite(
        op, Value(), op->getNumResults() ? op->getResult(0) : Value(), e);
  });
}
