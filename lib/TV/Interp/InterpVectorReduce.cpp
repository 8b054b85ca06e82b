//===- InterpVectorReduce.cpp - Execution of vector reductions ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reductions, contractions, outer products and scans, element after element in
/// row-major order.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {
/// Combines elements of one type; remembers a failure.
class Combiner {
public:
  Combiner(Executor &e, Operation *op, ScalarType type,
           arith::FastMathFlags flags = arith::FastMathFlags::none)
      : e(e), op(op), type(type) {
    attrs.fastMath = static_cast<uint8_t>(flags);
  }
  ConcreteElement combine(vector::CombiningKind kind, ConcreteElement a,
                          ConcreteElement b);
  ConcreteElement multiply(ConcreteElement a, ConcreteElement b) {
    return combine(vector::CombiningKind::MUL, a, b);
  }
  ConcreteElement multiplyAdd(ConcreteElement a, ConcreteElement b,
                              ConcreteElement c) {
    return run(ScalarOp::Fma, {type, type, type}, {a, b, c});
  }
  ConcreteElement widen(ScalarType from, ConcreteElement element) {
    if (from == type)
      return element;
    return run(type.isFloat() ? ScalarOp::ExtF : ScalarOp::ExtSI, {from},
               {element});
  }
  /// `next` where the mask is on, else `before`; poison where it is poison.
  ConcreteElement masked(const ConcreteElement &mask, ConcreteElement next,
                         ConcreteElement before) {
    return run(ScalarOp::Select, {ScalarType::boolean(), type, type},
               {mask, next, before});
  }
  /// The result of combining nothing.
  ConcreteElement neutral(vector::CombiningKind kind) const;
  bool failed = false;

private:
  ConcreteElement run(ScalarOp scalar, ArrayRef<ScalarType> types,
                      ArrayRef<ConcreteElement> operands) {
    std::optional<ConcreteElement> result =
        e.scalarOp(op, {scalar, attrs}, type, types, operands);
    failed |= !result;
    return result.value_or(ConcreteElement{llvm::APInt(type.width(), 0)});
  }
  Executor &e;
  Operation *op;
  ScalarType type;
  ScalarAttrs attrs;
};
} // namespace

ConcreteElement Combiner::combine(vector::CombiningKind kind, ConcreteElement a,
                                  ConcreteElement b) {
  using Kind = vector::CombiningKind;
  static const std::pair<Kind, ScalarOp> table[] = {
      {Kind::MINUI, ScalarOp::MinUI},
      {Kind::MINSI, ScalarOp::MinSI},
      {Kind::MAXUI, ScalarOp::MaxUI},
      {Kind::MAXSI, ScalarOp::MaxSI},
      {Kind::MINNUMF, ScalarOp::MinNumF},
      {Kind::MAXNUMF, ScalarOp::MaxNumF},
      {Kind::MINIMUMF, ScalarOp::MinimumF},
      {Kind::MAXIMUMF, ScalarOp::MaximumF},
      {Kind::AND, ScalarOp::AndI},
      {Kind::OR, ScalarOp::OrI},
      {Kind::XOR, ScalarOp::XOrI}};
  ScalarOp scalar = kind == Kind::ADD
                        ? (type.isFloat() ? ScalarOp::AddF : ScalarOp::AddI)
                        : (type.isFloat() ? ScalarOp::MulF : ScalarOp::MulI);
  for (auto [from, to] : table)
    if (from == kind)
      scalar = to;
  return run(scalar, {type, type}, {a, b});
}

ConcreteElement Combiner::neutral(vector::CombiningKind kind) const {
  using Kind = vector::CombiningKind;
  unsigned width = type.width();
  auto real = [&](const APFloat &value) {
    APFloat copy = value;
    bool lossy;
    copy.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return ConcreteElement{copy.bitcastToAPInt()};
  };
  switch (kind) {
  case Kind::ADD:
    return type.isFloat() ? real(APFloat(-0.0))
                          : ConcreteElement{llvm::APInt(width, 0)};
  case Kind::MUL:
    return type.isFloat() ? real(APFloat(1.0))
                          : ConcreteElement{llvm::APInt(width, 1)};
  case Kind::MINIMUMF:
    return real(APFloat::getInf(APFloat::IEEEdouble()));
  case Kind::MAXIMUMF:
    return real(APFloat::getInf(APFloat::IEEEdouble(), true));
  case Kind::MINNUMF:
  case Kind::MAXNUMF:
    return {canonicalNaN(type)};
  case Kind::AND:
  case Kind::MINUI:
    return {llvm::APInt::getAllOnes(width)};
  case Kind::MINSI:
    return {llvm::APInt::getSignedMaxValue(width)};
  case Kind::MAXSI:
    return {llvm::APInt::getSignedMinValue(width)};
  default:
    return {llvm::APInt(width, 0)};
  }
}

static int64_t at(const ConcreteValue &value, ArrayRef<int64_t> index) {
  return linearize(index, ConcreteValue::stridesOf(value.shape()));
}

static Did finish(Executor &e, const Combiner &combiner, Value result,
                  ConcreteValue value) {
  return combiner.failed ? Did::Failed : e.define(result, std::move(value));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Did executeReduction(Executor &e, vector::ReductionOp op,
                            const ConcreteValue *mask, Value result) {
  const ConcreteValue &source = e.get(op.getVector());
  if (!e.spend(op, source.size()))
    return Did::Failed;
  Combiner combiner(e, op, source.type(), op.getFastmath());
  bool started = bool(op.getAcc()) || mask;
  ConcreteElement acc =
      op.getAcc() ? e.get(op.getAcc()).get(0) : combiner.neutral(op.getKind());
  for (int64_t i = 0; i < source.size() && !combiner.failed; ++i) {
    ConcreteElement next =
        started ? combiner.combine(op.getKind(), acc, source.get(i))
                : source.get(i);
    acc = mask ? combiner.masked(mask->get(i), next, acc) : next;
    started = true;
  }
  return finish(e, combiner, result, ConcreteValue::scalar(source.type(), acc));
}

static Did executeMultiReduction(Executor &e, vector::MultiDimReductionOp op,
                                 const ConcreteValue *mask, Value result) {
  const ConcreteValue &source = e.get(op.getSource());
  if (op.getReductionDims().empty() && !mask)
    return e.define(result, e.getPtr(op.getSource()));
  if (!e.spend(op, source.size()))
    return Did::Failed;
  ConcreteValue value = e.get(op.getAcc());
  Combiner combiner(e, op, source.type());
  SmallVector<bool> reduced = op.getReductionMask();
  int64_t from = 0;
  forEachIndex(source.shape(), [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> kept;
    for (auto [dim, i] : llvm::enumerate(index))
      if (!reduced[dim])
        kept.push_back(i);
    int64_t to = at(value, kept);
    ConcreteElement next =
        combiner.combine(op.getKind(), value.get(to), source.get(from));
    if (mask)
      next = combiner.masked(mask->get(from), next, value.get(to));
    value.set(to, next);
    ++from;
  });
  return finish(e, combiner, result, std::move(value));
}

static Did executeContract(Executor &e, vector::ContractionOp op,
                           const ConcreteValue *mask, Value result) {
  const ConcreteValue &lhs = e.get(op.getLhs()), &rhs = e.get(op.getRhs());
  ConcreteValue value = e.get(op.getAcc());
  SmallVector<int64_t> bounds;
  op.getIterationBounds(bounds);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Combiner combiner(e, op, value.type());
  int64_t point = 0;
  bool ok = true;
  forEachIndex(bounds, [&](ArrayRef<int64_t> loops) {
    ok = ok && e.spend(op, 1);
    if (!ok)
      return;
    SmallVector<int64_t> a = maps[0].compose(loops), b = maps[1].compose(loops),
                         c = maps[2].compose(loops);
    int64_t to = at(value, c);
    ConcreteElement product =
        combiner.multiply(combiner.widen(lhs.type(), lhs.get(at(lhs, a))),
                          combiner.widen(rhs.type(), rhs.get(at(rhs, b))));
    ConcreteElement next =
        combiner.combine(op.getKind(), value.get(to), product);
    if (mask)
      next = combiner.masked(mask->get(point), next, value.get(to));
    value.set(to, next);
    ++point;
  });
  if (!ok)
    return Did::Failed;
  return finish(e, combiner, result, std::move(value));
}

static Did executeOuterProduct(Executor &e, vector::OuterProductOp op) {
  const ConcreteValue &lhs = e.get(op.getLhs()), &rhs = e.get(op.getRhs());
  const ConcreteValue *acc = op.getAcc() ? &e.get(op.getAcc()) : nullptr;
  ArrayRef<int64_t> shape = op.getResultVectorType().getShape();
  if (!e.allocate(op, lhs.type(), shape))
    return Did::Failed;
  ConcreteValue value(lhs.type(), shape);
  Combiner combiner(e, op, lhs.type());
  bool fused =
      lhs.type().isFloat() && op.getKind() == vector::CombiningKind::ADD && acc;
  for (int64_t i = 0; i < value.size(); ++i) {
    ConcreteElement a = lhs.get(i / rhs.size()), b = rhs.get(i % rhs.size());
    if (fused) {
      value.set(i, combiner.multiplyAdd(a, b, acc->get(i)));
      continue;
    }
    ConcreteElement product = combiner.multiply(a, b);
    value.set(i, acc ? combiner.combine(op.getKind(), product, acc->get(i))
                     : product);
  }
  return finish(e, combiner, op.getResult(), std::move(value));
}

static Did executeFma(Executor &e, vector::FMAOp op) {
  const ConcreteValue &a = e.get(op.getLhs()), &b = e.get(op.getRhs()),
                      &c = e.get(op.getAcc());
  ConcreteValue value = a;
  Combiner combiner(e, op, a.type());
  for (int64_t i = 0; i < value.size(); ++i)
    value.set(i, combiner.multiplyAdd(a.get(i), b.get(i), c.get(i)));
  return finish(e, combiner, op.getResult(), std::move(value));
}

/// Inclusive: starts from the first element. Exclusive: from the initial value,
/// and leaves the last element out.
static Did executeScan(Executor &e, vector::ScanOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  const ConcreteValue &initial = e.get(op.getInitialValue());
  ConcreteValue value = source, last = initial;
  Combiner combiner(e, op, source.type());
  unsigned dim = op.getReductionDim();
  forEachIndex(initial.shape(), [&](ArrayRef<int64_t> others) {
    SmallVector<int64_t> index(others);
    index.insert(index.begin() + dim, 0);
    ConcreteElement acc = initial.get(at(initial, others));
    for (int64_t k = 0; k < source.shape()[dim]; ++k) {
      index[dim] = k;
      ConcreteElement here = source.get(at(source, index));
      if (op.getInclusive())
        acc = k == 0 ? here : combiner.combine(op.getKind(), acc, here);
      value.set(at(value, index), acc);
      if (k + 1 == source.shape()[dim])
        last.set(at(last, others), acc);
      if (!op.getInclusive())
        acc = combiner.combine(op.getKind(), acc, here);
    }
  });
  if (combiner.failed)
    return Did::Failed;
  e.define(op.getDest(), std::move(value));
  return e.define(op.getAccumulatedValue(), std::move(last));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

static Did executeMasked(Executor &e, vector::MaskOp op) {
  Operation *inner = op.getMaskableOp();
  const ConcreteValue *mask = &e.get(op.getMask());
  if (!inner || op.getPassthru())
    return e.unsupported(op, "a mask over nothing, or with other values");
  if (auto o = dyn_cast<vector::ReductionOp>(inner))
    return executeReduction(e, o, mask, op->getResult(0));
  if (auto o = dyn_cast<vector::MultiDimReductionOp>(inner))
    return executeMultiReduction(e, o, mask, op->getResult(0));
  if (auto o = dyn_cast<vector::ContractionOp>(inner))
    return executeContract(e, o, mask, op->getResult(0));
  if (isa<vector::TransferReadOp, vector::TransferWriteOp>(inner))
    return executeTransferMasked(
        e, inner, mask, op->getNumResults() ? op->getResult(0) : Value());
  return e.unsupported(op, "no execution of this operation under a mask");
}

bool interp::knowsVectorReduce(Operation *op) {
  return isa<vector::ContractionOp, vector::FMAOp, vector::MaskOp,
             vector::MultiDimReductionOp, vector::OuterProductOp,
             vector::ReductionOp, vector::ScanOp, vector::YieldOp>(op);
}

Did interp::executeVectorReduce(Executor &e, Operation *op) {
  if (auto o = dyn_cast<vector::ContractionOp>(op))
    return executeContract(e, o, nullptr, o.getResult());
  if (auto o = dyn_cast<vector::FMAOp>(op))
    return executeFma(e, o);
  if (auto o = dyn_cast<vector::MaskOp>(op))
    return executeMasked(e, o);
  if (auto o = dyn_cast<vector::MultiDimReductionOp>(op))
    return executeMultiReduction(e, o, nullptr, o.getDest());
  if (auto o = dyn_cast<vector::OuterProductOp>(op))
    return executeOuterProduct(e, o);
  if (auto o = dyn_cast<vector::ReductionOp>(op))
    return executeReduction(e, o, nullptr, o.getDest());
  if (auto o = dyn_cast<vector::ScanOp>(op))
    return executeScan(e, o);
  return Did::NotMine;
}
