//===- InputEdit.cpp - Changes of inputs that share memory ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Inputs are immutable; memrefs among them may share a block. A change makes a
/// new block and moves every view of the old one onto it.
///
//===----------------------------------------------------------------------===//

#include "Inputs.h"

using namespace mlir;
using namespace panpipe::tv;

ConcreteValue panpipe::tv::makeMemRef(const ConcreteValue &tensor,
                                      ArrayRef<int64_t> strides,
                                      int64_t offset) {
  int64_t low = 0, high = 0;
  for (auto [extent, stride] : llvm::zip(tensor.shape(), strides))
    (stride < 0 ? low : high) += std::max<int64_t>(extent - 1, 0) * stride;
  offset = std::max(offset, -low);
  int64_t count = tensor.size() == 0 ? 0 : offset + high + 1;
  MemoryView view;
  view.block = std::make_shared<MemoryBlock>(MemoryBlock::Kind::Argument,
                                             tensor.type(), count);
  view.offset = offset;
  view.strides.assign(strides.begin(), strides.end());
  BlockPtr block = view.block;
  ConcreteValue value =
      ConcreteValue::memref(tensor.type(), tensor.shape(), std::move(view));
  for (int64_t i = 0; i < tensor.size(); ++i)
    block->store(value.byteOf(i), tensor.type(), tensor.get(i));
  return value;
}

ConcreteValue panpipe::tv::wholeBlock(const MemoryBlock &block) {
  int64_t step = bytesOf(block.type), count = block.size() / step;
  ConcreteValue value(block.type, count);
  for (int64_t i = 0; i < count; ++i)
    value.set(i, block.load(i * step, block.type));
  return value;
}

bool panpipe::tv::shareMemory(ArrayRef<ValuePtr> inputs) {
  llvm::SmallVector<const MemoryBlock *> blocks;
  for (const ValuePtr &input : inputs) {
    if (!input->isMemRef())
      continue;
    if (llvm::is_contained(blocks, input->view().block.get()))
      return true;
    blocks.push_back(input->view().block.get());
  }
  return false;
}

/// The views of `from` become views of `to`, `shift` bytes further.
void InputEdit::move(const MemoryBlock *from, const BlockPtr &to,
                     int64_t shift) {
  for (ValuePtr &input : inputs) {
    if (!input->isMemRef() || input->view().block.get() != from)
      continue;
    MemoryView view = input->view();
    view.block = to;
    view.origin += shift;
    input = std::make_shared<ConcreteValue>(
        ConcreteValue::memref(input->type(), input->shape(), std::move(view)));
  }
  owned.push_back(to.get());
}

void InputEdit::set(unsigned k, int64_t i, const ConcreteElement &element) {
  if (inputs[k]->isMemRef()) {
    BlockPtr block = inputs[k]->view().block;
    if (!llvm::is_contained(owned, block.get())) {
      auto copy = std::make_shared<MemoryBlock>(*block);
      move(block.get(), copy, 0);
      block = copy;
    }
    block->store(inputs[k]->byteOf(i), inputs[k]->type(), element);
    return;
  }
  if (!llvm::is_contained(owned, inputs[k].get())) {
    inputs[k] = std::make_shared<ConcreteValue>(*inputs[k]);
    owned.push_back(inputs[k].get());
  }
  const_cast<ConcreteValue &>(*inputs[k]).set(i, element);
}

void InputEdit::share(unsigned first, unsigned second, int64_t shift) {
  BlockPtr a = inputs[first]->view().block, b = inputs[second]->view().block;
  ScalarType type = inputs[first]->type();
  if (a == b)
    return;
  // Where the first memref begins the second begins, too.
  int64_t step = bytesOf(type);
  int64_t beginA =
      inputs[first]->view().origin + inputs[first]->view().offset * step;
  int64_t beginB =
      inputs[second]->view().origin + inputs[second]->view().offset * step;
  int64_t shiftA = 0, shiftB = beginA - beginB + shift * step;
  if (shiftB < 0)
    shiftA = std::exchange(shiftB, 0) * -1;
  int64_t size = std::max(shiftA + a->size(), shiftB + b->size());
  auto both = std::make_shared<MemoryBlock>(a->kind, type, size / step);
  both->copyFrom(*b, shiftB);
  both->copyFrom(*a, shiftA);
  move(a.get(), both, shiftA);
  move(b.get(), both, shiftB);
}

void InputEdit::separate() {
  llvm::SmallVector<const MemoryBlock *> seen;
  for (ValuePtr &input : inputs) {
    if (!input->isMemRef())
      continue;
    if (llvm::is_contained(seen, input->view().block.get())) {
      MemoryView view = input->view();
      view.block = std::make_shared<MemoryBlock>(*view.block);
      input = std::make_shared<ConcreteValue>(ConcreteValue::memref(
          input->type(), input->shape(), std::move(view)));
    }
    seen.push_back(input->view().block.get());
  }
}
