//===- Payload.cpp - Bodies of structured operations, flattened -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

//===----------------------------------------------------------------------===//
// Flattening
//===----------------------------------------------------------------------===//

std::optional<unsigned> Payload::slotOf(Executor &e, Value value) {
  auto found = numbers.find(value);
  if (found != numbers.end())
    return found->second;
  // From outside the block: a scalar that does not change.
  auto outer = e.frame->find(value);
  if (outer == e.frame->end() || !outer->second->isScalar() ||
      !outer->second->isCompact())
    return std::nullopt;
  slots.push_back({outer->second->word(0), outer->second->marks(0)});
  slotTypes.push_back(outer->second->type());
  return numbers[value] = slots.size() - 1;
}

bool Payload::addExtract(Executor &e, Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  auto tensor = e.frame->find(extract.getTensor());
  if (tensor == e.frame->end() || !tensor->second->isCompact())
    return false;
  Instruction instruction{Instruction::Extract,
                          op,
                          {},
                          tensor->second->type(),
                          {},
                          {},
                          nullptr,
                          0,
                          0,
                          tensor->second};
  for (Value index : extract.getIndices()) {
    std::optional<unsigned> slot = slotOf(e, index);
    if (!slot)
      return false;
    instruction.operands.push_back(*slot);
  }
  instruction.target = slots.size();
  slots.push_back({});
  slotTypes.push_back(instruction.type);
  numbers[extract.getResult()] = instruction.target;
  instructions.push_back(std::move(instruction));
  return true;
}

bool Payload::add(Executor &e, Operation *op) {
  if (isa<arith::ConstantOp>(op) &&
      !isa<ShapedType>(op->getResult(0).getType()))
    return e.execute(op); // found in the frame when it is read
  if (isa<tensor::ExtractOp>(op))
    return addExtract(e, op);
  ScalarType indexType = ScalarType::index(e.options.indexWidth);
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    Instruction instruction{Instruction::LoopIndex, op, {}, indexType, {}, {}};
    instruction.dim = index.getDim();
    instruction.target = slots.size();
    slots.push_back({});
    slotTypes.push_back(indexType);
    numbers[index.getResult()] = instruction.target;
    instructions.push_back(std::move(instruction));
    return true;
  }
  for (OpResult result : op->getResults()) {
    std::optional<ScalarMapping> mapping =
        mapScalarOp(op, result.getResultNumber());
    if (!mapping || isa<ShapedType>(result.getType()))
      return false;
    std::optional<ScalarType> type = e.elementType(result.getType());
    if (!type || type->width() > 64)
      return false;
    Instruction instruction{Instruction::Scalar, op, *mapping, *type, {}, {}};
    for (Value operand : op->getOperands()) {
      std::optional<unsigned> slot = slotOf(e, operand);
      if (!slot)
        return false;
      instruction.operands.push_back(*slot);
      instruction.types.push_back(slotTypes[*slot]);
    }
    instruction.fast = lookupFast(*mapping, *type, instruction.types);
    instruction.target = slots.size();
    slots.push_back({});
    slotTypes.push_back(*type);
    numbers[result] = instruction.target;
    instructions.push_back(std::move(instruction));
  }
  return op->getNumResults() > 0;
}

std::optional<Payload> Payload::compile(Executor &e, Block &block) {
  Payload payload;
  for (BlockArgument argument : block.getArguments()) {
    std::optional<ScalarType> type = e.elementType(argument.getType());
    if (!type || type->width() > 64 || isa<ShapedType>(argument.getType()))
      return std::nullopt;
    payload.numbers[argument] = payload.slots.size();
    payload.slots.push_back({});
    payload.slotTypes.push_back(*type);
  }
  for (Operation &op : block.without_terminator())
    if (!payload.add(e, &op))
      return std::nullopt;
  for (Value value : block.getTerminator()->getOperands()) {
    std::optional<unsigned> slot = payload.slotOf(e, value);
    if (!slot)
      return std::nullopt;
    payload.results.push_back(*slot);
  }
  return payload;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

bool Payload::runScalar(Executor &e, const Instruction &instruction) {
  uint64_t words[3] = {};
  uint8_t marks = EM_none;
  for (auto [k, operand] : llvm::enumerate(instruction.operands)) {
    words[k] = slots[operand].word;
    marks |= slots[operand].marks;
  }
  Slot &target = slots[instruction.target];
  if (instruction.fast && !marks) {
    target = {instruction.fast(words, instruction.types[0].width(),
                               instruction.mapping.attrs.predicate),
              EM_none};
    return true;
  }
  SmallVector<ConcreteElement, 3> elements;
  for (auto [type, operand] :
       llvm::zip(instruction.types, instruction.operands))
    elements.push_back(
        {llvm::APInt(type.width(), slots[operand].word), slots[operand].marks});
  std::optional<ConcreteElement> result =
      e.scalarOp(instruction.op, instruction.mapping, instruction.type,
                 instruction.types, elements);
  if (!result)
    return false;
  target = {result->bits.getZExtValue(), result->marks};
  return true;
}

bool Payload::runExtract(Executor &e, const Instruction &instruction) {
  const ConcreteValue &tensor = *instruction.tensor;
  int64_t position = 0;
  for (auto [d, operand] : llvm::enumerate(instruction.operands)) {
    ConcreteElement element = {
        llvm::APInt(e.options.indexWidth, slots[operand].word),
        slots[operand].marks};
    std::optional<int64_t> index = e.index(instruction.op, element, "an index");
    if (!index)
      return false;
    if (*index < 0 || *index >= tensor.shape()[d]) {
      e.undefined(instruction.op, "index " + Twine(*index) +
                                      " is out of bounds (size " +
                                      Twine(tensor.shape()[d]) + ")");
      return false;
    }
    position = position * tensor.shape()[d] + *index;
  }
  slots[instruction.target] = {tensor.word(position), tensor.marks(position)};
  return true;
}

bool Payload::run(Executor &e, ArrayRef<int64_t> loopIndex) {
  for (const Instruction &instruction : instructions) {
    switch (instruction.kind) {
    case Instruction::Scalar:
      if (!runScalar(e, instruction))
        return false;
      break;
    case Instruction::LoopIndex:
      slots[instruction.target].word = loopIndex[instruction.dim];
      break;
    case Instruction::Extract:
      if (!runExtract(e, instruction))
        return false;
      break;
    }
  }
  e.outcome.steps += instructions.size() + 1;
  return true;
}

//===----------------------------------------------------------------------===//
// Body
//===----------------------------------------------------------------------===//

Body::Body(Executor &e, Block &block)
    : e(e), block(block), payload(Payload::compile(e, block)) {}

bool Body::run(ArrayRef<ConcreteValue> arguments, ArrayRef<int64_t> loopIndex,
               SmallVectorImpl<ConcreteElement> &results) {
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    e.define(argument, value);
  ArrayRef<int64_t> outer = std::exchange(e.loopIndex, loopIndex);
  bool ok = e.runBlock(block);
  e.loopIndex = outer;
  if (!ok)
    return false;
  for (const ValuePtr &value : e.terminatorValues(block))
    results.push_back(value->get(0));
  return true;
}
