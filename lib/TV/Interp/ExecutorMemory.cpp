//===- ExecutorMemory.cpp - Memory of one concrete execution --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Allocation, bounds and liveness, and the conflicts of parallel iterations.
///
//===----------------------------------------------------------------------===//

#include "AccessLog.h"
#include "Executor.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

std::optional<ConcreteValue> Executor::newMemRef(Operation *op,
                                                 MemoryBlock::Kind kind,
                                                 ScalarType type,
                                                 ArrayRef<int64_t> shape) {
  if (!allocate(op, type, shape))
    return std::nullopt;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  auto block = std::make_shared<MemoryBlock>(kind, type, count);
  for (int64_t i = 0; i < count; ++i)
    block->store(i * bytesOf(type), type, filler(type, i));
  if (kind == MemoryBlock::Kind::Stack)
    stack.push_back(block);
  return ConcreteValue::memref(type, shape,
                               {block, 0, 0, ConcreteValue::stridesOf(shape)});
}

std::optional<int64_t> Executor::address(Operation *op,
                                         const ConcreteValue &memref,
                                         ArrayRef<int64_t> index) {
  const MemoryView &view = memref.view();
  if (!view.block->isAlive) {
    undefined(op, "access to memory that was freed");
    return std::nullopt;
  }
  for (auto [d, i] : llvm::enumerate(index)) {
    if (i >= 0 && i < memref.shape()[d])
      continue;
    undefined(op, "index " + Twine(i) + " is out of bounds (size " +
                      Twine(memref.shape()[d]) + ")");
    return std::nullopt;
  }
  int64_t step = bytesOf(memref.type());
  int64_t at =
      view.origin + (view.offset + linearize(index, view.strides)) * step;
  if (at >= 0 && at + step <= view.block->size())
    return at;
  undefined(op, "access outside of the allocated memory");
  return std::nullopt;
}

static bool noteAccess(Executor &e, Operation *op, const MemoryBlock *block,
                       int64_t at, ScalarType type, AccessKind kind) {
  if (!e.accesses)
    return true;
  for (unsigned b = 0; b < bytesOf(type); ++b)
    if (!e.accesses->note(block, at + b, kind)) {
      e.undefined(op, "iterations of a parallel loop access the same memory, "
                      "and one of them writes it");
      return false;
    }
  return true;
}

std::optional<ConcreteElement> Executor::load(Operation *op,
                                              const ConcreteValue &memref,
                                              ArrayRef<int64_t> index,
                                              bool isAtomic) {
  std::optional<int64_t> at = address(op, memref, index);
  const MemoryBlock *block = memref.view().block.get();
  if (!at || !noteAccess(*this, op, block, *at, memref.type(),
                         isAtomic ? AccessKind::Atomic : AccessKind::Read))
    return std::nullopt;
  return block->load(*at, memref.type());
}

bool Executor::store(Operation *op, const ValuePtr &memref,
                     ArrayRef<int64_t> index, const ConcreteElement &element,
                     bool isAtomic) {
  std::optional<int64_t> at = address(op, *memref, index);
  MemoryBlock *block = memref->view().block.get();
  if (!at || !noteAccess(*this, op, block, *at, memref->type(),
                         isAtomic ? AccessKind::Atomic : AccessKind::Write))
    return false;
  if (block->isReadOnly) {
    undefined(op, "write to memory that must not be written");
    return false;
  }
  block->store(*at, memref->type(), element);
  if (options.trace && !quiet && written.size() < 8)
    written.push_back({memref, SmallVector<int64_t, 4>(index), element});
  return true;
}

std::optional<ConcreteValue> Executor::loadAll(Operation *op,
                                               const ConcreteValue &memref) {
  if (!allocate(op, memref.type(), memref.shape()))
    return std::nullopt;
  ConcreteValue tensor(memref.type(), memref.shape());
  int64_t i = 0;
  bool ok = true;
  forEachIndex(memref.shape(), [&](ArrayRef<int64_t> index) {
    if (!ok)
      return;
    std::optional<ConcreteElement> element = load(op, memref, index);
    ok = element.has_value();
    if (ok)
      tensor.set(i++, *element);
  });
  if (!ok)
    return std::nullopt;
  return tensor;
}

bool Executor::storeAll(Operation *op, const ValuePtr &memref,
                        const ConcreteValue &tensor) {
  int64_t i = 0;
  bool ok = spend(op, tensor.size());
  forEachIndex(memref->shape(), [&](ArrayRef<int64_t> index) {
    ok = ok && store(op, memref, index, tensor.get(i++));
  });
  return ok;
}

ValuePtr Executor::importValue(const ValuePtr &value) {
  if (!value->isMemRef())
    return value;
  MemoryView view = value->view();
  BlockPtr &copy = imported[view.block.get()];
  if (!copy)
    copy = std::make_shared<MemoryBlock>(*view.block);
  view.block = copy;
  return std::make_shared<const ConcreteValue>(
      ConcreteValue::memref(value->type(), value->shape(), std::move(view)));
}
