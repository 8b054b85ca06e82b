//===- VectorEncodings.cpp - Encodings of vector moves --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations of the vector dialect that move elements. A vector of fixed size
/// is a tensor of static shape; one of scalable size has no encoding. Vectors
/// made of single elements, numbers or bits are in VectorMakeEncodings.cpp,
/// what combines elements is in VectorReduceEncodings.cpp, accesses are in
/// VectorTransferEncodings.cpp.
///
//===----------------------------------------------------------------------===//

#include "VectorEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

SmallVector<IndexTerm> tv::sizesOf(ShapedType type, Encoder &e) {
  SmallVector<IndexTerm> shape;
  for (int64_t size : type.getShape())
    shape.push_back(e.constant(size));
  return shape;
}

SymTensor tv::asTensor(Value value, Encoder &e) {
  if (isa<ShapedType>(value.getType()))
    return e.tensor(value);
  return splatTensor(e.terms(), *e.scalarType(value.getType()), {},
                     e.scalar(value));
}

void tv::defineAs(Value result, SymTensor tensor, Encoder &e) {
  if (isa<ShapedType>(result.getType()))
    e.define(result, std::move(tensor));
  else
    e.define(result, readElement(e.terms(), tensor, {}, e.context()));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Dims are aligned at the end: missing ones repeat, unit ones stretch.
static LogicalResult encodeBroadcast(vector::BroadcastOp op, Encoder &e) {
  SymTensor source = asTensor(op.getSource(), e);
  SmallVector<IndexTerm> shape = sizesOf(op.getResultVectorType(), e);
  unsigned added = shape.size() - source.rank();
  e.define(op, indexMapTensor(
                   e.terms(), source, shape,
                   [&](ArrayRef<IndexTerm> at, const IndexContext &) {
                     IndexList from;
                     for (unsigned dim = 0; dim < source.rank(); ++dim)
                       from.push_back(source.shape[dim].constantInt64() == 1
                                          ? e.constant(0)
                                          : at[added + dim]);
                     return from;
                   }));
  return success();
}

static LogicalResult encodeShapeCast(vector::ShapeCastOp op, Encoder &e) {
  e.define(op, reshapeTensor(e.terms(), e.tensor(op.getSource()),
                             sizesOf(op.getResultVectorType(), e)));
  return success();
}

static LogicalResult encodeTranspose(vector::TransposeOp op, Encoder &e) {
  e.define(op, transposeTensor(e.terms(), e.tensor(op.getVector()),
                               op.getPermutation()));
  return success();
}

static SmallVector<int64_t> integers(ArrayAttr attr) {
  SmallVector<int64_t> result;
  for (Attribute item : attr)
    result.push_back(cast<IntegerAttr>(item).getInt());
  return result;
}

static LogicalResult encodeExtractStridedSlice(vector::ExtractStridedSliceOp op,
                                               Encoder &e) {
  const SymTensor &source = e.tensor(op.getSource());
  SmallVector<int64_t> from = integers(op.getOffsets()),
                       by = integers(op.getStrides());
  SmallVector<IndexTerm> offsets, strides;
  for (unsigned dim = 0; dim < source.rank(); ++dim) {
    offsets.push_back(e.constant(dim < from.size() ? from[dim] : 0));
    strides.push_back(e.constant(dim < by.size() ? by[dim] : 1));
  }
  e.define(op,
           extractSlice(e.terms(), source, offsets,
                        sizesOf(cast<VectorType>(op.getType()), e), strides));
  return success();
}

static LogicalResult encodeInsertStridedSlice(vector::InsertStridedSliceOp op,
                                              Encoder &e) {
  SymTensor source = e.tensor(op.getValueToStore());
  const SymTensor &dest = e.tensor(op.getDest());
  SmallVector<int64_t> to = integers(op.getOffsets()),
                       by = integers(op.getStrides());
  unsigned leading = dest.rank() - source.rank();
  SmallVector<IndexTerm> offsets, strides, shape;
  SmallVector<bool> added;
  for (unsigned dim = 0; dim < dest.rank(); ++dim) {
    offsets.push_back(e.constant(to[dim]));
    strides.push_back(e.constant(dim < leading ? 1 : by[dim - leading]));
    shape.push_back(dim < leading ? e.constant(1)
                                  : source.shape[dim - leading]);
    added.push_back(dim < leading);
  }
  if (leading != 0)
    source = addUnitDims(e.terms(), source, shape, added);
  e.define(op, insertSlice(e.terms(), source, dest, offsets, strides));
  return success();
}

//===----------------------------------------------------------------------===//
// Positions known at run time
//===----------------------------------------------------------------------===//

namespace {
/// The leading indices of vector.extract and vector.insert. An index out of
/// bounds makes the result poison; it is no access.
class Position {
public:
  Position(ArrayRef<OpFoldResult> mixed, ArrayRef<IndexTerm> shape,
           Operation *op, Encoder &e)
      : mixed(mixed), shape(shape), op(op), e(e) {}
  /// Reads the element under these indices and `rest`; poison elsewhere.
  Element read(const SymTensor &source, ArrayRef<IndexTerm> rest);
  /// "at[dim] is the index of dim", for every dim.
  const Term *isAt(ArrayRef<IndexTerm> at);
  /// Some index is poison or out of bounds.
  const Term *isBad();
  /// How many elements the dynamic indices choose from.
  int64_t choices();

private:
  const Term *equals(unsigned dim, IndexTerm number);
  Element readFrom(const SymTensor &source, unsigned dim, IndexList &done,
                   ArrayRef<IndexTerm> rest);

  SmallVector<OpFoldResult> mixed;
  SmallVector<IndexTerm> shape;
  Operation *op;
  Encoder &e;
};
} // namespace

const Term *Position::equals(unsigned dim, IndexTerm number) {
  if (auto attr = dyn_cast<Attribute>(mixed[dim])) {
    int64_t wanted = cast<IntegerAttr>(attr).getInt();
    return e.terms().mkIndexCmp(/*eq*/ 0, number, e.constant(wanted),
                                e.context());
  }
  return e
      .apply(
          ScalarOp::CmpI, ScalarAttrs(), ScalarType::boolean(),
          {{e.scalar(cast<Value>(mixed[dim])).value, e.terms().mkBool(false)},
           e.defined(e.indexValue(number))},
          op)
      .value;
}

const Term *Position::isAt(ArrayRef<IndexTerm> at) {
  const Term *all = e.terms().mkBool(true);
  for (unsigned dim = 0; dim < mixed.size(); ++dim)
    all = e.terms().mkAnd(all, equals(dim, at[dim]));
  return all;
}

const Term *Position::isBad() {
  const Term *bad = e.terms().mkBool(false);
  for (auto [dim, item] : llvm::enumerate(mixed)) {
    if (auto attr = dyn_cast<Attribute>(item)) {
      if (cast<IntegerAttr>(attr).getInt() < 0)
        return e.terms().mkBool(true);
      continue;
    }
    Element index = e.scalar(cast<Value>(item));
    ScalarAttrs atLeast;
    atLeast.predicate = 9; // uge: negative values are large
    Element outside = e.apply(ScalarOp::CmpI, atLeast, ScalarType::boolean(),
                              {{index.value, e.terms().mkBool(false)},
                               e.defined(e.indexValue(shape[dim]))},
                              op);
    bad = e.terms().mkOr(bad, e.terms().mkOr(index.poison, outside.value));
  }
  return bad;
}

int64_t Position::choices() {
  int64_t count = 1;
  for (auto [item, size] : llvm::zip(mixed, shape))
    if (isa<Value>(item))
      count *= *size.constantInt64();
  return count;
}

Element Position::readFrom(const SymTensor &source, unsigned dim,
                           IndexList &done, ArrayRef<IndexTerm> rest) {
  if (dim == mixed.size()) {
    IndexList at(done);
    at.append(rest.begin(), rest.end());
    return readElement(e.terms(), source, at, e.context());
  }
  auto with = [&](int64_t number) {
    done.push_back(e.constant(number));
    Element element = readFrom(source, dim + 1, done, rest);
    done.pop_back();
    return element;
  };
  if (auto attr = dyn_cast<Attribute>(mixed[dim]))
    return with(cast<IntegerAttr>(attr).getInt());
  int64_t extent = *shape[dim].constantInt64();
  Element result = with(extent - 1);
  for (int64_t k = extent - 2; k >= 0; --k) {
    const Term *here = equals(dim, e.constant(k));
    Element element = with(k);
    result = {e.terms().mkSelect(here, element.value, result.value),
              e.terms().mkSelect(here, element.poison, result.poison)};
  }
  return result;
}

Element Position::read(const SymTensor &source, ArrayRef<IndexTerm> rest) {
  const Term *bad = isBad();
  if (bad->isTrue())
    return e.poison(source.type);
  IndexList done;
  Element element = readFrom(source, 0, done, rest);
  return {element.value, e.terms().mkOr(bad, element.poison)};
}

/// Elements that a run-time index may choose from, at most.
static constexpr int64_t kChoiceLimit = 256;

static LogicalResult encodeExtract(vector::ExtractOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  Position position(op.getMixedPosition(), source.shape, op, e);
  if (position.choices() > kChoiceLimit)
    return e.unsupported(op, "a run-time index into more than 256 elements "
                             "has no encoding");
  auto type = dyn_cast<ShapedType>(op.getType());
  if (!type) {
    e.define(op.getResult(), position.read(source, {}));
    return success();
  }
  FailureOr<SymTensor> result =
      e.compute(source.type, sizesOf(type, e),
                [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
                  return position.read(source, at);
                });
  if (failed(result))
    return failure();
  e.define(op.getResult(), std::move(*result));
  return success();
}

static LogicalResult encodeInsert(vector::InsertOp op, Encoder &e) {
  const SymTensor dest = e.tensor(op.getDest());
  const SymTensor value = asTensor(op.getValueToStore(), e);
  unsigned leading = op.getNumIndices();
  Position position(op.getMixedPosition(),
                    ArrayRef(dest.shape).take_front(leading), op, e);
  FailureOr<SymTensor> result = e.compute(
      dest.type, dest.shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        const Term *here = position.isAt(at);
        // A vector of rank 0 may be inserted at a full position.
        Element inserted = readElement(e.terms(), value,
                                       value.rank() ? at.drop_front(leading)
                                                    : ArrayRef<IndexTerm>(),
                                       e.context());
        Element kept = readElement(e.terms(), dest, at, e.context());
        const Term *poison =
            e.terms().mkSelect(here, inserted.poison, kept.poison);
        return Element{e.terms().mkSelect(here, inserted.value, kept.value),
                       e.terms().mkOr(position.isBad(), poison)};
      });
  if (failed(result))
    return failure();
  e.define(op.getResult(), std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void tv::populateVectorEncodings(OpEncodings &t) {
  t.on<vector::BroadcastOp>(encodeBroadcast);
  t.on<vector::ExtractOp>(encodeExtract);
  t.on<vector::ExtractStridedSliceOp>(encodeExtractStridedSlice);
  t.on<vector::InsertOp>(encodeInsert);
  t.on<vector::InsertStridedSliceOp>(encodeInsertStridedSlice);
  t.on<vector::ShapeCastOp>(encodeShapeCast);
  t.on<vector::TransposeOp>(encodeTranspose);
  populateVectorMakeEncodings(t);
  populateVectorReduceEncodings(t);
  populateVectorTransferEncodings(t);
}
