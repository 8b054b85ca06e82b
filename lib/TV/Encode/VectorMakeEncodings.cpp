//===- VectorMakeEncodings.cpp - Vectors made of single things ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Vectors made of listed elements, of numbers (steps and masks), or of the
/// bits of other vectors.
///
//===----------------------------------------------------------------------===//

#include "VectorEncodings.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Lists of elements
//===----------------------------------------------------------------------===//

/// A vector whose element at index i of dim 0 is `pick(i, other indices)`.
static SymTensor
chosenBy(ScalarType type, ArrayRef<IndexTerm> shape, Encoder &e,
         llvm::function_ref<Element(int64_t, ArrayRef<IndexTerm>,
                                    const IndexContext &)>
             pick) {
  int64_t count = *shape[0].constantInt64();
  return mapTensor(e.terms(), type, shape,
                   [&](ArrayRef<IndexTerm> at, const IndexContext &inside) {
                     Element result = pick(count - 1, at.drop_front(), inside);
                     for (int64_t i = count - 2; i >= 0; --i)
                       result = e.terms().mkIte(
                           eqZero(at[0] - i), pick(i, at.drop_front(), inside),
                           result, inside);
                     return result;
                   });
}

static LogicalResult encodeShuffle(vector::ShuffleOp op, Encoder &e) {
  const SymTensor a = e.tensor(op.getV1()), b = e.tensor(op.getV2());
  ArrayRef<int64_t> mask = op.getMask();
  int64_t split = a.rank() ? *a.shape[0].constantInt64() : 1;
  auto pick = [&](int64_t i, ArrayRef<IndexTerm> rest,
                  const IndexContext &inside) {
    if (mask[i] < 0)
      return e.poison(a.type);
    const SymTensor &source = mask[i] < split ? a : b;
    IndexList at;
    if (source.rank())
      at.push_back(e.constant(mask[i] < split ? mask[i] : mask[i] - split));
    at.append(rest.begin(), rest.end());
    return readElement(e.terms(), source, at, inside);
  };
  e.define(op, chosenBy(a.type, sizesOf(op.getResultVectorType(), e), e, pick));
  return success();
}

/// Row-major numbers, one element each.
static LogicalResult encodeFromElements(vector::FromElementsOp op, Encoder &e) {
  auto type = cast<VectorType>(op.getType());
  ScalarType scalar = *e.scalarType(type);
  SmallVector<IndexTerm> flat = {e.constant(int64_t(op.getElements().size()))};
  SymTensor list =
      chosenBy(scalar, flat, e,
               [&](int64_t i, ArrayRef<IndexTerm>, const IndexContext &) {
                 return e.scalar(op.getElements()[i]);
               });
  e.define(op, reshapeTensor(e.terms(), list, sizesOf(type, e)));
  return success();
}

static LogicalResult encodeToElements(vector::ToElementsOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  SmallVector<int64_t> at(source.rank(), 0);
  for (Value result : op.getResults()) {
    SmallVector<IndexTerm> index;
    for (int64_t i : at)
      index.push_back(e.constant(i));
    e.define(result, readElement(e.terms(), source, index, e.context()));
    for (int64_t dim = int64_t(at.size()) - 1; dim >= 0; --dim) {
      if (++at[dim] < *source.shape[dim].constantInt64())
        break;
      at[dim] = 0;
    }
  }
  return success();
}

static LogicalResult encodeInterleave(vector::InterleaveOp op, Encoder &e) {
  const SymTensor a = asTensor(op.getLhs(), e), b = asTensor(op.getRhs(), e);
  SmallVector<IndexTerm> shape = sizesOf(op.getResultVectorType(), e);
  e.define(op,
           mapTensor(e.terms(), a.type, shape,
                     [&](ArrayRef<IndexTerm> at, const IndexContext &inside) {
                       IndexList from(at);
                       IndexTerm two = e.constant(2), last = at.back();
                       if (a.rank() == 0)
                         from.clear();
                       else
                         from.back() = inside.floorDiv(last, two);
                       return e.terms().mkIte(
                           eqZero(inside.mod(last, two)),
                           readElement(e.terms(), a, from, inside),
                           readElement(e.terms(), b, from, inside), inside);
                     }));
  return success();
}

static LogicalResult encodeDeinterleave(vector::DeinterleaveOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    auto map = [&, first = int64_t(number)](ArrayRef<IndexTerm> at,
                                            const IndexContext &) {
      IndexList from(at);
      from.back() = at.back() * 2 + first;
      return from;
    };
    e.define(result, indexMapTensor(
                         e.terms(), source,
                         sizesOf(cast<VectorType>(result.getType()), e), map));
  }
  return success();
}

static LogicalResult encodeStep(vector::StepOp op, Encoder &e) {
  auto type = cast<VectorType>(op.getType());
  e.define(op, mapTensor(e.terms(), e.indexType(), sizesOf(type, e),
                         [&](ArrayRef<IndexTerm> at, const IndexContext &) {
                           return e.defined(e.indexValue(at[0]));
                         }));
  return success();
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static LogicalResult encodeConstantMask(vector::ConstantMaskOp op, Encoder &e) {
  auto type = cast<VectorType>(op.getType());
  ArrayRef<int64_t> sizes = op.getMaskDimSizes();
  auto inside = [&](ArrayRef<IndexTerm> at, const IndexContext &context) {
    Guard guard;
    if (at.empty())
      return e.defined(e.terms().mkBool(sizes[0] != 0));
    for (auto [index, size] : llvm::zip_equal(at, sizes))
      guard.push_back(geZero(e.constant(size - 1) - index));
    return e.defined(e.terms().mkIte(guard, e.terms().mkBool(true),
                                     e.terms().mkBool(false), context));
  };
  e.define(op, mapTensor(e.terms(), ScalarType::boolean(), sizesOf(type, e),
                         inside));
  return success();
}

/// True where every index is smaller, as a signed number, than its operand.
static LogicalResult encodeCreateMask(vector::CreateMaskOp op, Encoder &e) {
  ScalarAttrs less;
  less.predicate = 2; // slt
  ScalarType boolean = ScalarType::boolean();
  FailureOr<SymTensor> result =
      e.compute(boolean, sizesOf(op.getVectorType(), e),
                [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
                  Element all = e.defined(e.terms().mkBool(true));
                  for (auto [dim, size] : llvm::enumerate(op.getOperands())) {
                    IndexTerm index = at.empty() ? e.constant(0) : at[dim];
                    Element one = e.apply(
                        ScalarOp::CmpI, less, boolean,
                        {e.defined(e.indexValue(index)), e.scalar(size)}, op);
                    all = {e.terms().mkAnd(all.value, one.value),
                           e.terms().mkOr(all.poison, one.poison)};
                  }
                  return all;
                });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Element `k` of the parts of width `part` that `whole` is made of, the lowest
/// bits first.
static Element partOf(Element whole, unsigned k, ScalarType part, Operation *op,
                      Encoder &e) {
  ScalarType wide = ScalarType::integer(whole.value->type().width());
  ScalarType narrow = ScalarType::integer(part.width());
  if (whole.value->type().isFloat())
    whole = e.apply(ScalarOp::Bitcast, {}, wide, {whole}, op);
  Element by = e.defined(e.terms().mkInt(wide, int64_t(k) * part.width()));
  Element low =
      e.apply(ScalarOp::TruncI, {}, narrow,
              {e.apply(ScalarOp::ShRUI, {}, wide, {whole, by}, op)}, op);
  return part.isFloat() ? e.apply(ScalarOp::Bitcast, {}, part, {low}, op) : low;
}

/// The element of type `type` that `parts` make, the lowest bits first.
static Element wholeOf(ArrayRef<Element> parts, ScalarType type, Operation *op,
                       Encoder &e) {
  ScalarType wide = ScalarType::integer(type.width());
  unsigned width = parts[0].value->type().width();
  Element all = e.defined(e.terms().mkInt(wide, 0));
  for (auto [k, part] : llvm::enumerate(parts)) {
    Element bits = part;
    if (bits.value->type().isFloat())
      bits = e.apply(ScalarOp::Bitcast, {}, ScalarType::integer(width), {bits},
                     op);
    bits = e.apply(ScalarOp::ExtUI, {}, wide, {bits}, op);
    Element by = e.defined(e.terms().mkInt(wide, int64_t(k) * width));
    bits = e.apply(ScalarOp::ShLI, {}, wide, {bits, by}, op);
    all = e.apply(ScalarOp::OrI, {}, wide, {all, bits}, op);
  }
  return type.isFloat() ? e.apply(ScalarOp::Bitcast, {}, type, {all}, op) : all;
}

/// Lanes are numbered from the low bits up, as on a little-endian machine.
static LogicalResult encodeBitCast(vector::BitCastOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  ScalarType from = source.type, to = *e.scalarType(op.getType());
  if (from.isIndex() || to.isIndex())
    return e.unsupported(op, "a bitcast of index has no encoding");
  unsigned a = from.width(), b = to.width();
  if (a % b != 0 && b % a != 0)
    return e.unsupported(op, "widths of which neither divides the other have "
                             "no encoding");
  auto element = [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
    auto read = [&](ArrayRef<IndexTerm> where) {
      return readElement(e.terms(), source, where, e.context());
    };
    if (from == to)
      return read(at);
    if (a == b)
      return e.apply(ScalarOp::Bitcast, {}, to, {read(at)}, op);
    IndexList where(at);
    if (a > b) {
      IndexTerm ratio = e.constant(a / b);
      where.back() = e.context().floorDiv(at.back(), ratio);
      IndexTerm rest = e.context().mod(at.back(), ratio);
      Element whole = read(where);
      Element result = partOf(whole, a / b - 1, to, op, e);
      for (int64_t k = int64_t(a / b) - 2; k >= 0; --k)
        result = e.terms().mkIte(eqZero(rest - k), partOf(whole, k, to, op, e),
                                 result, e.context());
      return result;
    }
    SmallVector<Element> parts;
    for (int64_t k = 0; k < int64_t(b / a); ++k) {
      where.back() = at.back() * int64_t(b / a) + k;
      parts.push_back(read(where));
    }
    return wholeOf(parts, to, op, e);
  };
  FailureOr<SymTensor> result =
      e.compute(to, sizesOf(op.getResultVectorType(), e), element);
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

void tv::populateVectorMakeEncodings(OpEncodings &t) {
  t.on<vector::BitCastOp>(encodeBitCast);
  t.on<vector::ConstantMaskOp>(encodeConstantMask);
  t.on<vector::CreateMaskOp>(encodeCreateMask);
  t.on<vector::DeinterleaveOp>(encodeDeinterleave);
  t.on<vector::FromElementsOp>(encodeFromElements);
  t.on<vector::InterleaveOp>(encodeInterleave);
  t.on<vector::ShuffleOp>(encodeShuffle);
  t.on<vector::StepOp>(encodeStep);
  t.on<vector::ToElementsOp>(encodeToElements);
}
