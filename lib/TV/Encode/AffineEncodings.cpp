//===- AffineEncodings.cpp - Encodings of affine --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expressions are evaluated as the machine does, on index values; accesses and
/// loops are those of memref and scf at such values.
///
//===----------------------------------------------------------------------===//

#include "CountedLoop.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Affine expressions
//===----------------------------------------------------------------------===//

/// Evaluates an expression as the machine does, on index values.
static Element evaluate(AffineExpr expr, ArrayRef<Element> dims,
                        ArrayRef<Element> symbols, Operation *op, Encoder &e) {
  ScalarType index = e.indexType();
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return e.defined(
        e.terms().mkInt(index, cast<AffineConstantExpr>(expr).getValue()));
  case AffineExprKind::DimId:
    return dims[cast<AffineDimExpr>(expr).getPosition()];
  case AffineExprKind::SymbolId:
    return symbols[cast<AffineSymbolExpr>(expr).getPosition()];
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Element a = evaluate(binary.getLHS(), dims, symbols, op, e);
  Element b = evaluate(binary.getRHS(), dims, symbols, op, e);
  auto apply = [&](ScalarOp scalar, Element x, Element y) {
    return e.apply(scalar, ScalarAttrs(), index, {x, y}, op);
  };
  if (expr.getKind() == AffineExprKind::Add)
    return apply(ScalarOp::AddI, a, b);
  if (expr.getKind() == AffineExprKind::Mul)
    return apply(ScalarOp::MulI, a, b);
  ScalarAttrs lessEqual;
  lessEqual.predicate = 3;
  const Term *zero = e.terms().mkInt(index, 0);
  e.addUB(e.apply(ScalarOp::CmpI, lessEqual, ScalarType::boolean(),
                  {b, e.defined(zero)}, op)
              .value,
          "affine division by a divisor that is not positive", op);
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return apply(ScalarOp::CeilDivSI, a, b);
  Element quotient = apply(ScalarOp::FloorDivSI, a, b);
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return quotient;
  return apply(ScalarOp::SubI, a, apply(ScalarOp::MulI, quotient, b));
}

static SmallVector<Element> evaluateMap(AffineMap map, ValueRange values,
                                        Operation *op, Encoder &e) {
  SmallVector<Element> operands, results;
  for (Value operand : values)
    operands.push_back(e.scalar(operand));
  ArrayRef<Element> all(operands);
  for (AffineExpr expr : map.getResults())
    results.push_back(evaluate(expr, all.take_front(map.getNumDims()),
                               all.drop_front(map.getNumDims()), op, e));
  return results;
}

static LogicalResult encodeApply(affine::AffineApplyOp op, Encoder &e) {
  e.define(op,
           evaluateMap(op.getAffineMap(), op->getOperands(), op, e).front());
  return success();
}

template <typename OpT>
static LogicalResult encodeExtremum(OpT op, Encoder &e) {
  ScalarOp scalar = std::is_same_v<OpT, affine::AffineMinOp> ? ScalarOp::MinSI
                                                             : ScalarOp::MaxSI;
  SmallVector<Element> results =
      evaluateMap(op.getAffineMap(), op->getOperands(), op, e);
  Element best = results.front();
  for (Element next : ArrayRef(results).drop_front())
    best = e.apply(scalar, ScalarAttrs(), e.indexType(), {best, next}, op);
  e.define(op.getResult(), best);
  return success();
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

static LogicalResult encodeLoad(affine::AffineLoadOp op, Encoder &e) {
  SmallVector<Element> at =
      evaluateMap(op.getAffineMap(), op.getMapOperands(), op, e);
  FailureOr<Element> element = e.load(e.memref(op.getMemRef()), at, op);
  if (failed(element))
    return failure();
  e.define(op, *element);
  return success();
}

static LogicalResult encodeStore(affine::AffineStoreOp op, Encoder &e) {
  SmallVector<Element> at =
      evaluateMap(op.getAffineMap(), op.getMapOperands(), op, e);
  return e.store(e.memref(op.getMemRef()), at, e.scalar(op.getValueToStore()),
                 op);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// The largest or smallest of some values.
static Element extremum(ScalarOp op, ArrayRef<Element> values, Operation *at,
                        Encoder &e) {
  Element best = values.front();
  for (Element next : values.drop_front())
    best = e.apply(op, ScalarAttrs(), e.indexType(), {best, next}, at);
  return best;
}

static CountedLoop loopOf(Operation *op, AffineMap lower, ValueRange lowerArgs,
                          AffineMap upper, ValueRange upperArgs, int64_t step,
                          Encoder &e) {
  return {
      op,
      extremum(ScalarOp::MaxSI, evaluateMap(lower, lowerArgs, op, e), op, e),
      extremum(ScalarOp::MinSI, evaluateMap(upper, upperArgs, op, e), op, e),
      e.defined(e.terms().mkInt(e.indexType(), step))};
}

static LogicalResult encodeFor(affine::AffineForOp op, Encoder &e) {
  CountedLoop loop = loopOf(op, op.getLowerBoundMap(),
                            op.getLowerBoundOperands(), op.getUpperBoundMap(),
                            op.getUpperBoundOperands(), op.getStepAsInt(), e);
  return encodeCountedRegion(e, loop, op.getRegion(), op.getInits());
}

static LogicalResult encodeParallel(affine::AffineParallelOp op, Encoder &e) {
  if (op.getNumResults() != 0)
    return e.unsupported(op, "reductions of affine.parallel have no encoding");
  SmallVector<CountedLoop> loops;
  for (auto [dim, step] : llvm::enumerate(op.getSteps())) {
    loops.push_back(
        loopOf(op, op.getLowerBoundMap(dim), op.getLowerBoundsOperands(),
               op.getUpperBoundMap(dim), op.getUpperBoundsOperands(), step, e));
    loops.back().parallel = true;
  }
  SmallVector<SymValue> carried;
  auto body = [&](ArrayRef<Element> ivs, ArrayRef<SymValue>,
                  SmallVectorImpl<SymValue> &next) {
    SmallVector<SymValue> arguments(ivs.begin(), ivs.end());
    return e.encodeRegion(op.getRegion(), arguments, next);
  };
  return encodeLoopNest(e, loops, body, carried);
}

static LogicalResult encodeIf(affine::AffineIfOp op, Encoder &e) {
  IntegerSet set = op.getIntegerSet();
  AffineMap map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                                 set.getConstraints(), op.getContext());
  SmallVector<Element> values = evaluateMap(map, op.getOperands(), op, e);
  const Term *holds = e.terms().mkBool(true);
  Element zero = e.defined(e.terms().mkInt(e.indexType(), 0));
  for (auto [number, value] : llvm::enumerate(values)) {
    e.addUB(value.poison, "branch on poison", op);
    ScalarAttrs attrs;
    attrs.predicate = set.isEq(number) ? 0 : 5; // eq, sge
    holds =
        e.terms().mkAnd(holds, e.apply(ScalarOp::CmpI, attrs,
                                       ScalarType::boolean(), {value, zero}, op)
                                   .value);
  }
  auto run = [&](Region &region, SmallVectorImpl<SymValue> &results) {
    return region.empty() ? success() : e.encodeRegion(region, {}, results);
  };
  SmallVector<SymValue> results;
  if (failed(e.branch(
          holds,
          [&](SmallVectorImpl<SymValue> &r) {
            return run(op.getThenRegion(), r);
          },
          [&](SmallVectorImpl<SymValue> &r) {
            return run(op.getElseRegion(), r);
          },
          results, op)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    e.define(result, value);
  return success();
}

void tv::populateAffineEncodings(OpEncodings &t) {
  t.on<affine::AffineApplyOp>(encodeApply);
  t.on<affine::AffineForOp>(encodeFor);
  t.on<affine::AffineIfOp>(encodeIf);
  t.on<affine::AffineLoadOp>(encodeLoad);
  t.on<affine::AffineMaxOp>(encodeExtremum<affine::AffineMaxOp>);
  t.on<affine::AffineMinOp>(encodeExtremum<affine::AffineMinOp>);
  t.on<affine::AffineParallelOp>(encodeParallel);
  t.on<affine::AffineStoreOp>(encodeStore);
}
