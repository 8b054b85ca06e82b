//===- OpsIndex.cpp - Operators that take parts or join them -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::import;
using Shape = TensorBuilder::Shape;

/// Elements [begin, begin + size * step) of one dimension.
static Value sliceDim(NodeLowering &op, Value v, int64_t dim, int64_t begin,
                      int64_t size, int64_t step = 1) {
  Shape from = TensorBuilder::shapeOf(v);
  Ints offsets(from.size(), 0), strides(from.size(), 1), sizes(from);
  offsets[dim] = begin;
  sizes[dim] = size;
  strides[dim] = step;
  return op.b.slice(v, offsets, sizes, strides);
}

/// PyTorch's rule: negative counts from the end, then clamp.
static int64_t clampIndex(int64_t index, int64_t size) {
  if (index < 0)
    index += size;
  return std::clamp<int64_t>(index, 0, size);
}

struct SliceRange {
  int64_t begin = 0, size = 0, step = 1;
};

/// Bounds from "start", "end", "step"; 2^63 - 1 means to the end.
static SliceRange sliceRange(NodeLowering &op, int64_t size) {
  SliceRange r;
  r.begin = clampIndex(op.optionalInteger("start").value_or(0), size);
  int64_t end = clampIndex(op.optionalInteger("end").value_or(size), size);
  r.step = op.integer("step");
  if (op.ok() && op.require(r.step > 0, "its step is not positive"))
    r.size = end > r.begin ? (end - r.begin - 1) / r.step + 1 : 0;
  return r;
}

static void lowerSlice(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  SliceRange r = sliceRange(op, TensorBuilder::shapeOf(v)[dim]);
  if (op.ok() && op.require(r.size > 0, "its result is empty"))
    op.bind(sliceDim(op, v, dim, r.begin, r.size, r.step));
}

static void lowerNarrow(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  int64_t size = TensorBuilder::shapeOf(v)[dim];
  int64_t begin = op.integer("start"), length = op.integer("length");
  if (begin < 0)
    begin += size;
  if (op.ok() && op.require(begin >= 0 && length > 0 && length <= size &&
                                begin <= size - length,
                            "its range is outside of the operand"))
    op.bind(sliceDim(op, v, dim, begin, length));
}

static Value dropDim(NodeLowering &op, Value v, int64_t dim) {
  Ints shape(TensorBuilder::shapeOf(v));
  shape.erase(shape.begin() + dim);
  return op.b.reshape(v, shape);
}

static void lowerSelect(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  int64_t size = TensorBuilder::shapeOf(v)[dim], index = op.integer("index");
  if (index < 0)
    index += size;
  if (op.ok() && op.require(index >= 0 && index < size,
                            "its index is outside of the operand"))
    op.bind(dropDim(op, sliceDim(op, v, dim, index, 1), dim));
}

/// split, chunk, split_with_sizes: the results' declared sizes say where to
/// cut.
static void lowerSplit(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  int64_t begin = 0, size = TensorBuilder::shapeOf(v)[dim];
  for (size_t i = 0; i < op.numResults(); ++i) {
    if (!op.require(op.hasResult(i) && op.resultType(i).getRank() == rank,
                    "its results do not fit its operand"))
      return;
    int64_t part = op.resultShape(i)[dim];
    if (!op.require(part > 0 && part <= size - begin,
                    "its results do not fit its operand"))
      return;
    op.bind(sliceDim(op, v, dim, begin, part), i);
    begin += part;
  }
  op.require(begin == size, "its results do not cover its operand");
}

static void lowerUnbind(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank(), dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0 && int64_t(op.numResults()) ==
                                              TensorBuilder::shapeOf(v)[dim],
                              "its results do not fit its operand"))
    return;
  for (size_t i = 0; i < op.numResults(); ++i)
    op.bind(dropDim(op, sliceDim(op, v, dim, int64_t(i), 1), dim), i);
}

/// Operands of cat and stack, converted to the result's type.
static SmallVector<Value> partsOf(NodeLowering &op) {
  SmallVector<Value> parts;
  DType to = op.resultDType();
  for (const Operand &part : op.tensors("tensors")) {
    if (!op.ok() || !op.require(part.isTensor(), "an operand is missing"))
      return {};
    Value v = part.value;
    RankedTensorType type = TensorBuilder::typeOf(v);
    if (type.getRank() == 1 && type.getDimSize(0) == 0)
      continue; // cat ignores the legacy empty tensor
    if (part.dtype != to)
      v = op.b.elementwise(
          v, type.getShape(), op.resultType().getElementType(),
          [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return castScalar(b, loc, args[0], part.dtype, to);
          });
    parts.push_back(v);
  }
  op.require(!parts.empty(), "it joins no tensors");
  return parts;
}

static void joinParts(NodeLowering &op, ArrayRef<Value> parts, int64_t dim) {
  Shape first = TensorBuilder::shapeOf(parts[0]);
  for (Value part : parts) {
    Shape shape = TensorBuilder::shapeOf(part);
    bool fits = shape.size() == first.size() && !shape.empty();
    for (size_t i = 0; fits && i < shape.size(); ++i)
      fits = int64_t(i) == dim || shape[i] == first[i];
    if (!op.require(fits, "its operands have different shapes"))
      return;
  }
  op.bind(op.b.concat(parts, dim));
}

static void lowerCat(NodeLowering &op) {
  SmallVector<Value> parts = partsOf(op);
  if (!op.ok())
    return;
  int64_t dim = op.dim("dim", TensorBuilder::typeOf(parts[0]).getRank());
  if (op.ok())
    joinParts(op, parts, dim);
}

static void lowerStack(NodeLowering &op) {
  SmallVector<Value> parts = partsOf(op);
  if (!op.ok())
    return;
  int64_t dim = op.dim("dim", TensorBuilder::typeOf(parts[0]).getRank() + 1);
  if (!op.ok())
    return;
  for (Value &part : parts)
    if (op.require(TensorBuilder::typeOf(part).getRank() >= dim,
                   "its operands have different shapes"))
      part = op.b.unsqueeze(part, dim);
  if (op.ok())
    joinParts(op, parts, dim);
}

static void lowerRepeat(NodeLowering &op) {
  Value v = op.tensor("self");
  bool tile = op.node.find("dims");
  Ints repeats = op.integers(tile ? "dims" : "repeats");
  if (!op.ok())
    return;
  Ints shape(TensorBuilder::shapeOf(v));
  if (tile && repeats.size() < shape.size())
    repeats.insert(repeats.begin(), shape.size() - repeats.size(), 1);
  if (!op.require(repeats.size() >= shape.size(),
                  "it has fewer counts than its operand has dimensions"))
    return;
  shape.insert(shape.begin(), repeats.size() - shape.size(), 1);
  // [a, b] becomes [1, a, 1, b], is broadcast and merged again.
  Ints split, wide, merged;
  for (auto [count, size] : llvm::zip_equal(repeats, shape)) {
    if (!op.require(count > 0 && count < (int64_t(1) << 32) && size > 0 &&
                        size < (int64_t(1) << 31),
                    "its counts are not positive"))
      return;
    split.append({1, size});
    wide.append({count, size});
    merged.push_back(count * size);
  }
  if (op.require(merged == Ints(op.resultShape()),
                 "its counts do not give the declared shape"))
    op.bind(
        op.b.reshape(op.b.broadcastTo(op.b.reshape(v, split), wide), merged));
}

static void lowerFlip(NodeLowering &op) {
  Value v = op.tensor("self");
  if (!op.ok())
    return;
  Shape shape = TensorBuilder::shapeOf(v);
  SmallVector<AffineExpr> exprs;
  for (size_t i = 0; i < shape.size(); ++i)
    exprs.push_back(op.b.b.getAffineDimExpr(unsigned(i)));
  for (int64_t d : op.integers("dims")) {
    d = op.wrapDim(d, int64_t(shape.size()));
    if (!op.ok() || shape.empty())
      return;
    exprs[d] = shape[d] - 1 - op.b.b.getAffineDimExpr(unsigned(d));
  }
  AffineMap map = AffineMap::get(shape.size(), 0, exprs, op.b.b.getContext());
  op.bind(op.b.mapped(
      v, map, shape, TensorBuilder::elementOf(v),
      [](OpBuilder &, Location, ValueRange args) { return args[0]; }));
}

/// Each dimension is cut once and joined in the other order.
static void lowerRoll(NodeLowering &op) {
  Value v = op.tensor("self");
  Ints shifts = op.integers("shifts"), dims = op.integers("dims");
  if (!op.ok())
    return;
  bool flat = dims.empty() && shifts.size() == 1;
  if (flat) {
    v = op.b.reshape(v, TensorBuilder::typeOf(v).getNumElements());
    dims.push_back(0);
  }
  if (!op.require(shifts.size() == dims.size() &&
                      op.resultType().getNumElements() ==
                          TensorBuilder::typeOf(v).getNumElements(),
                  "it has another number of shifts than of dimensions"))
    return;
  int64_t rank = TensorBuilder::typeOf(v).getRank();
  for (auto [shift, d] : llvm::zip_equal(shifts, dims)) {
    int64_t dim = op.wrapDim(d, rank);
    if (!op.ok() || rank == 0)
      return;
    int64_t size = TensorBuilder::shapeOf(v)[dim];
    int64_t by = size ? ((shift % size) + size) % size : 0;
    if (by == 0)
      continue;
    Value head = sliceDim(op, v, dim, 0, size - by);
    Value tail = sliceDim(op, v, dim, size - by, by);
    v = op.b.concat({tail, head}, dim);
  }
  op.bind(flat ? op.b.reshape(v, op.resultShape()) : v);
}

Value panpipe::import::repeatEach(TensorBuilder &b, Value v, int64_t dim,
                                  int64_t count) {
  Ints wide(TensorBuilder::shapeOf(v)), merged(wide);
  merged[dim] *= count;
  wide.insert(wide.begin() + dim + 1, count);
  return b.reshape(b.broadcastTo(b.unsqueeze(v, dim + 1), wide), merged);
}

/// src over a slice of self.
static void insertInto(NodeLowering &op, Value self, Value src, int64_t dim,
                       SliceRange r) {
  Shape shape = TensorBuilder::shapeOf(self);
  Ints offsets(shape.size(), 0), strides(shape.size(), 1), expected(shape);
  offsets[dim] = r.begin;
  strides[dim] = r.step;
  expected[dim] = r.size;
  if (op.require(r.size > 0 && TensorBuilder::shapeOf(src) == Shape(expected) &&
                     TensorBuilder::elementOf(src) ==
                         TensorBuilder::elementOf(self),
                 "its source does not fit the slice"))
    op.bind(op.b.insert(src, self, offsets, strides));
}

static void lowerSliceScatter(NodeLowering &op) {
  Value self = op.tensor("self"), src = op.tensor("src");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(self).getRank();
  int64_t dim = op.dim("dim", rank);
  if (!op.ok() || !op.require(rank > 0, "its operand is a scalar"))
    return;
  SliceRange r = sliceRange(op, TensorBuilder::shapeOf(self)[dim]);
  if (op.ok())
    insertInto(op, self, src, dim, r);
}

static void lowerSelectScatter(NodeLowering &op) {
  Value self = op.tensor("self"), src = op.tensor("src");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(self).getRank();
  int64_t dim = op.dim("dim", rank), index = op.integer("index");
  if (!op.ok() ||
      !op.require(rank > 0 && TensorBuilder::typeOf(src).getRank() == rank - 1,
                  "its source does not fit the slice"))
    return;
  int64_t size = TensorBuilder::shapeOf(self)[dim];
  if (index < 0)
    index += size;
  if (op.require(index >= 0 && index < size,
                 "its index is outside of the operand"))
    insertInto(op, self, op.b.unsqueeze(src, dim), dim, {index, 1, 1});
}

static void lowerEmbedding(NodeLowering &op) {
  Value weight = op.tensor("weight"), indices = op.tensor("indices");
  if (!op.ok())
    return;
  Ints shape(TensorBuilder::shapeOf(indices));
  if (!op.require(TensorBuilder::typeOf(weight).getRank() == 2,
                  "its weight is no matrix") ||
      !op.require(isInteger(op.dtypeOf("indices")), "its indices are no "
                                                    "integers"))
    return;
  shape.push_back(TensorBuilder::shapeOf(weight)[1]);
  if (op.require(shape == Ints(op.resultShape()),
                 "its operands do not give the declared shape"))
    op.call("embedding", {weight, indices}, op.b.b.getDictionaryAttr({}));
}

/// Rows of `self` along `dim`, chosen by a vector of indices.
static void takeAlong(NodeLowering &op, Value self, Value indices,
                      int64_t dim) {
  Ints shape(TensorBuilder::shapeOf(self));
  unsigned rank = unsigned(shape.size());
  if (!op.require(TensorBuilder::typeOf(indices).getRank() == 1,
                  "its index is no vector"))
    return;
  shape[dim] = TensorBuilder::shapeOf(indices)[0];
  int64_t size = TensorBuilder::shapeOf(self)[dim];
  op.bind(op.b.mapped(
      indices, op.b.dimsMap(rank, dim), shape, TensorBuilder::elementOf(self),
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        SmallVector<Value> at;
        for (unsigned i = 0; i < rank; ++i)
          at.push_back(linalg::IndexOp::create(b, loc, i));
        TensorBuilder s(b, loc);
        Value row =
            arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
        // A negative index counts from the end.
        Value negative = arith::CmpIOp::create(
            b, loc, arith::CmpIPredicate::slt, row, s.index(0));
        Value wrapped = arith::AddIOp::create(b, loc, row, s.index(size));
        at[dim] = arith::SelectOp::create(b, loc, negative, wrapped, row);
        return tensor::ExtractOp::create(b, loc, self, at);
      }));
}

static void lowerIndexSelect(NodeLowering &op) {
  Value self = op.tensor("self"), index = op.tensor("index");
  if (!op.ok())
    return;
  int64_t rank = TensorBuilder::typeOf(self).getRank();
  int64_t dim = op.dim("dim", rank);
  if (op.ok() && op.require(rank > 0, "its operand is a scalar") &&
      op.require(isInteger(op.dtypeOf("index")), "its index is no integer"))
    takeAlong(op, self, index, dim);
}

ArrayRef<OpEntry> panpipe::import::indexOps() {
  constexpr Accepts any = Accepts::Anything;
  static const OpEntry table[] = {
      {"slice.Tensor", any, lowerSlice},
      {"narrow", any, lowerNarrow},
      {"select.int", any, lowerSelect},
      {"split.Tensor", any, lowerSplit},
      {"split_with_sizes", any, lowerSplit},
      {"chunk", any, lowerSplit},
      {"unbind.int", any, lowerUnbind},
      {"cat", any, lowerCat},
      {"concat", any, lowerCat},
      {"stack", any, lowerStack},
      {"repeat", any, lowerRepeat},
      {"tile", any, lowerRepeat},
      {"flip", any, lowerFlip},
      {"roll", any, lowerRoll},
      {"slice_scatter", any, lowerSliceScatter},
      {"select_scatter", any, lowerSelectScatter},
      {"embedding", any, lowerEmbedding},
      {"index_select", any, lowerIndexSelect},
  };
  return table;
}
