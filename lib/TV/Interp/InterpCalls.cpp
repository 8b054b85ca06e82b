//===- InterpCalls.cpp - Calls of functions without a body ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Such a call may read and write all memory that it can reach: that of the
/// caller's arguments, globals, and what an earlier call was given. In the
/// source it does something that depends on all of this. In the target the same
/// call must be given the same, and does what it did in the source.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

namespace {

/// Numbers that depend on everything that was mixed in.
class Hash {
public:
  void mix(uint64_t word) {
    state = (state ^ word) * 0x9e3779b97f4a7c15ull;
    state ^= state >> 29;
  }
  void mix(StringRef text) {
    for (char c : text)
      mix(uint64_t(uint8_t(c)));
  }
  void mix(const ConcreteValue &value) {
    for (int64_t extent : value.shape())
      mix(uint64_t(extent));
    for (int64_t i = 0; i < value.size(); ++i) {
      ConcreteElement element = value.get(i);
      mix(element.isPoison() ? 77 : element.bits.getRawData()[0]);
    }
  }
  uint64_t next() {
    mix(state >> 7);
    return state;
  }
  /// A value as a caller might get it: mostly a small number.
  ConcreteElement element(ScalarType type) {
    uint64_t dice = next();
    int64_t number = int64_t(dice % 9) - (type.isIndex() ? 0 : 4);
    if (!type.isFloat())
      return {dice % 5 == 0 && !type.isIndex()
                  ? llvm::APInt(type.width(), next(), false, true)
                  : llvm::APInt(type.width(), number, true, true)};
    APFloat value(type.fltSemantics());
    value.convertFromAPInt(llvm::APInt(64, number, true), true,
                           APFloat::rmNearestTiesToEven);
    return {value.bitcastToAPInt()};
  }

private:
  uint64_t state = 0x243f6a8885a308d3ull;
};

class UnknownCall {
public:
  UnknownCall(Executor &e, Operation *op) : e(e), op(op) {}
  bool gather(StringRef callee, ValueRange operands);
  bool invent();
  bool replay(const CallRecord &source);
  bool finish();

private:
  unsigned numberOf(const ValuePtr &memref);
  bool diverged(const Twine &text) {
    e.outcome.kind = Outcome::Diverged;
    e.outcome.reason = text.str();
    e.outcome.op = op;
    return false;
  }

  Executor &e;
  Operation *op;
  CallRecord record;
};

} // namespace

/// The number of the memory that `memref` is part of; new memory counts as far
/// as it is seen here.
unsigned UnknownCall::numberOf(const ValuePtr &memref) {
  for (auto [number, known] : llvm::enumerate(e.reachable))
    if (known->view().block == memref->view().block)
      return number;
  e.reachable.push_back(memref);
  return e.reachable.size() - 1;
}

bool UnknownCall::gather(StringRef callee, ValueRange operands) {
  record.callee = callee.str();
  for (Value operand : operands) {
    ValuePtr value = e.getPtr(operand);
    record.arguments.push_back(value);
    if (!value->isMemRef())
      continue;
    if (!value->view().block->isAlive) {
      e.undefined(op, "memory that was freed is passed to a function");
      return false;
    }
    unsigned number = numberOf(value);
    int64_t begin = value->size() ? value->byteOf(0) : 0;
    const ConcreteValue &whole = *e.reachable[number];
    record.places.push_back(
        {number, begin - (whole.size() ? whole.byteOf(0) : 0)});
  }
  for (const ValuePtr &memory : e.reachable) {
    if (!memory->view().block->isAlive) {
      record.before.push_back(nullptr);
      continue;
    }
    ConcreteValue copy(memory->type(), memory->shape());
    for (int64_t i = 0; i < copy.size(); ++i)
      copy.set(i, memory->get(i));
    record.before.push_back(std::make_shared<ConcreteValue>(std::move(copy)));
  }
  return e.spend(op, 1);
}

bool UnknownCall::invent() {
  Hash hash;
  hash.mix(record.callee);
  hash.mix(e.outcome.calls.size());
  for (const ValuePtr &value : record.arguments)
    hash.mix(*value);
  for (const ValuePtr &memory : record.before)
    if (memory)
      hash.mix(*memory);
  // Nothing, some elements, or all.
  uint64_t eagerness = hash.next() % 3;
  for (auto [number, memory] : llvm::enumerate(record.before)) {
    if (!memory || e.reachable[number]->view().block->isReadOnly)
      continue;
    for (int64_t i = 0; i < memory->size(); ++i)
      if (hash.next() % 2 < eagerness)
        record.writes.push_back(
            {unsigned(number), i, hash.element(memory->type())});
  }
  for (Type type : op->getResultTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    std::optional<ScalarType> element = e.elementType(type);
    if (!element || (shaped && !isa<RankedTensorType, VectorType>(type))) {
      e.unsupported(op, "a function without body that returns such a type");
      return false;
    }
    SmallVector<int64_t> shape;
    if (shaped)
      for (int64_t extent : shaped.getShape())
        shape.push_back(ShapedType::isDynamic(extent) ? 1 + hash.next() % 3
                                                      : extent);
    if (!e.allocate(op, *element, shape))
      return false;
    ConcreteValue value(*element, shape, !shaped);
    for (int64_t i = 0; i < value.size(); ++i)
      value.set(i, hash.element(*element));
    record.results.push_back(std::make_shared<ConcreteValue>(std::move(value)));
  }
  return true;
}

/// True if `target` is what the source's value allows.
static bool refines(const ConcreteValue &source, const ConcreteValue &target) {
  if (source.type() != target.type() || source.shape() != target.shape())
    return false;
  for (int64_t i = 0; i < source.size(); ++i) {
    ConcreteElement s = source.get(i), t = target.get(i);
    if (s.isPoison() || s.isOpen())
      continue;
    if (t.isPoison() || (s.bits != t.bits && !(isNaN(source.type(), s.bits) &&
                                               isNaN(source.type(), t.bits))))
      return false;
  }
  return true;
}

bool UnknownCall::replay(const CallRecord &source) {
  if (source.callee != record.callee)
    return diverged("the target calls @" + record.callee +
                    " where the source calls @" + source.callee);
  unsigned place = 0;
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip(source.arguments, record.arguments))) {
    const ConcreteValue &left = *std::get<0>(pair), &right = *std::get<1>(pair);
    std::string what = "the target calls @" + record.callee +
                       " with another argument #" + std::to_string(i);
    if (!left.isMemRef()) {
      if (!refines(left, right))
        return diverged(what + ": source " + left.str(8) + ", target " +
                        right.str(8));
      continue;
    }
    if (left.shape() != right.shape() ||
        source.places[place] != record.places[place])
      return diverged(what + ": it is other memory");
    ++place;
  }
  for (auto [left, right] : llvm::zip(source.before, record.before))
    if (left && (!right || !refines(*left, *right)))
      return diverged("the target calls @" + record.callee +
                      " with other memory: source " + left->str(8) +
                      ", target " + (right ? right->str(8) : "freed"));
  record.writes = source.writes;
  record.results = source.results;
  return true;
}

bool UnknownCall::finish() {
  for (const CallRecord::Write &write : record.writes) {
    const ConcreteValue &memory = *e.reachable[write.memory];
    memory.view().block->store(memory.byteOf(write.element), memory.type(),
                               write.value);
  }
  for (auto [result, value] : llvm::zip(op->getResults(), record.results))
    e.define(result, value);
  // The memory of arguments changes; their sizes are all that is compared.
  e.outcome.calls.push_back(std::move(record));
  return true;
}

Did interp::callUnknown(Executor &e, Operation *op, StringRef callee,
                        ValueRange operands) {
  UnknownCall call(e, op);
  if (!call.gather(callee, operands))
    return Did::Failed;
  size_t number = e.outcome.calls.size();
  if (!e.options.replay) {
    if (!call.invent())
      return Did::Failed;
  } else if (number >= e.options.replay->size()) {
    e.outcome.kind = Outcome::Diverged;
    e.outcome.reason =
        "the target calls @" + callee.str() + " where the source calls nothing";
    e.outcome.op = op;
    return Did::Failed;
  } else if (!call.replay((*e.options.replay)[number])) {
    return Did::Failed;
  }
  return call.finish() ? Did::Done : Did::Failed;
}
