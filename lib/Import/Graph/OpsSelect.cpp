//===- OpsSelect.cpp - Operators whose values are places -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operators that compute indices (argmax, sort, …) and operators that read
/// where computed indices say (gather, index).
///
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Shape = TensorBuilder::Shape;
using FPred = arith::CmpFPredicate;
using IPred = arith::CmpIPredicate;

static Ints allBut(unsigned rank, int64_t dim) {
  Ints out;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    if (i != dim)
      out.push_back(i);
  return out;
}

static Value isNan(OpBuilder &b, Location loc, Value x) {
  return arith::CmpFOp::create(b, loc, FPred::UNO, x, x);
}

/// linalg.index as i64.
static Value indexAsInt(OpBuilder &b, Location loc, unsigned dim) {
  return arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                    linalg::IndexOp::create(b, loc, dim));
}

//===----------------------------------------------------------------------===//
// Extrema and their places
//===----------------------------------------------------------------------===//

/// The first place along `dim` of the value that `best` has there, or of a NaN:
/// the smallest index whose element agrees.
static Value placeOf(NodeLowering &op, Value v, Value best, int64_t dim) {
  Shape shape = TensorBuilder::shapeOf(v);
  unsigned rank = unsigned(shape.size());
  Type i64 = op.b.b.getI64Type();
  Value places = op.b.mapped(
      {v, best},
      {op.b.identityMap(rank), op.b.dimsMap(rank, allBut(rank, dim))}, shape,
      i64, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value same;
        if (isa<FloatType>(args[0].getType())) {
          same = arith::CmpFOp::create(b, loc, FPred::OEQ, args[0], args[1]);
          same = arith::OrIOp::create(b, loc, same, isNan(b, loc, args[0]));
        } else {
          same = arith::CmpIOp::create(b, loc, IPred::eq, args[0], args[1]);
        }
        // No place is `size`; at least one element agrees.
        return arith::SelectOp::create(
            b, loc, same, indexAsInt(b, loc, unsigned(dim)),
            TensorBuilder(b, loc).scalar(i64, double(shape[dim])));
      });
  return op.b.reduce(places, dim, op.b.scalar(i64, double(shape[dim])),
                     [](OpBuilder &b, Location loc, ValueRange args) -> Value {
                       return arith::MinSIOp::create(b, loc, args[1], args[0]);
                     });
}

static void bindReshaped(NodeLowering &op, Value v, size_t result) {
  if (op.ok() && op.hasResult(result) &&
      op.require(TensorBuilder::typeOf(v).getNumElements() ==
                     op.resultType(result).getNumElements(),
                 "its dimensions do not give the declared shape"))
    op.bind(op.b.reshape(v, op.resultShape(result)), result);
}

/// max.dim and min.dim: values and places.
template <bool isMax> static void lowerExtremumDim(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  Value best = extremum(op.b, v, dim, op.dtypeOf("self"), isMax);
  bindReshaped(op, best, 0);
  if (op.hasResult(1))
    bindReshaped(op, placeOf(op, v, best, dim), 1);
}

/// The argument `dim`; without one, 0 of the tensor, which is flattened.
static int64_t dimOrFlat(NodeLowering &op, Value &v) {
  std::optional<int64_t> dim = op.optionalInteger("dim");
  if (!dim)
    v = op.b.reshape(v, TensorBuilder::typeOf(v).getNumElements());
  return op.wrapDim(dim.value_or(0), TensorBuilder::typeOf(v).getRank());
}

/// argmax and argmin; without a dimension, of the flattened tensor.
template <bool isMax> static void lowerArgExtremum(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t dim = dimOrFlat(op, v);
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  Value best = extremum(op.b, v, dim, op.dtypeOf("self"), isMax);
  bindReshaped(op, placeOf(op, v, best, dim), 0);
}

//===----------------------------------------------------------------------===//
// Sorting by counting
//===----------------------------------------------------------------------===//

/// Whether x comes before y: greater (or less), NaN being the greatest.
static Value comesBefore(OpBuilder &b, Location loc, Value x, Value y,
                         bool descending, bool isUnsignedType) {
  if (!descending)
    std::swap(x, y);
  if (!isa<FloatType>(x.getType()))
    return arith::CmpIOp::create(
        b, loc, isUnsignedType ? IPred::ugt : IPred::sgt, x, y);
  // x > y, or x alone is NaN.
  Value greater = arith::CmpFOp::create(b, loc, FPred::UGT, x, y);
  Value number = arith::CmpFOp::create(b, loc, FPred::ORD, y, y);
  return arith::AndIOp::create(b, loc, greater, number);
}

/// For each element along `dim` the number of elements that come before it;
/// equal ones keep their order. This is its place in the sorted tensor.
static Value ranks(NodeLowering &op, Value v, int64_t dim, bool descending) {
  Ints shape(TensorBuilder::shapeOf(v));
  unsigned rank = unsigned(shape.size());
  DType dtype = op.dtypeOf("self");
  bool isUnsignedType = isUnsigned(dtype) || dtype == DType::Bool;
  Ints wide(shape), own, other;
  wide.push_back(shape[dim]);
  for (unsigned i = 0; i < rank; ++i) {
    own.push_back(i);
    other.push_back(int64_t(i) == dim ? rank : i);
  }
  Type i64 = op.b.b.getI64Type();
  Value before = op.b.mapped(
      {v, v}, {op.b.dimsMap(rank + 1, own), op.b.dimsMap(rank + 1, other)},
      wide, i64, [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value first =
            comesBefore(b, loc, args[1], args[0], descending, isUnsignedType);
        Value later =
            comesBefore(b, loc, args[0], args[1], descending, isUnsignedType);
        Value earlier = arith::CmpIOp::create(
            b, loc, IPred::slt, linalg::IndexOp::create(b, loc, rank),
            linalg::IndexOp::create(b, loc, unsigned(dim)));
        // first, or neither and further left
        Value notLater = arith::XOrIOp::create(
            b, loc, later, TensorBuilder(b, loc).scalar(later.getType(), 1));
        Value tie = arith::AndIOp::create(b, loc, earlier, notLater);
        Value counts = arith::OrIOp::create(b, loc, first, tie);
        return arith::ExtUIOp::create(b, loc, i64, counts);
      });
  return op.b.sum(before, int64_t(rank));
}

/// Elements at the places `places` along `dim`; the other indices are the
/// result's own.
static Value readAt(TensorBuilder &t, Value v, Value places, int64_t dim) {
  Ints shape(TensorBuilder::shapeOf(places));
  unsigned rank = unsigned(shape.size());
  return t.mapped(
      places, t.identityMap(rank), shape, TensorBuilder::elementOf(v),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        SmallVector<Value> at;
        for (unsigned i = 0; i < rank; ++i)
          at.push_back(linalg::IndexOp::create(b, loc, i));
        at[dim] = arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
        return tensor::ExtractOp::create(b, loc, v, at);
      });
}

/// The first `count` elements in sorted order, and where they were.
static void bindSorted(NodeLowering &op, Value v, int64_t dim, int64_t count,
                       bool descending, bool onlyPlaces) {
  Ints shape(TensorBuilder::shapeOf(v));
  unsigned rank = unsigned(shape.size());
  constexpr int64_t bound = 4096;
  if (shape[dim] > bound)
    return op.fail("it sorts more than " + Twine(bound) +
                       " elements, which takes quadratic time here",
                   "sort outside of the model");
  Value order = ranks(op, v, dim, descending);
  // place[r] = the sum of those i with order[i] = r: there is exactly one.
  Ints wide(shape), from;
  wide[dim] = count;
  wide.push_back(shape[dim]);
  for (unsigned i = 0; i < rank; ++i)
    from.push_back(int64_t(i) == dim ? rank : i);
  Type i64 = op.b.b.getI64Type();
  Value hits = op.b.mapped(
      order, op.b.dimsMap(rank + 1, from), wide, i64,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value hit = arith::CmpIOp::create(b, loc, IPred::eq, args[0],
                                          indexAsInt(b, loc, unsigned(dim)));
        return arith::SelectOp::create(b, loc, hit, indexAsInt(b, loc, rank),
                                       TensorBuilder(b, loc).scalar(i64, 0));
      });
  Value places = op.b.sum(hits, int64_t(rank));
  if (onlyPlaces)
    return op.bind(places);
  op.bind(readAt(op.b, v, places, dim), 0);
  if (op.hasResult(1))
    op.bind(places, 1);
}

template <bool onlyPlaces> static void lowerSort(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  bool descending = op.boolean("descending");
  if (op.ok() && op.require(rank > 0, "its operand is a scalar"))
    bindSorted(op, v, dim, TensorBuilder::shapeOf(v)[dim], descending,
               onlyPlaces);
}

static void lowerTopk(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  int64_t count = op.integer("k");
  bool largest = op.boolean("largest");
  if (op.ok() && op.require(rank > 0, "its operand is a scalar") &&
      op.require(count > 0 && count <= TensorBuilder::shapeOf(v)[dim],
                 "it takes more elements than there are"))
    bindSorted(op, v, dim, count, largest, false);
}

//===----------------------------------------------------------------------===//
// Running sums
//===----------------------------------------------------------------------===//

/// Element i is the sum (product) of the elements 0 to i, each from the start,
/// in order. Quadratic: linalg has no scan.
template <bool isSum> static void lowerScan(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  Ints shape(TensorBuilder::shapeOf(v));
  int64_t rank = int64_t(shape.size()), dim = op.dim("dim", rank);
  DType from = op.dtypeOf("self"), to = op.resultDType();
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  constexpr int64_t bound = 4096;
  if (shape[dim] > bound)
    return op.fail("it runs over more than " + Twine(bound) +
                       " elements, which takes quadratic time here",
                   "compute it outside of the model");
  Ints wide(shape), source;
  wide.push_back(shape[dim]);
  for (int64_t i = 0; i < rank; ++i)
    source.push_back(i == dim ? rank : i);
  Type element = op.resultType().getElementType();
  double unit = isSum ? 0.0 : 1.0;
  Value parts = op.b.mapped(
      v, op.b.dimsMap(unsigned(rank + 1), source), wide, element,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value within = arith::CmpIOp::create(
            b, loc, IPred::sle, linalg::IndexOp::create(b, loc, unsigned(rank)),
            linalg::IndexOp::create(b, loc, unsigned(dim)));
        return arith::SelectOp::create(
            b, loc, within, castScalar(b, loc, args[0], from, to),
            TensorBuilder(b, loc).scalar(element, unit));
      });
  op.bind(isSum ? op.b.sum(parts, rank) : foldProduct(op.b, parts, rank));
}

//===----------------------------------------------------------------------===//
// Reading at computed places
//===----------------------------------------------------------------------===//

/// An index as a place in a dimension; a negative one counts from the end.
static Value wrapIndex(OpBuilder &b, Location loc, Value index, int64_t size) {
  TensorBuilder s(b, loc);
  Value at = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  Value negative = arith::CmpIOp::create(b, loc, IPred::slt, at, s.index(0));
  Value wrapped = arith::AddIOp::create(b, loc, at, s.index(size));
  return arith::SelectOp::create(b, loc, negative, wrapped, at);
}

/// result[i…] = self[i…] with index[i…] in place of i[dim].
static void lowerGather(NodeLowering &op) {
  bool along = op.node.find("indices");
  Value self = op.tensor("self"),
        index = op.tensor(along ? "indices" : "index");
  if (!op.ok())
    return;
  Shape from = TensorBuilder::shapeOf(self), at = TensorBuilder::shapeOf(index);
  int64_t rank = int64_t(from.size()), dim = op.dim("dim", rank);
  bool fits = rank > 0 && at.size() == from.size();
  for (int64_t i = 0; fits && i < rank; ++i)
    fits = i == dim || (along ? at[i] == from[i] : at[i] <= from[i]);
  if (!op.ok() || !op.require(fits, "its index does not fit its operand") ||
      !op.require(isInteger(op.dtypeOf(along ? "indices" : "index")),
                  "its index is no integer"))
    return;
  op.bind(readAt(op.b, self, index, dim));
}

/// Where the dimensions of the broadcast indices lie in the result.
namespace {
struct IndexPlan {
  Ints common;                ///< the broadcast shape of all indices
  int64_t position = 0;       ///< of its first dimension in the result
  Ints shape;                 ///< of the result
  SmallVector<int64_t> dimOf; ///< dimension of the result that a dimension of
                              ///< self comes from; -1 if it is indexed
};
} // namespace

static bool broadcastInto(Ints &common, Shape shape) {
  if (common.size() < shape.size())
    common.insert(common.begin(), shape.size() - common.size(), 1);
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t &size = common[common.size() - shape.size() + i];
    if (size != shape[i] && size != 1 && shape[i] != 1)
      return false;
    size = std::max(size, shape[i]);
  }
  return true;
}

/// NumPy's rule: indexed dimensions that are neighbours are replaced in place;
/// otherwise the common shape comes first.
static bool planIndex(NodeLowering &op, Shape self, ArrayRef<Operand> indices,
                      IndexPlan &plan) {
  int64_t first = -1, last = -1, count = 0;
  for (auto [i, index] : llvm::enumerate(indices)) {
    if (!index.isTensor())
      continue;
    if (index.dtype == DType::Bool || !isInteger(index.dtype)) {
      op.fail("it indexes with a mask, whose result has no static shape",
              "use torch.where or masked_fill");
      return false;
    }
    if (!op.require(
            broadcastInto(plan.common, TensorBuilder::shapeOf(index.value)),
            "its indices do not fit each other"))
      return false;
    first = first < 0 ? int64_t(i) : first;
    last = int64_t(i);
    ++count;
  }
  if (!op.require(count > 0 && indices.size() <= self.size(),
                  "its indices do not fit its operand"))
    return false;
  plan.position = last - first + 1 == count ? first : 0;
  bool placed = false;
  for (int64_t i = 0; i < int64_t(self.size()); ++i) {
    if (!placed && int64_t(plan.shape.size()) == plan.position) {
      plan.shape.append(plan.common.begin(), plan.common.end());
      placed = true;
    }
    bool indexed = i < int64_t(indices.size()) && indices[i].isTensor();
    plan.dimOf.push_back(indexed ? -1 : int64_t(plan.shape.size()));
    if (!indexed)
      plan.shape.push_back(self[i]);
  }
  if (!placed)
    plan.shape.append(plan.common.begin(), plan.common.end());
  return true;
}

/// self[i, :, j, …] with tensors of integers.
static void lowerIndexTensor(NodeLowering &op) {
  Value self = op.tensor("self");
  std::vector<Operand> indices = op.tensors("indices");
  if (!op.ok())
    return;
  Shape from = TensorBuilder::shapeOf(self);
  IndexPlan plan;
  if (!planIndex(op, from, indices, plan))
    return;
  unsigned rank = unsigned(plan.shape.size());
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Operand &index : indices) {
    if (!index.isTensor())
      continue;
    Shape shape = TensorBuilder::shapeOf(index.value);
    SmallVector<AffineExpr> exprs;
    for (size_t i = 0; i < shape.size(); ++i) {
      size_t d = plan.common.size() - shape.size() + i;
      exprs.push_back(shape[i] == plan.common[d]
                          ? op.b.b.getAffineDimExpr(unsigned(plan.position + d))
                          : op.b.b.getAffineConstantExpr(0));
    }
    operands.push_back(index.value);
    maps.push_back(AffineMap::get(rank, 0, exprs, op.b.b.getContext()));
  }
  op.bind(op.b.mapped(
      operands, maps, plan.shape, TensorBuilder::elementOf(self),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        SmallVector<Value> at;
        unsigned next = 0;
        for (auto [i, d] : llvm::enumerate(plan.dimOf))
          at.push_back(
              d < 0 ? wrapIndex(b, loc, args[next++], from[i])
                    : Value(linalg::IndexOp::create(b, loc, unsigned(d))));
        return tensor::ExtractOp::create(b, loc, self, at);
      }));
}

/// 1 where the last index is the operand's value.
static void lowerOneHot(NodeLowering &op) {
  Value v = op.tensor("self");
  int64_t classes = op.integer("num_classes");
  if (!op.ok())
    return;
  if (classes <= 0)
    return op.fail("its number of classes depends on its values",
                   "give num_classes");
  if (!op.require(isInteger(op.dtypeOf("self")), "its operand is no integer"))
    return;
  Ints shape(TensorBuilder::shapeOf(v)), from;
  for (size_t i = 0; i < shape.size(); ++i)
    from.push_back(int64_t(i));
  unsigned rank = unsigned(shape.size());
  shape.push_back(classes);
  op.bind(op.b.mapped(
      v, op.b.dimsMap(rank + 1, from), shape, op.b.b.getI64Type(),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value x = castScalar(b, loc, args[0], op.dtypeOf("self"), DType::I64);
        Value hit = arith::CmpIOp::create(b, loc, IPred::eq, x,
                                          indexAsInt(b, loc, rank));
        return arith::ExtUIOp::create(b, loc, b.getI64Type(), hit);
      }));
}

/// Each element `repeats` times; without a dimension, of the flattened tensor.
static void lowerRepeatInterleave(NodeLowering &op) {
  Value v = op.tensor("self");
  int64_t repeats = op.integer("repeats");
  if (!op.ok())
    return;
  int64_t dim = dimOrFlat(op, v);
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  if (!op.ok() ||
      !op.require(rank > 0 && repeats > 0 && op.resultType().getRank() == rank,
                  "its count is not positive"))
    return;
  // Compare before building: sizes of a hostile file must not overflow.
  int64_t wanted = op.resultShape()[dim];
  if (!op.require(wanted % repeats == 0 &&
                      wanted / repeats == TensorBuilder::shapeOf(v)[dim],
                  "its count does not give the declared shape"))
    return;
  op.bind(repeatEach(op.b, v, dim, repeats));
}

ArrayRef<OpEntry> panpipe::import::selectOps() {
  constexpr Accepts any = Accepts::Anything, numbers = Accepts::Numbers;
  static const OpEntry table[] = {
      {"max.dim", numbers, lowerExtremumDim<true>},
      {"min.dim", numbers, lowerExtremumDim<false>},
      {"argmax", numbers, lowerArgExtremum<true>},
      {"argmin", numbers, lowerArgExtremum<false>},
      {"sort", numbers, lowerSort<false>},
      {"sort.stable", numbers, lowerSort<false>},
      {"argsort", numbers, lowerSort<true>},
      {"argsort.stable", numbers, lowerSort<true>},
      {"topk", numbers, lowerTopk},
      {"cumsum", numbers, lowerScan<true>},
      {"cumprod", numbers, lowerScan<false>},
      {"gather", any, lowerGather},
      {"take_along_dim", any, lowerGather},
      {"index.Tensor", any, lowerIndexTensor},
      {"_unsafe_index.Tensor", any, lowerIndexTensor},
      {"one_hot", numbers, lowerOneHot},
      {"repeat_interleave.self_int", any, lowerRepeatInterleave},
  };
  return table;
}
