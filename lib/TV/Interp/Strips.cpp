//===- Strips.cpp - Structured operations, many points at once ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strips.h"

#include <cstring>

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

uint64_t Strips::Column::word(unsigned i) const {
  if (isNarrow) {
    uint32_t narrow;
    std::memcpy(&narrow, lanes.get() + 4 * i, 4);
    return narrow;
  }
  uint64_t wide;
  std::memcpy(&wide, lanes.get() + 8 * i, 8);
  return wide;
}

void Strips::Column::setWord(unsigned i, uint64_t word) {
  uint32_t narrow = uint32_t(word);
  if (isNarrow)
    std::memcpy(lanes.get() + 4 * i, &narrow, 4);
  else
    std::memcpy(lanes.get() + 8 * i, &word, 8);
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

static bool isSingle(ScalarType type) {
  return type.isFloat() && type.semantics() == llvm::APFloat::S_IEEEsingle;
}

Strips::Column Strips::makeColumn(ScalarType type) const {
  Column column;
  column.isNarrow = isSingle(type);
  column.lanes = std::make_unique<char[]>(8 * kLanes);
  column.marks.assign(kLanes, EM_none);
  return column;
}

std::optional<Strips> Strips::prepare(Executor &e, Payload &payload,
                                      unsigned numInputs) {
  Strips strips(e, payload);
  strips.numInputs = numInputs;
  unsigned numSlots = payload.slots.size();
  strips.isTarget.assign(numSlots, false);
  for (const Payload::Instruction &instruction : payload.instructions) {
    bool isScalar = instruction.kind == Payload::Instruction::Scalar;
    if (instruction.kind == Payload::Instruction::Extract ||
        (isScalar && canBeUndefined(instruction.mapping.op)))
      return std::nullopt;
    strips.isTarget[instruction.target] = true;
    strips.kernels.push_back(
        isScalar && instruction.fast
            ? lookupStripKernel(instruction.mapping, instruction.types[0])
            : nullptr);
  }
  for (auto [r, slot] : llvm::enumerate(payload.results)) {
    // Accumulators that change places would have to be copied apart.
    unsigned own = numInputs + r;
    if (slot >= numInputs && slot < numInputs + payload.results.size() &&
        slot != own)
      return std::nullopt;
  }
  for (unsigned slot = 0; slot < numSlots; ++slot) {
    strips.columns.push_back(strips.makeColumn(payload.slotTypes[slot]));
    Column &column = strips.columns.back();
    const Payload::Slot &value = payload.slots[slot];
    if (strips.isTarget[slot] || slot < numInputs + payload.results.size())
      continue;
    column.isMarked = value.marks != EM_none; // from outside: never changes
    for (unsigned i = 0; i < kLanes; ++i) {
      column.setWord(i, value.word);
      column.marks[i] = value.marks;
    }
  }
  strips.gathers.resize(numInputs + payload.results.size());
  for (const Payload::Instruction &instruction : payload.instructions)
    for (unsigned slot : instruction.operands)
      if (slot < strips.gathers.size())
        strips.gathers[slot].isUsed = true;
  for (unsigned slot : payload.results)
    if (slot < strips.gathers.size())
      strips.gathers[slot].isUsed = true;
  return strips;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The parallel loops from point number `first` on, and the operands there.
void Strips::locate(ArrayRef<Operand> operands, uint64_t first) {
  loopAt.assign(parallel.size(), std::vector<int64_t>(lanes));
  SmallVector<int64_t> at(parallel.size());
  for (unsigned k = parallel.size(); k-- > 0;) {
    at[k] = first % extents[parallel[k]];
    first /= extents[parallel[k]];
  }
  for (unsigned i = 0; i < lanes; ++i) {
    for (unsigned k = 0; k < parallel.size(); ++k)
      loopAt[k][i] = at[k];
    for (unsigned k = parallel.size(); k-- > 0;) {
      if (++at[k] < extents[parallel[k]])
        break;
      at[k] = 0;
    }
  }
  for (auto [operand, gather] : llvm::zip(operands, gathers)) {
    gather.offsets.assign(lanes, operand.base);
    for (auto [k, loop] : llvm::enumerate(parallel))
      if (int64_t step = operand.steps[loop])
        for (unsigned i = 0; i < lanes; ++i)
          gather.offsets[i] += step * loopAt[k][i];
    gather.isReduced = false;
    for (unsigned loop : reduced)
      gather.isReduced |= operand.steps[loop] != 0;
    gather.isContiguous = gather.isUniform = true;
    for (unsigned i = 1; i < lanes; ++i) {
      gather.isContiguous &= gather.offsets[i] == gather.offsets[0] + i;
      gather.isUniform &= gather.offsets[i] == gather.offsets[0];
    }
  }
}

void Strips::load(unsigned slot, const Operand &operand, int64_t shift) {
  const Gather &gather = gathers[slot];
  Column &column = columns[slot];
  const uint64_t *words = operand.value->rawWords();
  const int64_t *offsets = gather.offsets.data();
  char *to = column.lanes.get();
  auto fill = [&](auto lane) {
    using Lane = decltype(lane);
    auto put = [&](unsigned i, uint64_t word) {
      Lane value = static_cast<Lane>(word);
      std::memcpy(to + sizeof(Lane) * i, &value, sizeof(Lane));
    };
    if (gather.isUniform)
      for (unsigned i = 0; i < lanes; ++i)
        put(i, words[offsets[0] + shift]);
    else if (gather.isContiguous)
      for (unsigned i = 0; i < lanes; ++i)
        put(i, words[offsets[0] + shift + i]);
    else
      for (unsigned i = 0; i < lanes; ++i)
        put(i, words[offsets[i] + shift]);
  };
  if (column.isNarrow)
    fill(uint32_t(0));
  else
    fill(uint64_t(0));
  column.isMarked = false;
  if (!operand.value->hasMarks())
    return;
  for (unsigned i = 0; i < lanes; ++i) {
    column.marks[i] = operand.value->marks(offsets[i] + shift);
    column.isMarked |= column.marks[i] != EM_none;
  }
}

void Strips::loadIndices(ArrayRef<int64_t> reduction) {
  for (const Payload::Instruction &instruction : payload.instructions) {
    if (instruction.kind != Payload::Instruction::LoopIndex)
      continue;
    Column &column = columns[instruction.target];
    for (auto [k, loop] : llvm::enumerate(parallel))
      if (loop == instruction.dim)
        for (unsigned i = 0; i < lanes; ++i)
          column.setWord(i, loopAt[k][i]);
    for (auto [k, loop] : llvm::enumerate(reduced))
      if (loop == instruction.dim)
        for (unsigned i = 0; i < lanes; ++i)
          column.setWord(i, reduction[k]);
  }
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Lanes with marks. Library results go through the fast function like any
/// number; poison and open values take the slow way.
bool Strips::runMarked(const Payload::Instruction &instruction) {
  Column &target = columns[instruction.target];
  target.isMarked = false;
  bool isSelect = instruction.mapping.op == ScalarOp::Select;
  for (unsigned i = 0; i < lanes; ++i) {
    uint64_t words[3] = {};
    uint8_t marks[3] = {};
    uint8_t all = EM_none;
    for (auto [k, slot] : llvm::enumerate(instruction.operands)) {
      words[k] = columns[slot].word(i);
      marks[k] = columns[slot].isMarked ? columns[slot].marks[i] : EM_none;
      all |= marks[k];
    }
    if (instruction.fast && !(all & ~EM_library)) {
      target.setWord(i, instruction.fast(words, instruction.types[0].width(),
                                         instruction.mapping.attrs.predicate));
      target.marks[i] = isSelect && !marks[0] ? marks[words[0] ? 1 : 2] : all;
    } else {
      for (auto [k, slot] : llvm::enumerate(instruction.operands))
        payload.slots[slot] = {words[k], marks[k]};
      if (!payload.runScalar(e, instruction))
        return false;
      target.setWord(i, payload.slots[instruction.target].word);
      target.marks[i] = payload.slots[instruction.target].marks;
      ++slowLanes;
    }
    target.isMarked |= target.marks[i] != EM_none;
  }
  return true;
}

bool Strips::runInstructions() {
  for (auto [number, instruction] : llvm::enumerate(payload.instructions)) {
    if (instruction.kind == Payload::Instruction::LoopIndex)
      continue;
    Column &target = columns[instruction.target];
    bool isMarked = false;
    for (unsigned slot : instruction.operands)
      isMarked |= columns[slot].isMarked;
    if (isMarked || !instruction.fast) {
      if (!runMarked(instruction))
        return false;
      continue;
    }
    target.isMarked = false;
    const char *operands[3] = {};
    for (auto [k, slot] : llvm::enumerate(instruction.operands))
      operands[k] = columns[slot].lanes.get();
    if (StripKernel kernel = kernels[number]) {
      kernel(target.lanes.get(), operands, lanes);
      continue;
    }
    unsigned width = instruction.types[0].width();
    for (unsigned i = 0; i < lanes; ++i) {
      uint64_t words[3] = {};
      for (auto [k, slot] : llvm::enumerate(instruction.operands))
        words[k] = columns[slot].word(i);
      target.setWord(i, instruction.fast(words, width,
                                         instruction.mapping.attrs.predicate));
    }
  }
  return true;
}

/// The results are the accumulators of the next reduction point.
void Strips::keepResults() {
  for (auto [r, slot] : llvm::enumerate(payload.results)) {
    Column &accumulator = columns[numInputs + r], &result = columns[slot];
    if (slot == numInputs + r)
      continue;
    bool again = llvm::is_contained(
        ArrayRef<unsigned>(payload.results).drop_front(r + 1), slot);
    if (isTarget[slot] && !again) { // computed anew before it is read again
      std::swap(accumulator, result);
      continue;
    }
    std::memcpy(accumulator.lanes.get(), result.lanes.get(), 8 * kLanes);
    accumulator.marks = result.marks;
    accumulator.isMarked = result.isMarked;
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

bool Strips::runStrip(ArrayRef<Operand> operands) {
  for (auto [slot, gather] : llvm::enumerate(gathers))
    if (gather.isUsed && !(slot < numInputs && gather.isReduced))
      load(slot, operands[slot], 0);
  SmallVector<int64_t> at(reduced.size(), 0);
  while (true) {
    for (unsigned slot = 0; slot < numInputs; ++slot) {
      if (!gathers[slot].isUsed || !gathers[slot].isReduced)
        continue;
      int64_t shift = 0;
      for (auto [k, loop] : llvm::enumerate(reduced))
        shift += at[k] * operands[slot].steps[loop];
      load(slot, operands[slot], shift);
    }
    loadIndices(at);
    if (!runInstructions())
      return false;
    keepResults();
    int64_t k = int64_t(reduced.size()) - 1;
    for (; k >= 0; --k) {
      if (++at[k] < extents[reduced[k]])
        break;
      at[k] = 0;
    }
    if (k < 0)
      return true;
  }
}

void Strips::store(ArrayRef<Operand> operands,
                   MutableArrayRef<ConcreteValue> outputs) {
  for (auto [r, output] : llvm::enumerate(outputs)) {
    const Column &column = columns[numInputs + r];
    const std::vector<int64_t> &offsets = gathers[numInputs + r].offsets;
    for (unsigned i = 0; i < lanes; ++i)
      output.setWord(offsets[i], column.word(i),
                     column.isMarked ? column.marks[i] : uint8_t(EM_none));
  }
}

bool Strips::run(Operation *op, ArrayRef<int64_t> loopExtents,
                 ArrayRef<unsigned> parallelLoops, ArrayRef<Operand> operands,
                 MutableArrayRef<ConcreteValue> outputs) {
  extents = loopExtents;
  parallel.assign(parallelLoops.begin(), parallelLoops.end());
  uint64_t points = 1, rounds = 1;
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    if (llvm::is_contained(parallel, loop)) {
      points *= extents[loop];
    } else {
      reduced.push_back(loop);
      rounds *= extents[loop];
    }
  }
  if (points == 0 || rounds == 0)
    return true;
  for (uint64_t first = 0; first < points; first += kLanes) {
    lanes = std::min<uint64_t>(kLanes, points - first);
    locate(operands, first);
    slowLanes = 0;
    // 32 lanes of a strip cost about as much as one step.
    uint64_t work = rounds * lanes * (payload.instructions.size() + 1) / 32;
    if (!e.spend(op, work + 1) || !runStrip(operands) ||
        !e.spend(op, slowLanes))
      return false;
    store(operands, outputs);
  }
  for (ConcreteValue &output : outputs)
    output.dropEmptyMarks();
  return true;
}
