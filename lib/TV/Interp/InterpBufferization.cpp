//===- InterpBufferization.cpp - Execution of bufferization ops -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between tensors and buffers. A tensor made from memory is what the memory
/// holds at that time.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static Did executeAllocTensor(Executor &e, bufferization::AllocTensorOp op) {
  if (Value copy = op.getCopy())
    return e.define(op.getResult(), e.getPtr(copy));
  std::optional<ScalarType> type = e.elementType(op.getType());
  SmallVector<int64_t> dynamic, shape(op.getType().getShape());
  if (!type)
    return e.unsupported(op, "an element type without execution");
  if (!e.indices(op, op.getDynamicSizes(), dynamic))
    return Did::Failed;
  size_t next = 0;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = dynamic[next++];
  if (!e.allocate(op, *type, shape))
    return Did::Failed;
  ConcreteValue value(*type, shape);
  for (int64_t i = 0; i < value.size(); ++i)
    value.set(i, e.filler(*type, i));
  return e.define(op.getResult(), std::move(value));
}

static Did executeClone(Executor &e, bufferization::CloneOp op) {
  const ConcreteValue &source = e.get(op.getInput());
  std::optional<ConcreteValue> copy =
      e.newMemRef(op, MemoryBlock::Kind::Heap, source.type(), source.shape());
  if (!copy)
    return Did::Failed;
  auto target = std::make_shared<const ConcreteValue>(std::move(*copy));
  if (copyMemory(e, op, source, target) != Did::Done)
    return Did::Failed;
  return e.define(op.getResult(), target);
}

/// The buffer may be written if nothing else sees the tensor.
static Did executeToBuffer(Executor &e, bufferization::ToBufferOp op) {
  ValuePtr tensor = e.getPtr(op.getTensor());
  auto type = dyn_cast<MemRefType>(op.getBuffer().getType());
  if (!type || tensor->isMemRef())
    return e.unsupported(op, "a buffer type without execution");
  std::optional<ConcreteValue> memref =
      e.newMemRef(op, MemoryBlock::Kind::Heap, tensor->type(), tensor->shape());
  if (!memref)
    return Did::Failed;
  MemoryBlock &block = *memref->view().block;
  for (int64_t i = 0; i < tensor->size(); ++i)
    block.store(memref->byteOf(i), tensor->type(), tensor->get(i));
  Operation *maker = op.getTensor().getDefiningOp();
  block.isReadOnly = op.getReadOnly() || !op.getTensor().hasOneUse() ||
                     !maker || isa<bufferization::ToTensorOp>(maker);
  return e.define(op.getBuffer(), std::move(*memref));
}

static Did executeMaterialise(Executor &e,
                              bufferization::MaterializeInDestinationOp op) {
  ValuePtr source = e.getPtr(op.getSource()), dest = e.getPtr(op.getDest());
  if (source->shape() != dest->shape())
    return e.undefined(op, "the destination has other sizes");
  if (!dest->isMemRef())
    return e.define(op.getResult(), source);
  return e.storeAll(op, dest, *source) ? Did::Done : Did::Failed;
}

/// Frees what has its condition set and shares no memory with what is retained.
static Did executeDealloc(Executor &e, bufferization::DeallocOp op) {
  auto blockOf = [&](Value value) { return e.get(value).view().block; };
  SmallVector<bool> conditions;
  for (Value condition : op.getConditions()) {
    std::optional<int64_t> bit = e.index(op, condition);
    if (!bit)
      return Did::Failed;
    conditions.push_back(*bit != 0);
  }
  SmallVector<BlockPtr> freed;
  for (auto [memref, condition] : llvm::zip(op.getMemrefs(), conditions)) {
    BlockPtr block = blockOf(memref);
    bool isRetained = llvm::any_of(op.getRetained(), [&](Value retained) {
      return blockOf(retained) == block;
    });
    if (!condition || isRetained || llvm::is_contained(freed, block))
      continue;
    if (freeMemory(e, op, e.get(memref).view()) != Did::Done)
      return Did::Failed;
    freed.push_back(block);
  }
  for (auto [retained, result] :
       llvm::zip(op.getRetained(), op.getUpdatedConditions())) {
    bool owned = false;
    for (auto [memref, condition] : llvm::zip(op.getMemrefs(), conditions))
      owned |= condition && blockOf(memref) == blockOf(retained);
    e.define(result, ConcreteValue::scalar(ScalarType::boolean(), owned));
  }
  return Did::Done;
}

bool interp::knowsBufferization(Operation *op) {
  return isa<bufferization::AllocTensorOp, bufferization::CloneOp,
             bufferization::DeallocOp, bufferization::DeallocTensorOp,
             bufferization::MaterializeInDestinationOp,
             bufferization::ToBufferOp, bufferization::ToTensorOp>(op);
}

Did interp::executeBufferization(Executor &e, Operation *op) {
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return executeAllocTensor(e, alloc);
  if (auto clone = dyn_cast<bufferization::CloneOp>(op))
    return executeClone(e, clone);
  if (auto dealloc = dyn_cast<bufferization::DeallocOp>(op))
    return executeDealloc(e, dealloc);
  if (isa<bufferization::DeallocTensorOp>(op))
    return Did::Done;
  if (auto copy = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
    return executeMaterialise(e, copy);
  if (auto toBuffer = dyn_cast<bufferization::ToBufferOp>(op))
    return executeToBuffer(e, toBuffer);
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op)) {
    std::optional<ConcreteValue> value =
        e.loadAll(op, e.get(toTensor.getBuffer()));
    return value ? e.define(toTensor.getResult(), std::move(*value))
                 : Did::Failed;
  }
  return Did::NotMine;
}
