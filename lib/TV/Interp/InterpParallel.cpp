//===- InterpParallel.cpp - Execution of parallel loops -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Iterations run one after the other; two that conflict are undefined. A
/// reduction is done in two orders: where they differ, or could in a third, the
/// result is open.
///
//===----------------------------------------------------------------------===//

#include "AccessLog.h"
#include "Executor.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {
/// The accesses of one parallel loop are logged while it is alive.
class LogScope {
public:
  explicit LogScope(Executor &e)
      : e(e), outer(e.accesses), log(std::make_unique<AccessLog>(outer)) {
    e.accesses = log.get();
  }
  ~LogScope() { e.accesses = outer; }
  void beginIteration() { log->beginIteration(); }

private:
  Executor &e;
  AccessLog *outer;
  std::unique_ptr<AccessLog> log;
};

/// Combines two values of a reduction; null if the run ended.
using Combine = llvm::function_ref<ValuePtr(ValuePtr, ValuePtr)>;
} // namespace

/// True for a float whose sums with others like it are exact in any order.
static bool isSmallInteger(const ConcreteValue &value) {
  if (!value.type().isFloat() || value.marks(0))
    return false;
  APFloat number(value.type().fltSemantics(), value.get(0).bits);
  bool lossy;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return number.isInteger() && std::abs(number.convertToDouble()) <= 64;
}

/// The reduction of `values` after `first`, in order and in reverse.
static ValuePtr reduce(Executor &e, ValuePtr first, ArrayRef<ValuePtr> values,
                       Combine combine) {
  ValuePtr forward = first, backward = first;
  for (const ValuePtr &value : values)
    if (!(forward = combine(forward, value)))
      return nullptr;
  for (const ValuePtr &value : llvm::reverse(values))
    if (!(backward = combine(backward, value)))
      return nullptr;
  ConcreteElement a = forward->get(0), b = backward->get(0);
  bool isExact =
      !forward->type().isFloat() || values.size() < 2 ||
      (isSmallInteger(*forward) && isSmallInteger(*first) &&
       llvm::all_of(
           values,
           [](const ValuePtr &value) { return isSmallInteger(*value); }));
  if (!forward->isScalar() ||
      (isExact && a.bits == b.bits && a.marks == b.marks))
    return forward;
  bool useBackward = !e.options.isSource && e.options.filling % 2;
  ConcreteElement open = useBackward ? b : a;
  open.marks |= EM_open;
  return std::make_shared<ConcreteValue>(
      ConcreteValue::scalar(forward->type(), open));
}

/// Calls `body` for each index of the iteration space.
static bool forEachIteration(ArrayRef<int64_t> lower, ArrayRef<int64_t> upper,
                             ArrayRef<int64_t> step,
                             llvm::function_ref<bool(ArrayRef<int64_t>)> body) {
  SmallVector<int64_t> counts;
  for (auto [l, u, s] : llvm::zip(lower, upper, step))
    counts.push_back(u > l ? (u - l + s - 1) / s : 0);
  bool ok = true;
  SmallVector<int64_t> point(lower);
  forEachIndex(counts, [&](ArrayRef<int64_t> index) {
    for (size_t d = 0; d < index.size(); ++d)
      point[d] = lower[d] + index[d] * step[d];
    ok = ok && body(point);
  });
  return ok;
}

static ValuePtr indexValue(Executor &e, int64_t number) {
  return std::make_shared<ConcreteValue>(ConcreteValue::scalar(
      ScalarType::index(e.options.indexWidth), uint64_t(number)));
}

static bool arePositive(Executor &e, Operation *op, ArrayRef<int64_t> steps) {
  if (llvm::all_of(steps, [](int64_t step) { return step > 0; }))
    return true;
  e.undefined(op, "the step is not positive");
  return false;
}

/// Runs the region once for each point; `contributions` collects, for each
/// result, what the iterations give to its reduction.
static bool
runIterations(Executor &e, Region &region, ArrayRef<int64_t> lower,
              ArrayRef<int64_t> upper, ArrayRef<int64_t> step,
              MutableArrayRef<SmallVector<ValuePtr>> contributions) {
  LogScope scope(e);
  return forEachIteration(lower, upper, step, [&](ArrayRef<int64_t> point) {
    scope.beginIteration();
    SmallVector<ValuePtr> arguments, values;
    for (int64_t i : point)
      arguments.push_back(indexValue(e, i));
    if (!e.runRegion(region, arguments, values))
      return false;
    for (auto [list, value] : llvm::zip(contributions, values))
      list.push_back(value);
    return true;
  });
}

//===----------------------------------------------------------------------===//
// scf.parallel
//===----------------------------------------------------------------------===//

static Did executeParallel(Executor &e, scf::ParallelOp op) {
  SmallVector<int64_t> lower, upper, step;
  if (!e.indices(op, ValueRange(op.getLowerBound()), lower) ||
      !e.indices(op, ValueRange(op.getUpperBound()), upper) ||
      !e.indices(op, ValueRange(op.getStep()), step) ||
      !arePositive(e, op, step))
    return Did::Failed;
  SmallVector<SmallVector<ValuePtr>> contributions(op.getNumResults());
  if (!runIterations(e, op.getRegion(), lower, upper, step, contributions))
    return Did::Failed;
  auto terminator = cast<scf::ReduceOp>(op.getRegion().front().getTerminator());
  for (auto [result, init, list, region] :
       llvm::zip(op.getResults(), op.getInitVals(), contributions,
                 terminator.getReductions())) {
    Region &body = region;
    ValuePtr value =
        reduce(e, e.getPtr(init), list, [&](ValuePtr a, ValuePtr b) {
          SmallVector<ValuePtr> values;
          return e.runRegion(body, {a, b}, values) ? values[0] : nullptr;
        });
    if (!value)
      return Did::Failed;
    e.define(result, value);
  }
  return Did::Done;
}

//===----------------------------------------------------------------------===//
// scf.forall
//===----------------------------------------------------------------------===//

namespace {
/// The results of a forall while its iterations put slices into them.
class SharedOutputs {
public:
  SharedOutputs(Executor &e, scf::ForallOp op) : e(e) {
    for (Value output : op.getOutputs()) {
      values.push_back(e.get(output));
      writers.emplace_back(values.back().size(), -1);
    }
    for (BlockArgument argument : op.getRegionIterArgs())
      arguments.push_back(argument);
  }
  bool insert(tensor::ParallelInsertSliceOp op, int64_t iteration);

  SmallVector<ConcreteValue> values;

private:
  Executor &e;
  SmallVector<Value> arguments;
  /// Which iteration wrote an element.
  SmallVector<std::vector<int64_t>> writers;
};
} // namespace

bool SharedOutputs::insert(tensor::ParallelInsertSliceOp op,
                           int64_t iteration) {
  size_t k = llvm::find(arguments, op.getDest()) - arguments.begin();
  const ConcreteValue &source = e.get(op.getSource());
  SmallVector<int64_t> offsets, sizes, steps;
  if (k == arguments.size()) {
    e.unsupported(op, "a slice into another tensor");
    return false;
  }
  if (!e.indices(op, op.getMixedOffsets(), offsets) ||
      !e.indices(op, op.getMixedSizes(), sizes) ||
      !e.indices(op, op.getMixedStrides(), steps))
    return false;
  ConcreteValue &target = values[k];
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(target.shape());
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }) ||
      count != source.size()) {
    e.undefined(op, "the slice has another size than its source");
    return false;
  }
  const char *problem = nullptr;
  int64_t from = 0;
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    int64_t to = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      int64_t at = offsets[d] + index[d] * steps[d];
      if (at < 0 || at >= target.shape()[d])
        problem = "the slice is out of bounds";
      to += at * strides[d];
    }
    if (problem)
      return;
    int64_t &writer = writers[k][to];
    if (writer != -1 && writer != iteration)
      problem = "two iterations write the same element";
    writer = iteration;
    target.copy(to, source, from++);
  });
  if (problem)
    e.undefined(op, problem);
  return !problem;
}

static Did executeForall(Executor &e, scf::ForallOp op) {
  SmallVector<int64_t> lower, upper, step;
  if (!e.indices(op, op.getMixedLowerBound(), lower) ||
      !e.indices(op, op.getMixedUpperBound(), upper) ||
      !e.indices(op, op.getMixedStep(), step) || !arePositive(e, op, step))
    return Did::Failed;
  LogScope scope(e);
  SharedOutputs outputs(e, op);
  int64_t iteration = 0;
  bool ok = forEachIteration(lower, upper, step, [&](ArrayRef<int64_t> point) {
    scope.beginIteration();
    SmallVector<ValuePtr> arguments, values;
    for (int64_t i : point)
      arguments.push_back(indexValue(e, i));
    for (Value output : op.getOutputs())
      arguments.push_back(e.getPtr(output));
    if (!e.runRegion(op.getRegion(), arguments, values))
      return false;
    for (Operation &yielding : op.getTerminator().getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
      if (!insert) {
        e.unsupported(&yielding, "no execution in a forall's terminator");
        return false;
      }
      if (!outputs.insert(insert, iteration))
        return false;
    }
    ++iteration;
    return true;
  });
  if (!ok)
    return Did::Failed;
  for (auto [result, value] : llvm::zip(op.getResults(), outputs.values))
    e.define(result, std::move(value));
  return Did::Done;
}

//===----------------------------------------------------------------------===//
// affine.parallel
//===----------------------------------------------------------------------===//

/// Bounds: per loop the largest lower and the smallest upper one of its group.
static bool affineBounds(Executor &e, affine::AffineParallelOp op,
                         SmallVectorImpl<int64_t> &lower,
                         SmallVectorImpl<int64_t> &upper) {
  for (unsigned d = 0; d < op.getNumDims(); ++d) {
    auto lows =
        evaluateMap(e, op, op.getLowerBoundMap(d), op.getLowerBoundsOperands());
    if (!lows)
      return false;
    auto highs =
        evaluateMap(e, op, op.getUpperBoundMap(d), op.getUpperBoundsOperands());
    if (!highs)
      return false;
    lower.push_back(*std::max_element(lows->begin(), lows->end()));
    upper.push_back(*std::min_element(highs->begin(), highs->end()));
  }
  return true;
}

static Did reduceAffine(Executor &e, affine::AffineParallelOp op, unsigned r,
                        ArrayRef<ValuePtr> list) {
  Value result = op.getResult(r);
  auto kind = static_cast<arith::AtomicRMWKind>(
      cast<IntegerAttr>(op.getReductions()[r]).getInt());
  std::optional<ScalarType> type = e.elementType(result.getType());
  std::optional<ScalarOp> update = atomicUpdate(kind);
  if (isa<ShapedType>(result.getType()) || !type || !update)
    return e.unsupported(op, "a reduction without execution");
  OpBuilder builder(op.getContext());
  std::optional<ConcreteValue> identity = ConcreteValue::fromAttribute(
      arith::getIdentityValueAttr(kind, result.getType(), builder, op.getLoc()),
      e.options.indexWidth);
  if (!identity)
    return e.unsupported(op, "a reduction without identity");
  ValuePtr value =
      reduce(e, std::make_shared<ConcreteValue>(std::move(*identity)), list,
             [&](ValuePtr a, ValuePtr b) -> ValuePtr {
               std::optional<ConcreteElement> element =
                   e.scalarOp(op, {*update, {}}, *type, {*type, *type},
                              {a->get(0), b->get(0)});
               if (!element)
                 return nullptr;
               return std::make_shared<ConcreteValue>(
                   ConcreteValue::scalar(*type, *element));
             });
  return value ? e.define(result, value) : Did::Failed;
}

static Did executeAffineParallel(Executor &e, affine::AffineParallelOp op) {
  SmallVector<int64_t> lower, upper, step(op.getSteps());
  if (!affineBounds(e, op, lower, upper))
    return Did::Failed;
  SmallVector<SmallVector<ValuePtr>> contributions(op.getNumResults());
  if (!runIterations(e, op.getRegion(), lower, upper, step, contributions))
    return Did::Failed;
  for (unsigned r = 0; r < op.getNumResults(); ++r)
    if (reduceAffine(e, op, r, contributions[r]) != Did::Done)
      return Did::Failed;
  return Did::Done;
}

bool interp::knowsParallel(Operation *op) {
  return isa<scf::ParallelOp, scf::ReduceOp, scf::ReduceReturnOp, scf::ForallOp,
             scf::InParallelOp, tensor::ParallelInsertSliceOp,
             affine::AffineParallelOp>(op);
}

Did interp::executeParallelLoops(Executor &e, Operation *op) {
  if (auto loop = dyn_cast<scf::ParallelOp>(op))
    return executeParallel(e, loop);
  if (auto loop = dyn_cast<scf::ForallOp>(op))
    return executeForall(e, loop);
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op))
    return executeAffineParallel(e, loop);
  return Did::NotMine;
}
