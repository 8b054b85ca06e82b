//===- CountedLoop.cpp - From lower bound to upper bound by step ----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Trip counts that are index polynomials go to Encoder::loop. A bound that is
/// a minimum or maximum becomes the wider loop with a guard around its body.
/// All other bounds are data: iterations are looked at one by one.
///
//===----------------------------------------------------------------------===//

#include "CountedLoop.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {
class Counted {
public:
  Counted(Encoder &e, const CountedLoop &loop, CountedBody body)
      : e(e), loop(loop), body(body) {}
  LogicalResult encode(SmallVectorImpl<SymValue> &carried);

private:
  std::optional<IndexTerm> trips(const Term *lower, const Term *upper);
  LogicalResult byPolynomials(const Term *lower, const Term *upper,
                              IndexTerm trips,
                              SmallVectorImpl<SymValue> &carried);
  LogicalResult byData(SmallVectorImpl<SymValue> &carried);
  const Term *compare(unsigned predicate, const Term *a, const Term *b);
  LogicalResult bodyIf(const Term *condition, Element iv,
                       ArrayRef<SymValue> carried,
                       SmallVectorImpl<SymValue> &next);

  Encoder &e;
  const CountedLoop &loop;
  CountedBody body;
};
} // namespace

const Term *Counted::compare(unsigned predicate, const Term *a, const Term *b) {
  ScalarAttrs attrs;
  attrs.predicate = predicate;
  return e
      .apply(ScalarOp::CmpI, attrs, ScalarType::boolean(),
             {e.defined(a), e.defined(b)}, loop.op)
      .value;
}

/// The number of iterations, if it is a polynomial that is not negative where
/// the loop runs at all.
std::optional<IndexTerm> Counted::trips(const Term *lower, const Term *upper) {
  auto low = e.exactIndex(lower), high = e.exactIndex(upper);
  auto step = e.exactIndex(loop.step.value);
  if (!low || !high || !step)
    return std::nullopt;
  if (!IndexManager::isDivisor(*step) || !e.context().nonneg(*step - 1))
    return std::nullopt;
  return e.context().ceilDiv(*high - *low, *step);
}

LogicalResult Counted::bodyIf(const Term *condition, Element iv,
                              ArrayRef<SymValue> carried,
                              SmallVectorImpl<SymValue> &next) {
  return e.branch(
      condition,
      [&](SmallVectorImpl<SymValue> &results) {
        return body(iv, carried, results);
      },
      [&](SmallVectorImpl<SymValue> &results) {
        results.append(carried.begin(), carried.end());
        return success();
      },
      next, loop.op);
}

/// The loop from `lower` to `upper`, which contains the true one.
LogicalResult Counted::byPolynomials(const Term *lower, const Term *upper,
                                     IndexTerm trips,
                                     SmallVectorImpl<SymValue> &carried) {
  IndexTerm low = *e.exactIndex(lower), step = *e.exactIndex(loop.step.value);
  Encoder::LoopSpec spec{loop.op, trips, loop.parallel};
  return e.loop(
      spec,
      [&](IndexTerm t, ArrayRef<SymValue> before,
          SmallVectorImpl<SymValue> &next) -> LogicalResult {
        Element iv =
            e.defined(e.terms().mkIndexValue(lower->type(), low + step * t));
        const Term *runs = e.terms().mkBool(true);
        if (upper != loop.upper.value)
          runs = compare(2, iv.value, loop.upper.value);
        return bodyIf(runs, iv, before, next);
      },
      carried);
}

/// The larger of the two branches of a minimum: its other branch is a guard.
static SmallVector<const Term *, 2> widerBounds(const Term *upper) {
  SmallVector<const Term *, 2> choices;
  if (upper->kind() != TermKind::Ite || upper->guard().size() != 1 ||
      upper->guard()[0].isEquality)
    return choices;
  choices.append({upper->operands()[0], upper->operands()[1]});
  return choices;
}

/// The largest value of a term, read without sign, if one is visible.
static std::optional<uint64_t> largest(const Term *term) {
  if (term->isConst() && term->bits().getActiveBits() <= 63)
    return term->bits().getZExtValue();
  if (term->kind() != TermKind::Op)
    return std::nullopt;
  auto operand = [&](unsigned k) { return largest(term->operands()[k]); };
  switch (term->op()) {
  case ScalarOp::AndI: {
    auto a = operand(0), b = operand(1);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  case ScalarOp::RemUI: {
    auto b = operand(1);
    return b && *b ? std::optional(*b - 1) : std::nullopt;
  }
  case ScalarOp::ExtUI:
  case ScalarOp::IndexCastUI: {
    if (auto a = operand(0))
      return a;
    unsigned width = term->operands()[0]->type().width();
    return width < 16 ? std::optional((uint64_t(1) << width) - 1)
                      : std::nullopt;
  }
  case ScalarOp::Select: {
    auto a = operand(1), b = operand(2);
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// At most this many iterations of a loop whose bounds are data are all looked
/// at if no more are possible.
static constexpr uint64_t kDataTrips = 16;

LogicalResult Counted::byData(SmallVectorImpl<SymValue> &carried) {
  TermContext &terms = e.terms();
  const Term *lower = loop.lower.value, *upper = loop.upper.value,
             *step = loop.step.value;
  unsigned bound = e.options().loopBound;
  bool isComplete = false;
  auto most = largest(upper);
  if (most && lower->isConst() && lower->bits().isZero() && step->isConst() &&
      step->bits().isStrictlyPositive()) {
    uint64_t stride = step->bits().getLimitedValue();
    uint64_t trips = *most / stride + (*most % stride != 0);
    isComplete = trips <= kDataTrips;
    if (isComplete)
      bound = trips;
  }
  const Term *runs = compare(2, lower, upper);
  Element iv = e.defined(lower);
  for (unsigned k = 0; k < bound && !runs->isFalse(); ++k) {
    SmallVector<SymValue> next, before(carried.begin(), carried.end());
    if (failed(bodyIf(runs, iv, before, next)))
      return failure();
    carried.assign(next.begin(), next.end());
    auto apply = [&](ScalarOp op, const Term *a, const Term *b) {
      return e.apply(op, ScalarAttrs(), lower->type(),
                     {e.defined(a), e.defined(b)}, loop.op);
    };
    // iv < upper here, so upper - iv is exact as an unsigned number.
    const Term *rest = apply(ScalarOp::SubI, upper, iv.value).value;
    runs = terms.mkAnd(runs, compare(8, rest, step));
    iv = apply(ScalarOp::AddI, iv.value, step);
  }
  if (!isComplete)
    e.addBound(runs, loop.op);
  return success();
}

LogicalResult Counted::encode(SmallVectorImpl<SymValue> &carried) {
  for (const Element &bound : {loop.lower, loop.upper, loop.step})
    e.addUB(bound.poison, "poison loop bound", loop.op);
  const Term *zero = e.terms().mkInt(loop.step.value->type(), 0);
  e.addUB(compare(3, loop.step.value, zero), "a step that is not positive",
          loop.op);
  const Term *lower = loop.lower.value, *upper = loop.upper.value;
  if (auto count = trips(lower, upper))
    return byPolynomials(lower, upper, *count, carried);
  // upper = a <= b ? a : b is contained in both; prefer a constant.
  SmallVector<std::pair<const Term *, IndexTerm>> wider;
  for (const Term *choice : widerBounds(upper))
    if (auto count = trips(lower, choice)) {
      // upper <= choice has to hold in both cases.
      auto top = e.exactIndex(choice);
      auto covers = [&](const Term *other, const IndexContext &context) {
        auto value = e.exactIndex(other);
        return value && context.nonneg(*top - *value);
      };
      GuardAtom atom = upper->guard()[0];
      if (covers(upper->operands()[0], e.context().assume(atom)) &&
          covers(upper->operands()[1],
                 e.context().assume(geZero(-atom.poly - 1))))
        wider.push_back({choice, *count});
    }
  for (bool constantOnly : {true, false})
    for (auto [choice, count] : wider)
      if (!constantOnly || count.isConstant())
        return byPolynomials(lower, choice, count, carried);
  return byData(carried);
}

LogicalResult tv::encodeCountedLoop(Encoder &encoder, const CountedLoop &loop,
                                    CountedBody body,
                                    SmallVectorImpl<SymValue> &carried) {
  return Counted(encoder, loop, body).encode(carried);
}

static LogicalResult encodeNest(Encoder &encoder, ArrayRef<CountedLoop> loops,
                                NestBody body, SmallVectorImpl<Element> &ivs,
                                SmallVectorImpl<SymValue> &carried) {
  if (loops.empty()) {
    SmallVector<SymValue> next;
    SmallVector<Element> at(ivs.begin(), ivs.end());
    if (failed(body(at, carried, next)))
      return failure();
    carried.assign(next.begin(), next.end());
    return success();
  }
  return encodeCountedLoop(
      encoder, loops.front(),
      [&](Element iv, ArrayRef<SymValue> before,
          SmallVectorImpl<SymValue> &next) -> LogicalResult {
        next.assign(before.begin(), before.end());
        ivs.push_back(iv);
        LogicalResult result =
            encodeNest(encoder, loops.drop_front(), body, ivs, next);
        ivs.pop_back();
        return result;
      },
      carried);
}

LogicalResult tv::encodeLoopNest(Encoder &encoder, ArrayRef<CountedLoop> loops,
                                 NestBody body,
                                 SmallVectorImpl<SymValue> &carried) {
  SmallVector<Element> ivs;
  return encodeNest(encoder, loops, body, ivs, carried);
}

LogicalResult tv::encodeCountedRegion(Encoder &encoder, const CountedLoop &loop,
                                      Region &region, ValueRange inits) {
  SmallVector<SymValue> carried;
  for (Value value : inits)
    carried.push_back(encoder.get(value));
  auto body = [&](Element iv, ArrayRef<SymValue> before,
                  SmallVectorImpl<SymValue> &next) {
    SmallVector<SymValue> arguments = {SymValue(iv)};
    arguments.append(before.begin(), before.end());
    return encoder.encodeRegion(region, arguments, next);
  };
  if (failed(encodeCountedLoop(encoder, loop, body, carried)))
    return failure();
  for (auto [result, value] : llvm::zip_equal(loop.op->getResults(), carried))
    encoder.define(result, value);
  return success();
}
