//===- InterpAffine.cpp - Execution of affine loops and accesses ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops, conditionals and accesses with affine maps. affine.apply, min and max
/// are in InterpArith.cpp.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static ValuePtr indexValue(Executor &e, int64_t number) {
  return std::make_shared<ConcreteValue>(ConcreteValue::scalar(
      ScalarType::index(e.options.indexWidth), uint64_t(number)));
}

static Did executeFor(Executor &e, affine::AffineForOp op) {
  auto lowers =
      evaluateMap(e, op, op.getLowerBoundMap(), op.getLowerBoundOperands());
  if (!lowers)
    return Did::Failed;
  auto uppers =
      evaluateMap(e, op, op.getUpperBoundMap(), op.getUpperBoundOperands());
  if (!uppers)
    return Did::Failed;
  int64_t lower = *std::max_element(lowers->begin(), lowers->end());
  int64_t upper = *std::min_element(uppers->begin(), uppers->end());
  int64_t step = op.getStepAsInt();
  SmallVector<ValuePtr> values;
  for (Value init : op.getInits())
    values.push_back(e.getPtr(init));
  for (__int128 i = lower; i < upper; i += step) {
    SmallVector<ValuePtr> arguments = {indexValue(e, int64_t(i))};
    arguments.append(values);
    values.clear();
    if (!e.runRegion(op.getRegion(), arguments, values))
      return Did::Failed;
  }
  for (auto [result, value] : llvm::zip(op.getResults(), values))
    e.define(result, value);
  return Did::Done;
}

static Did executeIf(Executor &e, affine::AffineIfOp op) {
  IntegerSet set = op.getIntegerSet();
  // Its constraints as a map, whose values are compared with zero.
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), op.getContext());
  std::optional<SmallVector<int64_t>> numbers =
      evaluateMap(e, op, map, op.getOperands());
  if (!numbers)
    return Did::Failed;
  bool holds = true;
  for (auto [i, number] : llvm::enumerate(*numbers))
    holds &= set.isEq(i) ? number == 0 : number >= 0;
  Region &region = holds ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return Did::Done;
  SmallVector<ValuePtr> values;
  if (!e.runRegion(region, {}, values))
    return Did::Failed;
  for (auto [result, value] : llvm::zip(op.getResults(), values))
    e.define(result, value);
  return Did::Done;
}

static Did executeLoad(Executor &e, affine::AffineLoadOp op) {
  auto index = evaluateMap(e, op, op.getAffineMap(), op.getMapOperands());
  if (!index)
    return Did::Failed;
  const ConcreteValue &memref = e.get(op.getMemRef());
  std::optional<ConcreteElement> element = e.load(op, memref, *index);
  if (!element)
    return Did::Failed;
  return e.define(op.getResult(),
                  ConcreteValue::scalar(memref.type(), *element));
}

static Did executeStore(Executor &e, affine::AffineStoreOp op) {
  auto index = evaluateMap(e, op, op.getAffineMap(), op.getMapOperands());
  return index && e.store(op, e.getPtr(op.getMemRef()), *index,
                          e.get(op.getValueToStore()).get(0))
             ? Did::Done
             : Did::Failed;
}

/// Outermost first; the first basis element may be missing, and then the first
/// result has no bound. Index arithmetic rounds down.
static Did executeDelinearize(Executor &e,
                              affine::AffineDelinearizeIndexOp op) {
  std::optional<int64_t> index = e.index(op, op.getLinearIndex());
  SmallVector<int64_t> basis;
  if (!index || !e.indices(op, op.getMixedBasis(), basis))
    return Did::Failed;
  for (int64_t size : basis)
    if (size <= 0)
      return e.undefined(op, "a basis of " + Twine(size));
  size_t count = op.getNumResults();
  int64_t rest = *index;
  for (size_t k = count; k-- > 0;) {
    int64_t number = rest;
    if (k > 0) {
      int64_t size = basis[basis.size() - (count - k)];
      number = ((rest % size) + size) % size;
      rest = (rest - number) / size;
    }
    e.define(op.getResult(k), indexValue(e, number));
  }
  return Did::Done;
}

static Did executeLinearize(Executor &e, affine::AffineLinearizeIndexOp op) {
  SmallVector<int64_t> indices, basis;
  if (!e.indices(op, op.getMultiIndex(), indices) ||
      !e.indices(op, op.getMixedBasis(), basis))
    return Did::Failed;
  uint64_t sum = 0, stride = 1;
  for (size_t k = indices.size(); k-- > 0;) {
    size_t at = basis.size() - (indices.size() - k);
    bool hasBound = basis.size() == indices.size() || k > 0;
    if (op.getDisjoint() && hasBound &&
        (indices[k] < 0 || indices[k] >= basis[at])) {
      ScalarType type = ScalarType::index(e.options.indexWidth);
      return e.define(op.getResult(),
                      ConcreteValue::scalar(
                          type, {llvm::APInt(type.width(), 0), EM_poison}));
    }
    sum += uint64_t(indices[k]) * stride;
    if (k > 0)
      stride *= uint64_t(basis[at]);
  }
  return e.define(op.getResult(), indexValue(e, int64_t(sum)));
}

bool interp::knowsAffineOps(Operation *op) {
  return isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineLoadOp,
             affine::AffineStoreOp, affine::AffineYieldOp,
             affine::AffinePrefetchOp, affine::AffineDelinearizeIndexOp,
             affine::AffineLinearizeIndexOp>(op);
}

Did interp::executeAffineOps(Executor &e, Operation *op) {
  if (auto loop = dyn_cast<affine::AffineForOp>(op))
    return executeFor(e, loop);
  if (auto branch = dyn_cast<affine::AffineIfOp>(op))
    return executeIf(e, branch);
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return executeLoad(e, load);
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return executeStore(e, store);
  if (auto split = dyn_cast<affine::AffineDelinearizeIndexOp>(op))
    return executeDelinearize(e, split);
  if (auto join = dyn_cast<affine::AffineLinearizeIndexOp>(op))
    return executeLinearize(e, join);
  return isa<affine::AffinePrefetchOp>(op) ? Did::Done : Did::NotMine;
}
