//===- InterpTensor.cpp - Execution of tensor operations on elements ------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations that make tensors or touch single elements; slices, reshapes,
/// padding and concatenation are in InterpTensorViews.cpp.
///
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <set>

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

/// The shape of `type` with its dynamic sizes taken from operands in order.
static std::optional<SmallVector<int64_t>>
shapeOf(Executor &e, Operation *op, ShapedType type, ValueRange dynamicSizes) {
  SmallVector<int64_t> shape(type.getShape());
  unsigned next = 0;
  for (int64_t &extent : shape) {
    if (!ShapedType::isDynamic(extent))
      continue;
    std::optional<int64_t> size = e.index(op, dynamicSizes[next++]);
    if (!size)
      return std::nullopt;
    extent = *size;
  }
  return shape;
}

static Did executeEmpty(Executor &e, tensor::EmptyOp op) {
  std::optional<ScalarType> type = e.elementType(op.getType());
  if (!type)
    return e.unsupported(op, "an element type without execution");
  auto shape = shapeOf(e, op, op.getType(), op.getDynamicSizes());
  if (!shape || !e.allocate(op, *type, *shape))
    return Did::Failed;
  ConcreteValue value(*type, *shape);
  for (int64_t i = 0; i < value.size(); ++i)
    value.set(i, e.filler(*type, i));
  return e.define(op.getResult(), std::move(value));
}

static Did executeCast(Executor &e, tensor::CastOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  const ConcreteValue &source = e.get(op.getSource());
  if (!type)
    return e.unsupported(op, "an unranked tensor");
  if (type.getRank() != source.rank())
    return e.undefined(op, "cast to another rank");
  for (auto [d, extents] :
       llvm::enumerate(llvm::zip(type.getShape(), source.shape()))) {
    auto [wanted, have] = extents;
    if (!ShapedType::isDynamic(wanted) && wanted != have)
      return e.undefined(op, "cast to size " + Twine(wanted) +
                                 " of dimension " + Twine(d) +
                                 ", which has size " + Twine(have));
  }
  return e.define(op.getResult(), e.getPtr(op.getSource()));
}

static Did executeDim(Executor &e, tensor::DimOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  std::optional<int64_t> dim = e.index(op, op.getIndex());
  if (!dim)
    return Did::Failed;
  if (*dim < 0 || *dim >= source.rank())
    return e.undefined(op, "dimension " + Twine(*dim) +
                               " of a tensor of rank " + Twine(source.rank()));
  return e.define(op.getResult(),
                  ConcreteValue::scalar(ScalarType::index(e.options.indexWidth),
                                        source.shape()[*dim]));
}

/// The linear position of an element access; out of bounds is undefined.
static std::optional<int64_t> positionOf(Executor &e, Operation *op,
                                         const ConcreteValue &tensor,
                                         ValueRange indices) {
  int64_t position = 0;
  for (auto [d, value] : llvm::enumerate(indices)) {
    std::optional<int64_t> index = e.index(op, value);
    if (!index)
      return std::nullopt;
    if (*index < 0 || *index >= tensor.shape()[d]) {
      e.undefined(op, "index " + Twine(*index) + " is out of bounds (size " +
                          Twine(tensor.shape()[d]) + ")");
      return std::nullopt;
    }
    position = position * tensor.shape()[d] + *index;
  }
  return position;
}

static Did executeExtract(Executor &e, tensor::ExtractOp op) {
  const ConcreteValue &tensor = e.get(op.getTensor());
  auto position = positionOf(e, op, tensor, op.getIndices());
  if (!position)
    return Did::Failed;
  return e.define(op.getResult(),
                  ConcreteValue::scalar(tensor.type(), tensor.get(*position)));
}

static Did executeInsert(Executor &e, tensor::InsertOp op) {
  const ConcreteValue &dest = e.get(op.getDest());
  auto position = positionOf(e, op, dest, op.getIndices());
  if (!position || !e.allocate(op, dest.type(), dest.shape()))
    return Did::Failed;
  ConcreteValue value = dest;
  value.copy(*position, e.get(op.getScalar()), 0);
  return e.define(op.getResult(), std::move(value));
}

static Did executeFromElements(Executor &e, tensor::FromElementsOp op) {
  std::optional<ScalarType> type = e.elementType(op.getType());
  if (!type)
    return e.unsupported(op, "an element type without execution");
  ConcreteValue value(*type, cast<ShapedType>(op.getType()).getShape());
  for (auto [i, element] : llvm::enumerate(op.getElements()))
    value.copy(i, e.get(element), 0);
  return e.define(op.getResult(), std::move(value));
}

static Did executeSplat(Executor &e, tensor::SplatOp op) {
  const ConcreteValue &element = e.get(op.getInput());
  auto shape = shapeOf(e, op, op.getType(), op.getDynamicSizes());
  if (!shape || !e.allocate(op, element.type(), *shape))
    return Did::Failed;
  ConcreteValue value(element.type(), *shape);
  for (int64_t i = 0; i < value.size(); ++i)
    value.copy(i, element, 0);
  return e.define(op.getResult(), std::move(value));
}

static Did executeGenerate(Executor &e, tensor::GenerateOp op) {
  auto tensorType = cast<RankedTensorType>(op.getType());
  std::optional<ScalarType> type = e.elementType(tensorType);
  if (!type)
    return e.unsupported(op, "an element type without execution");
  auto shape = shapeOf(e, op, tensorType, op.getDynamicExtents());
  if (!shape || !e.allocate(op, *type, *shape))
    return Did::Failed;
  ConcreteValue value(*type, *shape);
  Body body(e, op.getBody().front());
  ScalarType indexType = ScalarType::index(e.options.indexWidth);
  bool ok = true;
  int64_t position = 0;
  forEachIndex(*shape, [&](ArrayRef<int64_t> index) {
    if (!ok)
      return;
    SmallVector<ConcreteValue, 4> arguments;
    for (int64_t i : index)
      arguments.push_back(ConcreteValue::scalar(indexType, i));
    SmallVector<ConcreteElement> results;
    ok = body.run(arguments, index, results) && e.spend(op, 1);
    if (ok)
      value.set(position++, results[0]);
  });
  if (!ok)
    return Did::Failed;
  return e.define(op.getResult(), std::move(value));
}

static Did executeReshape(Executor &e, tensor::ReshapeOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  const ConcreteValue &sizes = e.get(op.getShape());
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (int64_t i = 0; i < sizes.size(); ++i) {
    std::optional<int64_t> size = e.index(op, sizes.get(i), "a size");
    if (!size)
      return Did::Failed;
    if (*size < 0)
      return e.undefined(op, "negative size " + Twine(*size));
    shape.push_back(*size);
    count *= *size;
  }
  if (count != source.size())
    return e.undefined(op, "reshape of " + Twine(source.size()) +
                               " elements to " + Twine(count));
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type)
    return e.unsupported(op, "an unranked tensor");
  for (auto [wanted, have] : llvm::zip(type.getShape(), shape))
    if (!ShapedType::isDynamic(wanted) && wanted != have)
      return e.undefined(op, "size " + Twine(have) +
                                 " where the result type says " +
                                 Twine(wanted));
  return e.define(op.getResult(), source.reshaped(shape));
}

static Did executeBitcast(Executor &e, tensor::BitcastOp op) {
  std::optional<ScalarType> type = e.elementType(op.getType());
  if (!type)
    return e.unsupported(op, "an element type without execution");
  ConcreteValue value = e.get(op.getSource());
  ScalarType from = value.type();
  for (int64_t i = 0; i < value.size(); ++i)
    if (from.isFloat() && value.get(i).bits == canonicalNaN(from) &&
        isNaN(from, value.get(i).bits))
      value.setMarks(i, value.marks(i) | EM_open); // as for arith.bitcast
  value.retype(*type);
  return e.define(op.getResult(), std::move(value));
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// Visits, for each coordinate tuple and each position inside its slice, the
/// linear positions in the whole tensor and in the packed one.
template <typename Visit>
static bool forEachGathered(Executor &e, Operation *op,
                            const ConcreteValue &whole,
                            const ConcreteValue &coordinates,
                            ArrayRef<int64_t> dims, Visit visit) {
  SmallVector<int64_t> slice(whole.shape());
  for (int64_t dim : dims)
    slice[dim] = 1;
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(whole.shape());
  int64_t tuples = dims.empty() ? 0 : coordinates.size() / int64_t(dims.size());
  int64_t packed = 0;
  for (int64_t t = 0; t < tuples; ++t) {
    int64_t base = 0;
    for (auto [k, dim] : llvm::enumerate(dims)) {
      auto index =
          e.index(op, coordinates.get(t * dims.size() + k), "a coordinate");
      if (!index)
        return false;
      if (*index < 0 || *index >= whole.shape()[dim]) {
        e.undefined(op, "coordinate " + Twine(*index) +
                            " is out of bounds (size " +
                            Twine(whole.shape()[dim]) + ")");
        return false;
      }
      base += *index * strides[dim];
    }
    forEachIndex(slice, [&](ArrayRef<int64_t> index) {
      visit(base + linearize(index, strides), packed++);
    });
  }
  return true;
}

static Did executeGather(Executor &e, tensor::GatherOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  const ConcreteValue &indices = e.get(op.getIndices());
  auto type = cast<RankedTensorType>(op.getType());
  if (!type.hasStaticShape())
    return e.unsupported(op, "a gather of dynamic shape");
  if (!e.allocate(op, source.type(), type.getShape()))
    return Did::Failed;
  ConcreteValue value(source.type(), type.getShape());
  if (!forEachGathered(e, op, source, indices, op.getGatherDims(),
                       [&](int64_t whole, int64_t packed) {
                         value.copy(packed, source, whole);
                       }))
    return Did::Failed;
  if (op.getUnique()) {
    // All coordinates are defined here.
    int64_t count = op.getGatherDims().size();
    std::set<SmallVector<int64_t, 4>> seen;
    for (int64_t at = 0; count && at < indices.size(); at += count) {
      SmallVector<int64_t, 4> tuple;
      for (int64_t k = 0; k < count; ++k)
        tuple.push_back(
            e.index(op, indices.get(at + k), "a coordinate").value_or(0));
      if (!seen.insert(tuple).second)
        return e.undefined(op, "coordinates that are not unique");
    }
  }
  return e.define(op.getResult(), std::move(value));
}

static Did executeScatter(Executor &e, tensor::ScatterOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  ConcreteValue value = e.get(op.getDest());
  if (!e.allocate(op, value.type(), value.shape()))
    return Did::Failed;
  std::vector<bool> written(value.size());
  bool twice = false;
  if (!forEachGathered(e, op, e.get(op.getDest()), e.get(op.getIndices()),
                       op.getScatterDims(), [&](int64_t whole, int64_t packed) {
                         twice |= written[whole];
                         written[whole] = true;
                         value.copy(whole, source, packed);
                       }))
    return Did::Failed;
  if (twice)
    return e.undefined(op, "coordinates that are not unique");
  return e.define(op.getResult(), std::move(value));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool interp::knowsTensor(Operation *op) {
  return isa_and_present<tensor::TensorDialect>(op->getDialect()) &&
         !isa<tensor::ParallelInsertSliceOp>(op);
}

Did interp::executeTensor(Executor &e, Operation *op) {
  if (auto o = dyn_cast<tensor::EmptyOp>(op))
    return executeEmpty(e, o);
  if (auto o = dyn_cast<tensor::CastOp>(op))
    return executeCast(e, o);
  if (auto o = dyn_cast<tensor::DimOp>(op))
    return executeDim(e, o);
  if (auto o = dyn_cast<tensor::RankOp>(op))
    return e.define(o.getResult(), ConcreteValue::scalar(
                                       ScalarType::index(e.options.indexWidth),
                                       e.get(o.getTensor()).rank()));
  if (auto o = dyn_cast<tensor::ExtractOp>(op))
    return executeExtract(e, o);
  if (auto o = dyn_cast<tensor::InsertOp>(op))
    return executeInsert(e, o);
  if (auto o = dyn_cast<tensor::FromElementsOp>(op))
    return executeFromElements(e, o);
  if (auto o = dyn_cast<tensor::SplatOp>(op))
    return executeSplat(e, o);
  if (auto o = dyn_cast<tensor::GenerateOp>(op))
    return executeGenerate(e, o);
  if (auto o = dyn_cast<tensor::ReshapeOp>(op))
    return executeReshape(e, o);
  if (auto o = dyn_cast<tensor::BitcastOp>(op))
    return executeBitcast(e, o);
  if (auto o = dyn_cast<tensor::GatherOp>(op))
    return executeGather(e, o);
  if (auto o = dyn_cast<tensor::ScatterOp>(op))
    return executeScatter(e, o);
  return Did::NotMine;
}
