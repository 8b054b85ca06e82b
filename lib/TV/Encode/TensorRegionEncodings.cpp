//===- TensorRegionEncodings.cpp - tensor ops that compute or index -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations of the tensor dialect with a region (generate, pad) or with
/// run-time indices (extract, insert, gather, scatter).
///
//===----------------------------------------------------------------------===//

#include "TensorEncodings.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

/// Runs a region whose arguments are the indices of one element.
static FailureOr<Element> runAt(Region &region, ArrayRef<IndexTerm> at,
                                Encoder &e) {
  SmallVector<SymValue> arguments, results;
  for (IndexTerm index : at)
    arguments.push_back(e.defined(e.indexValue(index)));
  if (failed(e.encodeBlock(region.front(), arguments, results)))
    return failure();
  return results.front().scalar;
}

static LogicalResult encodeGenerate(tensor::GenerateOp op, Encoder &e) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<IndexTerm> shape;
  if (failed(resultShape(type, op.getDynamicExtents(), op, e, shape)))
    return failure();
  FailureOr<SymTensor> result =
      e.compute(*e.scalarType(type), shape, [&](ArrayRef<IndexTerm> at) {
        return runAt(op.getBody(), at, e);
      });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

/// The region runs for elements outside of the source only.
static LogicalResult encodePad(tensor::PadOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  SmallVector<IndexTerm> low, high, vars;
  if (failed(e.mixed(op.getMixedLowPad(), low, op)) ||
      failed(e.mixed(op.getMixedHighPad(), high, op)))
    return failure();
  for (IndexTerm width : llvm::concat<IndexTerm>(low, high))
    e.require(geZero(width), "negative padding", op);
  std::vector<UBCondition> conditions;
  bool failure = false;
  SymTensor result = padTensor(
      e.terms(), source, low, high,
      [&](ArrayRef<IndexTerm> at, const IndexContext &context) -> Element {
        vars.assign(at.begin(), at.end());
        Encoder::BodyScope scope(e, context.assume(e.context().facts()), at);
        FailureOr<Element> element = runAt(op.getRegion(), at, e);
        Guard inside;
        for (auto [index, before, size] :
             llvm::zip_equal(at, low, source.shape)) {
          inside.push_back(geZero(index - before));
          inside.push_back(geZero(before + size - 1 - index));
        }
        for (UBCondition &ub : scope.conditions()) {
          ub.condition = e.terms().mkIte(inside, e.terms().mkBool(false),
                                         ub.condition, context);
          conditions.push_back(std::move(ub));
        }
        failure |= failed(element);
        return failed(element) ? e.poison(source.type) : *element;
      });
  if (failure)
    return mlir::failure();
  if (!conditions.empty())
    e.foldUB(conditions, vars, result.shape);
  e.requireStaticSizes(result.shape, op.getResultType().getShape(), op);
  e.define(op, std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Single elements
//===----------------------------------------------------------------------===//

static LogicalResult encodeExtract(tensor::ExtractOp op, Encoder &e) {
  SmallVector<Element> at;
  for (Value index : op.getIndices())
    at.push_back(e.scalar(index));
  FailureOr<Element> element = e.readAt(e.tensor(op.getTensor()), at, op);
  if (failed(element))
    return failure();
  e.define(op, *element);
  return success();
}

/// A slice of one element.
static LogicalResult encodeInsert(tensor::InsertOp op, Encoder &e) {
  const SymTensor &dest = e.tensor(op.getDest());
  SmallVector<IndexTerm> at;
  for (auto [index, size] : llvm::zip_equal(op.getIndices(), dest.shape)) {
    IndexTerm position = e.indexOrSymbol(e.scalar(index), "index", op);
    if (!position)
      return e.unsupported(op, "an index that depends on data and on loop "
                               "variables has no encoding here");
    e.require({geZero(position), geZero(size - 1 - position)},
              "index out of bounds", op);
    at.push_back(position);
  }
  SmallVector<IndexTerm> ones(dest.rank(), e.constant(1));
  SymTensor single =
      splatTensor(e.terms(), dest.type, ones, e.scalar(op.getScalar()));
  e.define(op, insertSlice(e.terms(), single, dest, at, ones));
  return success();
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The coordinates that an index tensor holds for one point of the batch.
static SmallVector<Element> coordinates(const SymTensor &indices,
                                        ArrayRef<IndexTerm> batch,
                                        unsigned count, Encoder &e) {
  SmallVector<Element> result;
  SmallVector<IndexTerm> at(batch.begin(), batch.end());
  at.push_back(IndexTerm());
  for (unsigned k = 0; k < count; ++k) {
    at.back() = e.constant(k);
    result.push_back(readElement(e.terms(), indices, at, e.context()));
  }
  return result;
}

/// `unique` promises distinct coordinates; a broken promise is undefined: some
/// point has the coordinates of a later one.
static void requireUnique(const SymTensor &indices, unsigned count,
                          tensor::GatherOp op, Encoder &e) {
  FoldSpec spec;
  spec.op = ScalarOp::OrI;
  SmallVector<IndexTerm> points[2];
  IndexTerm linear[2] = {e.constant(0), e.constant(0)};
  for (unsigned side : {0u, 1u})
    for (IndexTerm size : ArrayRef(indices.shape).drop_back()) {
      IndexTerm var = e.terms().index().freshVar();
      points[side].push_back(var);
      spec.vars.push_back(var);
      spec.extents.push_back(size);
      linear[side] = linear[side] * size + var;
    }
  spec.guard.push_back(geZero(linear[1] - linear[0] - 1));
  const Term *same = e.terms().mkBool(true);
  {
    Encoder::BodyScope scope(e, foldContext(e.context(), spec), {});
    auto first = coordinates(indices, points[0], count, e);
    auto second = coordinates(indices, points[1], count, e);
    for (auto [a, b] : llvm::zip_equal(first, second))
      same = e.terms().mkAnd(
          same, e.apply(ScalarOp::CmpI, ScalarAttrs(), ScalarType::boolean(),
                        {e.defined(a.value), e.defined(b.value)}, op)
                    .value);
  }
  e.addUB(mkFold(e.terms(), e.context(), spec, same, e.terms().mkBool(false)),
          "coordinates that are not unique", op);
}

/// Result index: the batch, then the source's dims with the gathered ones unit
/// or left out.
static LogicalResult encodeGather(tensor::GatherOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  const SymTensor indices = e.tensor(op.getIndices());
  ArrayRef<int64_t> gathered = op.getGatherDims();
  if (op.getUnique())
    requireUnique(indices, gathered.size(), op, e);
  unsigned batch = indices.rank() - 1;
  unsigned rank = cast<RankedTensorType>(op.getType()).getRank();
  bool keepsUnitDims = rank == batch + source.rank();
  SmallVector<IndexTerm> shape(indices.shape.begin(),
                               indices.shape.begin() + batch);
  for (unsigned dim = 0; dim < source.rank(); ++dim) {
    if (!llvm::is_contained(gathered, dim))
      shape.push_back(source.shape[dim]);
    else if (keepsUnitDims)
      shape.push_back(e.constant(1));
  }
  FailureOr<SymTensor> result = e.compute(
      source.type, shape, [&](ArrayRef<IndexTerm> at) -> FailureOr<Element> {
        SmallVector<Element> where =
            coordinates(indices, at.take_front(batch), gathered.size(), e);
        SmallVector<Element> position(source.rank());
        for (auto [k, dim] : llvm::enumerate(gathered))
          position[dim] = where[k];
        unsigned next = batch;
        for (unsigned dim = 0; dim < source.rank(); ++dim) {
          if (!llvm::is_contained(gathered, dim))
            position[dim] = e.defined(e.indexValue(at[next++]));
          else if (keepsUnitDims)
            ++next;
        }
        return e.readAt(source, position, op);
      });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

namespace {
/// A scatter with a known, small number of points, written one after the other.
class Scatter {
public:
  Scatter(tensor::ScatterOp op, Encoder &e)
      : op(op), e(e), source(e.tensor(op.getSource())),
        dest(e.tensor(op.getDest())), indices(e.tensor(op.getIndices())),
        dims(op.getScatterDims()), batch(indices.rank() - 1) {}
  LogicalResult encode();

private:
  LogicalResult listPoints();
  void requireInBounds();
  void requireUnique();
  const Term *equal(const Term *a, const Term *b) {
    return e
        .apply(ScalarOp::CmpI, ScalarAttrs(), ScalarType::boolean(),
               {e.defined(a), e.defined(b)}, op)
        .value;
  }
  FailureOr<Element> elementAt(ArrayRef<IndexTerm> at);

  tensor::ScatterOp op;
  Encoder &e;
  SymTensor source, dest, indices;
  ArrayRef<int64_t> dims;
  unsigned batch;
  SmallVector<SmallVector<IndexTerm>> points;
  SmallVector<SmallVector<Element>> targets;
};
} // namespace

LogicalResult Scatter::listPoints() {
  points.push_back({});
  for (IndexTerm size : ArrayRef(indices.shape).take_front(batch)) {
    std::optional<int64_t> extent = size.constantInt64();
    if (!extent || *extent * int64_t(points.size()) > 64)
      return e.unsupported(op, "scattering more than 64 slices, or an unknown "
                               "number, has no encoding");
    SmallVector<SmallVector<IndexTerm>> longer;
    for (auto &point : points)
      for (int64_t i = 0; i < *extent; ++i) {
        longer.push_back(point);
        longer.back().push_back(e.constant(i));
      }
    points = std::move(longer);
  }
  for (auto &point : points)
    targets.push_back(coordinates(indices, point, dims.size(), e));
  return success();
}

void Scatter::requireInBounds() {
  ScalarAttrs atLeast;
  atLeast.predicate = 9;
  for (auto &target : targets)
    for (auto [k, dim] : llvm::enumerate(dims)) {
      e.addUB(target[k].poison, "poison index", op);
      Element size = e.defined(
          e.terms().mkIndexValue(target[k].value->type(), dest.shape[dim]));
      e.addUB(e.apply(ScalarOp::CmpI, atLeast, ScalarType::boolean(),
                      {target[k], size}, op)
                  .value,
              "index out of bounds", op);
    }
}

void Scatter::requireUnique() {
  for (unsigned p = 0; p < targets.size(); ++p)
    for (unsigned q = 0; q < p; ++q) {
      const Term *same = e.terms().mkBool(true);
      for (unsigned k = 0; k < dims.size(); ++k)
        same = e.terms().mkAnd(same,
                               equal(targets[p][k].value, targets[q][k].value));
      e.addUB(same, "two slices are scattered to one place", op);
    }
}

FailureOr<Element> Scatter::elementAt(ArrayRef<IndexTerm> at) {
  Element result = readElement(e.terms(), dest, at, e.context());
  bool keepsUnitDims = source.rank() == batch + dest.rank();
  for (auto [point, target] : llvm::zip_equal(points, targets)) {
    const Term *here = e.terms().mkBool(true);
    for (auto [k, dim] : llvm::enumerate(dims))
      here = e.terms().mkAnd(
          here, equal(target[k].value, e.terms().mkIndexValue(
                                           target[k].value->type(), at[dim])));
    SmallVector<IndexTerm> from = point;
    for (unsigned dim = 0; dim < dest.rank(); ++dim) {
      if (!llvm::is_contained(dims, dim))
        from.push_back(at[dim]);
      else if (keepsUnitDims)
        from.push_back(e.constant(0));
    }
    Element written = readElement(e.terms(), source, from, e.context());
    result = {e.terms().mkSelect(here, written.value, result.value),
              e.terms().mkSelect(here, written.poison, result.poison)};
  }
  return result;
}

LogicalResult Scatter::encode() {
  if (failed(listPoints()))
    return failure();
  requireInBounds();
  requireUnique();
  FailureOr<SymTensor> result =
      e.compute(dest.type, dest.shape,
                [&](ArrayRef<IndexTerm> at) { return elementAt(at); });
  if (failed(result))
    return failure();
  e.define(op, std::move(*result));
  return success();
}

static LogicalResult encodeScatter(tensor::ScatterOp op, Encoder &e) {
  return Scatter(op, e).encode();
}

void tv::populateTensorRegionEncodings(OpEncodings &t) {
  t.on<tensor::ExtractOp>(encodeExtract);
  t.on<tensor::GatherOp>(encodeGather);
  t.on<tensor::GenerateOp>(encodeGenerate);
  t.on<tensor::InsertOp>(encodeInsert);
  t.on<tensor::PadOp>(encodePad);
  t.on<tensor::ScatterOp>(encodeScatter);
}
