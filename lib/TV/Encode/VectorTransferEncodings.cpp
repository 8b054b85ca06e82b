//===- VectorTransferEncodings.cpp - Encodings of vector transfers --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Vectors read from tensors and written into them. Each lane is an access of
/// its own: none where the mask is off, or where a dimension without
/// `in_bounds` leaves the tensor; one out of bounds elsewhere is undefined.
///
//===----------------------------------------------------------------------===//

#include "VectorEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {
/// Where the lanes of one transfer lie.
class Transfer {
public:
  Transfer(VectorTransferOpInterface op, Value mask, Encoder &e)
      : op(op), mask(mask), e(e), map(op.getPermutationMap()),
        vectorType(op.getVectorType()), whole(e.tensor(op.getBase())) {}
  /// Reads the start indices.
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
  LogicalResult insert(const SymTensor &vector, Value result);

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
  if (!isa<RankedTensorType>(op.getBase().getType()))
    return e.unsupported(op, "a transfer from or to memory has no encoding");
  if (e.underBinder())
    return e.unsupported(op, "a transfer in a body has no encoding");
  if (isa<VectorType>(op.getShapedType().getElementType()))
    return e.unsupported(op, "tensors of vectors have no encoding");
  for (Value index : op.getIndices()) {
    Element scalar = e.scalar(index);
    if (!e.exactIndex(scalar.value) && e.polynomial(scalar.value))
      e.assumeNote("index-range",
                   "start indices of transfers do not wrap around");
    IndexTerm position = e.indexOrSymbol(scalar, "index", op);
    if (!position)
      return e.unsupported(op, "this index has no encoding");
    base.push_back(position);
  }
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
LogicalResult Transfer::insert(const SymTensor &vector, Value result) {
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
  e.define(result, insertSlice(e.terms(), slice, whole, base, ones));
  return success();
}

LogicalResult Transfer::write(Value source, Value result) {
  const SymTensor vector = e.tensor(source);
  if (isPlain()) {
    requireCorners();
    return insert(vector, result);
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
  e.define(result, std::move(*written));
  return success();
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
  t.on<vector::TransferReadOp>([](vector::TransferReadOp op, Encoder &e) {
    return encodeTransferRead(op, Value(), op.getVector(), e);
  });
  t.on<vector::TransferWriteOp>([](vector::TransferWriteOp op, Encoder &e) {
    return encodeTransferWrite(
        op, Value(), op->getNumResults() ? op->getResult(0) : Value(), e);
  });
}
