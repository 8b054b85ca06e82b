//===- ScfEncodings.cpp - Encodings of scf --------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Branches join what both sides computed; loops are in CountedLoop.cpp and
/// Loops.cpp. A parallel loop is executed in order, under the assumption that
/// its iterations do not conflict, which is checked where it can be.
///
//===----------------------------------------------------------------------===//

#include "CountedLoop.h"
#include "TensorEncodings.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

static void defineAll(Operation *op, ArrayRef<SymValue> values, Encoder &e) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    e.define(result, value);
}

static SmallVector<SymValue> valuesOf(ValueRange values, Encoder &e) {
  SmallVector<SymValue> result;
  for (Value value : values)
    result.push_back(e.get(value));
  return result;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static LogicalResult encodeIf(scf::IfOp op, Encoder &e) {
  Element condition = e.scalar(op.getCondition());
  e.addUB(condition.poison, "branch on poison", op);
  auto run = [&](Region &region, SmallVectorImpl<SymValue> &results) {
    return region.empty() ? success() : e.encodeRegion(region, {}, results);
  };
  SmallVector<SymValue> results;
  if (failed(e.branch(
          condition.value,
          [&](SmallVectorImpl<SymValue> &r) {
            return run(op.getThenRegion(), r);
          },
          [&](SmallVectorImpl<SymValue> &r) {
            return run(op.getElseRegion(), r);
          },
          results, op)))
    return failure();
  defineAll(op, results, e);
  return success();
}

static LogicalResult switchFrom(scf::IndexSwitchOp op, unsigned number,
                                Element flag, Encoder &e,
                                SmallVectorImpl<SymValue> &results) {
  if (number == op.getCases().size())
    return e.encodeRegion(op.getDefaultRegion(), {}, results);
  ScalarAttrs equal;
  const Term *value = e.terms().mkInt(e.indexType(), op.getCases()[number]);
  Element taken = e.apply(ScalarOp::CmpI, equal, ScalarType::boolean(),
                          {flag, e.defined(value)}, op);
  return e.branch(
      taken.value,
      [&](SmallVectorImpl<SymValue> &r) {
        return e.encodeRegion(op.getCaseRegions()[number], {}, r);
      },
      [&](SmallVectorImpl<SymValue> &r) {
        return switchFrom(op, number + 1, flag, e, r);
      },
      results, op);
}

static LogicalResult encodeIndexSwitch(scf::IndexSwitchOp op, Encoder &e) {
  Element flag = e.scalar(op.getArg());
  e.addUB(flag.poison, "branch on poison", op);
  SmallVector<SymValue> results;
  if (failed(switchFrom(op, 0, flag, e, results)))
    return failure();
  defineAll(op, results, e);
  return success();
}

static LogicalResult encodeExecuteRegion(scf::ExecuteRegionOp op, Encoder &e) {
  SmallVector<SymValue> results;
  if (failed(e.encodeRegion(op.getRegion(), {}, results)))
    return failure();
  defineAll(op, results, e);
  return success();
}

//===----------------------------------------------------------------------===//
// Sequential loops
//===----------------------------------------------------------------------===//

static LogicalResult encodeFor(scf::ForOp op, Encoder &e) {
  if (op.getUnsignedCmp())
    return e.unsupported(op, "bounds compared unsigned have no encoding");
  CountedLoop loop{op, e.scalar(op.getLowerBound()),
                   e.scalar(op.getUpperBound()), e.scalar(op.getStep())};
  return encodeCountedRegion(e, loop, op.getRegion(), op.getInitArgs());
}

/// At most this many iterations of a while loop whose condition is known.
static constexpr unsigned kKnownTrips = 256;

/// One run of the before region, and of everything after it.
static LogicalResult whileFrom(scf::WhileOp op, ArrayRef<SymValue> arguments,
                               unsigned known, unsigned open, Encoder &e,
                               SmallVectorImpl<SymValue> &results) {
  SmallVector<SymValue> operands;
  if (failed(e.encodeRegion(op.getBefore(), arguments, operands)))
    return failure();
  Element condition = operands.front().scalar;
  e.addUB(condition.poison, "branch on poison", op);
  SmallVector<SymValue> forwarded(operands.begin() + 1, operands.end());
  bool isKnown = condition.value->isConst();
  if (isKnown ? known == kKnownTrips : open == e.options().loopBound) {
    e.addBound(condition.value, op);
    results.append(forwarded.begin(), forwarded.end());
    return success();
  }
  return e.branch(
      condition.value,
      [&](SmallVectorImpl<SymValue> &r) -> LogicalResult {
        SmallVector<SymValue> next;
        if (failed(e.encodeRegion(op.getAfter(), forwarded, next)))
          return failure();
        return whileFrom(op, next, known + isKnown, open + !isKnown, e, r);
      },
      [&](SmallVectorImpl<SymValue> &r) {
        r.append(forwarded.begin(), forwarded.end());
        return success();
      },
      results, op);
}

static LogicalResult encodeWhile(scf::WhileOp op, Encoder &e) {
  SmallVector<SymValue> results;
  if (failed(whileFrom(op, valuesOf(op.getInits(), e), 0, 0, e, results)))
    return failure();
  defineAll(op, results, e);
  return success();
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

/// Combines the operands of scf.reduce with what was reduced before.
static LogicalResult encodeReduce(scf::ReduceOp op, ArrayRef<SymValue> before,
                                  Encoder &e, SmallVectorImpl<SymValue> &next) {
  for (auto [number, region] : llvm::enumerate(op.getReductions())) {
    Operation *combiner = &region.front().front();
    auto flags = region.front().getOperations().size() == 2
                     ? combiner->getName().getStringRef()
                     : StringRef();
    if (!llvm::is_contained({"arith.addi", "arith.muli", "arith.andi",
                             "arith.ori", "arith.xori", "arith.maxsi",
                             "arith.minsi", "arith.maxui", "arith.minui",
                             "arith.maximumf", "arith.minimumf"},
                            flags))
      e.assumeNote("parallel-order", "reductions of parallel loops run in "
                                     "the order of the iterations");
    SmallVector<SymValue> result;
    if (failed(e.encodeRegion(
            region, {before[number], e.get(op.getOperands()[number])}, result)))
      return failure();
    next.push_back(result.front());
  }
  return success();
}

static LogicalResult encodeParallel(scf::ParallelOp op, Encoder &e) {
  SmallVector<CountedLoop> loops;
  for (auto [lower, upper, step] :
       llvm::zip_equal(op.getLowerBound(), op.getUpperBound(), op.getStep()))
    loops.push_back(
        {op, e.scalar(lower), e.scalar(upper), e.scalar(step), true});
  SmallVector<SymValue> carried = valuesOf(op.getInitVals(), e);
  auto body = [&](ArrayRef<Element> ivs, ArrayRef<SymValue> before,
                  SmallVectorImpl<SymValue> &next) -> LogicalResult {
    Block &block = *op.getBody();
    for (auto [argument, iv] : llvm::zip_equal(block.getArguments(), ivs))
      e.define(argument, iv);
    if (failed(e.encodeOps(block)))
      return failure();
    return encodeReduce(cast<scf::ReduceOp>(block.getTerminator()), before, e,
                        next);
  };
  if (failed(encodeLoopNest(e, loops, body, carried)))
    return failure();
  defineAll(op, carried, e);
  return success();
}

/// A bound of scf.forall: a number or a value.
static Element boundOf(OpFoldResult bound, Encoder &e) {
  if (auto value = dyn_cast<Value>(bound))
    return e.scalar(value);
  int64_t number = cast<IntegerAttr>(cast<Attribute>(bound)).getInt();
  return e.defined(e.terms().mkInt(e.indexType(), number));
}

static LogicalResult encodeForall(scf::ForallOp op, Encoder &e) {
  SmallVector<CountedLoop> loops;
  for (auto [lower, upper, step] : llvm::zip_equal(
           op.getMixedLowerBound(), op.getMixedUpperBound(), op.getMixedStep()))
    loops.push_back(
        {op, boundOf(lower, e), boundOf(upper, e), boundOf(step, e), true});
  SmallVector<SymValue> outputs = valuesOf(op.getOutputs(), e);
  SmallVector<SymValue> carried = outputs;
  auto body = [&](ArrayRef<Element> ivs, ArrayRef<SymValue> before,
                  SmallVectorImpl<SymValue> &next) -> LogicalResult {
    Block &block = *op.getBody();
    for (auto [argument, iv] : llvm::zip(block.getArguments(), ivs))
      e.define(argument, iv);
    // The body reads what was there before the loop; insertions are seen
    // after it only.
    for (auto [argument, output] :
         llvm::zip_equal(op.getRegionOutArgs(), outputs))
      e.define(argument, output);
    if (failed(e.encodeOps(block)))
      return failure();
    next.assign(before.begin(), before.end());
    for (Operation &yielding : op.getTerminator().getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
      if (!insert)
        return e.unsupported(&yielding, "no encoding");
      unsigned number =
          cast<BlockArgument>(insert.getDest()).getArgNumber() - ivs.size();
      SymTensor result;
      if (failed(insertParallel(insert, next[number].tensor, e, result)))
        return failure();
      next[number] = SymValue(std::move(result));
    }
    return success();
  };
  if (failed(encodeLoopNest(e, loops, body, carried)))
    return failure();
  defineAll(op, carried, e);
  return success();
}

void tv::populateScfEncodings(OpEncodings &t) {
  t.on<scf::ExecuteRegionOp>(encodeExecuteRegion);
  t.on<scf::ForOp>(encodeFor);
  t.on<scf::ForallOp>(encodeForall);
  t.on<scf::IfOp>(encodeIf);
  t.on<scf::IndexSwitchOp>(encodeIndexSwitch);
  t.on<scf::ParallelOp>(encodeParallel);
  t.on<scf::WhileOp>(encodeWhile);
}
