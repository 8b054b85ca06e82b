//===- Paths.cpp - Branches and joins -------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A branch runs on a copy of the memory; what it makes undefined counts only
/// under its condition. At the join values and memories are chosen element by
/// element.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace panpipe::tv;

/// The guard that a boolean term stands for, if it is one; `negated`: not it.
static std::optional<std::pair<Guard, bool>> guardOf(const Term *condition) {
  if (condition->kind() != TermKind::Ite)
    return std::nullopt;
  const Term *yes = condition->operands()[0], *no = condition->operands()[1];
  Guard guard(condition->guard().begin(), condition->guard().end());
  if (yes->isTrue() && no->isFalse())
    return {{guard, false}};
  if (yes->isFalse() && no->isTrue())
    return {{guard, true}};
  return std::nullopt;
}

const Term *Encoder::choose(const Term *condition, const Term *a,
                            const Term *b) {
  if (a == b || condition->isTrue())
    return a;
  if (condition->isFalse())
    return b;
  if (auto guard = guardOf(condition))
    return guard->second ? terms().mkIte(guard->first, b, a, current)
                         : terms().mkIte(guard->first, a, b, current);
  return terms().mkSelect(condition, a, b);
}

std::optional<SymValue> Encoder::choose(const Term *condition,
                                        const SymValue &a, const SymValue &b) {
  if (condition->isTrue())
    return a;
  if (condition->isFalse())
    return b;
  if (a.kind != b.kind)
    return std::nullopt;
  if (a.isScalar())
    return SymValue(choose(condition, a.scalar, b.scalar));
  ArrayRef<IndexTerm> left = a.isTensor() ? a.tensor.shape : a.memref.shape();
  ArrayRef<IndexTerm> right = b.isTensor() ? b.tensor.shape : b.memref.shape();
  if (left.size() != right.size())
    return std::nullopt;
  for (auto [p, q] : llvm::zip_equal(left, right))
    if (!current.provablyEqual(p, q))
      return std::nullopt;
  if (a.isTensor()) {
    SymTensor result = a.tensor;
    result.element = choose(condition, a.tensor.element, b.tensor.element);
    return SymValue(result);
  }
  if (isSameView(a.memref, b.memref))
    return a;
  SymMemRef result;
  result.type = a.memref.type;
  for (const SymMemRef::Choice &choice : a.memref.choices)
    result.choices.push_back(
        {terms().mkAnd(condition, choice.condition), choice.view});
  for (const SymMemRef::Choice &choice : b.memref.choices)
    result.choices.push_back(
        {terms().mkAnd(terms().mkNot(condition), choice.condition),
         choice.view});
  return SymValue(result);
}

Encoder::PathScope::PathScope(Encoder &encoder, const Term *condition)
    : encoder(encoder), condition(condition), outerSink(encoder.sink),
      outerContext(encoder.current), outerAmbient(encoder.terms().ambient()) {
  encoder.sink = &collected;
  auto guard = guardOf(condition);
  if (guard && !guard->second)
    encoder.current = encoder.current.assume(guard->first);
  else if (guard && guard->first.size() == 1 && !guard->first[0].isEquality)
    encoder.current = encoder.current.assume(geZero(-guard->first[0].poly - 1));
  if (encoder.depth == 0)
    encoder.terms().setAmbient(encoder.current);
}

Encoder::PathScope::~PathScope() {
  encoder.sink = outerSink;
  encoder.current = outerContext;
  encoder.terms().setAmbient(outerAmbient);
  const Term *no = encoder.terms().mkBool(false);
  for (UBCondition &ub : collected) {
    ub.condition = encoder.choose(condition, ub.condition, no);
    if (!ub.condition->isFalse())
      encoder.sink->push_back(std::move(ub));
  }
}

void Encoder::joinMemory(const Term *condition, const Memory &other) {
  if (memory.size() < other.size())
    memory.resize(other.size());
  for (auto [number, theirs] : llvm::enumerate(other)) {
    MemState &mine = memory[number];
    if (!theirs.dead)
      continue;
    if (!mine.dead) {
      // Made on the other path only; this path has no memref into it.
      mine = theirs;
      continue;
    }
    mine.contents = choose(condition, mine.contents, theirs.contents);
    mine.dead = choose(condition, mine.dead, theirs.dead);
  }
}

LogicalResult Encoder::branch(const Term *condition, Branch thenBranch,
                              Branch elseBranch,
                              SmallVectorImpl<SymValue> &results,
                              Operation *op) {
  if (condition->isTrue())
    return thenBranch(results);
  if (condition->isFalse())
    return elseBranch(results);
  Memory before = memory;
  SmallVector<SymValue> first, second;
  {
    PathScope scope(*this, condition);
    if (failed(thenBranch(first)))
      return failure();
  }
  std::swap(memory, before);
  {
    PathScope scope(*this, terms().mkNot(condition));
    if (failed(elseBranch(second)))
      return failure();
  }
  std::swap(memory, before);
  joinMemory(condition, before);
  for (auto [a, b] : llvm::zip_equal(first, second)) {
    std::optional<SymValue> value = choose(condition, a, b);
    if (!value)
      return unsupported(op, "results whose shapes depend on the branch taken "
                             "have no encoding");
    results.push_back(std::move(*value));
  }
  return success();
}

void Encoder::addBound(const Term *condition, Operation *op) {
  if (condition->isFalse())
    return;
  sink->push_back({condition, "", op->getLoc(), /*isBound=*/true});
  assumeNote("bounded-trips", "loops run at most " +
                                  Twine(shared.options.loopBound) +
                                  " iterations that are looked at");
}

//===----------------------------------------------------------------------===//
// Several blocks
//===----------------------------------------------------------------------===//

LogicalResult Encoder::encodeRegion(Region &region,
                                    ArrayRef<SymValue> arguments,
                                    SmallVectorImpl<SymValue> &results) {
  if (region.hasOneBlock())
    return encodeBlock(region.front(), arguments, results);
  return encodeFrom(region.front(), arguments, DenseMap<Block *, unsigned>(),
                    results);
}

/// Everything from the start of `block` to the end of the region. Each path is
/// followed on its own and joined at the end; a block that one path enters too
/// often is a loop, which is bounded.
LogicalResult Encoder::encodeFrom(Block &block, ArrayRef<SymValue> arguments,
                                  DenseMap<Block *, unsigned> visits,
                                  SmallVectorImpl<SymValue> &results) {
  Operation *terminator = block.getTerminator();
  if (blockBudget == 0)
    return unsupported(terminator, "control flow with too many paths");
  --blockBudget;
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    define(argument, value);
  if (failed(encodeOps(block)))
    return failure();
  auto operandsOf = [&](ValueRange operands) {
    SmallVector<SymValue> list;
    for (Value operand : operands)
      list.push_back(get(operand));
    return list;
  };
  ++visits[&block];
  if (auto br = dyn_cast<cf::BranchOp>(terminator))
    return encodeFrom(*br.getDest(), operandsOf(br.getDestOperands()), visits,
                      results);
  if (auto br = dyn_cast<cf::CondBranchOp>(terminator)) {
    Element condition = scalar(br.getCondition());
    addUB(condition.poison, "branch on poison", br);
    SmallVector<SymValue> yes = operandsOf(br.getTrueDestOperands());
    SmallVector<SymValue> no = operandsOf(br.getFalseDestOperands());
    // A path through a loop defines values again that the other path reads.
    DenseMap<Value, SymValue> before = values;
    auto follow = [&](Block *dest, ArrayRef<SymValue> list,
                      SmallVectorImpl<SymValue> &r) {
      values = before;
      return encodeFrom(*dest, list, visits, r);
    };
    bool known = condition.value->isConst();
    if (!known && visits[&block] > shared.options.loopBound + 1)
      return unsupported(br, "a loop between blocks whose trip count is not "
                             "constant has no encoding");
    return branch(
        condition.value,
        [&](SmallVectorImpl<SymValue> &r) {
          return follow(br.getTrueDest(), yes, r);
        },
        [&](SmallVectorImpl<SymValue> &r) {
          return follow(br.getFalseDest(), no, r);
        },
        results, br);
  }
  if (terminator->getNumSuccessors() != 0)
    return unsupported(terminator, "this terminator has no encoding");
  for (Value operand : terminator->getOperands())
    results.push_back(get(operand));
  return success();
}
