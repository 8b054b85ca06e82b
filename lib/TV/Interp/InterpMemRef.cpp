//===- InterpMemRef.cpp - Execution of memref operations ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Allocation, access, copies and globals. What only makes another view of the
/// same memory is in InterpMemRefViews.cpp.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// A new block for the type of `result`, with its layout.
static Did allocateFor(Executor &e, Operation *op, MemoryBlock::Kind kind,
                       MemRefType type, ValueRange dynamicSizes, Value result) {
  std::optional<ScalarType> element =
      mapScalarType(type.getElementType(), e.options.indexWidth);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!element || failed(type.getStridesAndOffset(strides, offset)))
    return e.unsupported(op, "a memref type without execution");
  SmallVector<int64_t> dynamic, shape(type.getShape());
  if (!e.indices(op, dynamicSizes, dynamic))
    return Did::Failed;
  size_t next = 0;
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = dynamic[next++];
  if (type.getLayout().isIdentity()) {
    std::optional<ConcreteValue> value = e.newMemRef(op, kind, *element, shape);
    return value ? e.define(result, std::move(*value)) : Did::Failed;
  }
  if (ShapedType::isDynamic(offset) || llvm::any_of(strides, [](int64_t s) {
        return ShapedType::isDynamic(s) || s < 0;
      }))
    return e.unsupported(op, "an allocation with a layout of its own");
  int64_t count = offset + 1;
  for (auto [extent, stride] : llvm::zip(shape, strides))
    count += std::max<int64_t>(extent - 1, 0) * stride;
  std::optional<ConcreteValue> whole = e.newMemRef(op, kind, *element, count);
  if (!whole || !e.allocate(op, *element, shape)) // checks the sizes
    return Did::Failed;
  MemoryView view = {whole->view().block, 0, offset,
                     SmallVector<int64_t, 4>(ArrayRef<int64_t>(strides))};
  return e.define(result,
                  ConcreteValue::memref(*element, shape, std::move(view)));
}

static Did executeAlloc(Executor &e, Operation *op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
    if (!alloc.getSymbolOperands().empty())
      return e.unsupported(op, "an allocation with symbols in its layout");
    return allocateFor(e, op, MemoryBlock::Kind::Heap, alloc.getType(),
                       alloc.getDynamicSizes(), alloc.getResult());
  }
  auto alloca = cast<memref::AllocaOp>(op);
  if (!alloca.getSymbolOperands().empty())
    return e.unsupported(op, "an allocation with symbols in its layout");
  return allocateFor(e, op, MemoryBlock::Kind::Stack, alloca.getType(),
                     alloca.getDynamicSizes(), alloca.getResult());
}

Did interp::freeMemory(Executor &e, Operation *op, const MemoryView &view) {
  MemoryBlock &block = *view.block;
  if (!block.isAlive)
    return e.undefined(op, "memory is freed twice");
  if (block.kind == MemoryBlock::Kind::Stack)
    return e.undefined(op, "memory of the stack is freed");
  if (block.kind == MemoryBlock::Kind::Global)
    return e.undefined(op, "memory of a global is freed");
  if (view.origin != 0)
    return e.undefined(op, "a part of an allocation is freed");
  block.isAlive = false;
  return Did::Done;
}

static Did executeRealloc(Executor &e, memref::ReallocOp op) {
  ValuePtr old = e.getPtr(op.getSource());
  ValueRange sizes;
  if (Value size = op.getDynamicResultSize())
    sizes = ValueRange(op->getOperands()).take_back(1);
  Did did = allocateFor(e, op, MemoryBlock::Kind::Heap,
                        cast<MemRefType>(op.getResult().getType()), sizes,
                        op.getResult());
  if (did != Did::Done)
    return did;
  ValuePtr fresh = e.getPtr(op.getResult());
  int64_t kept = std::min(old->shape()[0], fresh->shape()[0]);
  for (int64_t i = 0; i < kept; ++i) {
    std::optional<ConcreteElement> element = e.load(op, *old, i);
    if (!element || !e.store(op, fresh, i, *element))
      return Did::Failed;
  }
  return freeMemory(e, op, old->view());
}

static Did executeGetGlobal(Executor &e, memref::GetGlobalOp op) {
  ValuePtr &known = e.globals[op.getName().str()];
  if (known)
    return e.define(op.getResult(), known);
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  MemRefType type = op.getType();
  std::optional<ScalarType> element =
      mapScalarType(type.getElementType(), e.options.indexWidth);
  if (!global || !element || !type.getLayout().isIdentity())
    return e.unsupported(op, "a global without execution");
  std::optional<ConcreteValue> value =
      e.newMemRef(op, MemoryBlock::Kind::Global, *element, type.getShape());
  if (!value)
    return Did::Failed;
  MemoryBlock &block = *value->view().block;
  if (!global.isExternal() && !global.isUninitialized()) {
    std::optional<ConcreteValue> initial = ConcreteValue::fromAttribute(
        *global.getInitialValue(), e.options.indexWidth);
    if (!initial)
      return e.unsupported(op, "a global whose elements cannot be read");
    for (int64_t i = 0; i < initial->size(); ++i)
      block.store(i * bytesOf(*element), *element, initial->get(i));
  } else if (global.isExternal()) {
    return e.unsupported(op, "a global that is defined elsewhere");
  }
  block.isReadOnly = global.getConstant();
  known = std::make_shared<const ConcreteValue>(std::move(*value));
  return e.define(op.getResult(), known);
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

static Did executeLoad(Executor &e, memref::LoadOp op) {
  SmallVector<int64_t> index;
  if (!e.indices(op, op.getIndices(), index))
    return Did::Failed;
  const ConcreteValue &memref = e.get(op.getMemref());
  std::optional<ConcreteElement> element = e.load(op, memref, index);
  if (!element)
    return Did::Failed;
  return e.define(op.getResult(),
                  ConcreteValue::scalar(memref.type(), *element));
}

static Did executeStore(Executor &e, memref::StoreOp op) {
  SmallVector<int64_t> index;
  if (!e.indices(op, op.getIndices(), index))
    return Did::Failed;
  return e.store(op, e.getPtr(op.getMemref()), index,
                 e.get(op.getValue()).get(0))
             ? Did::Done
             : Did::Failed;
}

Did interp::copyMemory(Executor &e, Operation *op, const ConcreteValue &from,
                       const ValuePtr &to) {
  if (from.shape() != to->shape())
    return e.undefined(op, "a copy between memrefs of different sizes");
  std::optional<ConcreteValue> values = e.loadAll(op, from);
  return values && e.storeAll(op, to, *values) ? Did::Done : Did::Failed;
}

std::optional<ScalarOp> interp::atomicUpdate(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return ScalarOp::AddF;
  case arith::AtomicRMWKind::addi:
    return ScalarOp::AddI;
  case arith::AtomicRMWKind::andi:
    return ScalarOp::AndI;
  case arith::AtomicRMWKind::maximumf:
    return ScalarOp::MaximumF;
  case arith::AtomicRMWKind::maxnumf:
    return ScalarOp::MaxNumF;
  case arith::AtomicRMWKind::maxs:
    return ScalarOp::MaxSI;
  case arith::AtomicRMWKind::maxu:
    return ScalarOp::MaxUI;
  case arith::AtomicRMWKind::minimumf:
    return ScalarOp::MinimumF;
  case arith::AtomicRMWKind::minnumf:
    return ScalarOp::MinNumF;
  case arith::AtomicRMWKind::mins:
    return ScalarOp::MinSI;
  case arith::AtomicRMWKind::minu:
    return ScalarOp::MinUI;
  case arith::AtomicRMWKind::mulf:
    return ScalarOp::MulF;
  case arith::AtomicRMWKind::muli:
    return ScalarOp::MulI;
  case arith::AtomicRMWKind::ori:
    return ScalarOp::OrI;
  case arith::AtomicRMWKind::xori:
    return ScalarOp::XOrI;
  case arith::AtomicRMWKind::assign:
    break;
  }
  return std::nullopt;
}

/// What an atomic update finds at `index`; nothing if the run ends there.
template <typename OpT>
static std::optional<ConcreteElement>
loadAtomic(Executor &e, OpT op, SmallVectorImpl<int64_t> &index) {
  if (!op.getResult().use_empty()) {
    e.unsupported(op, "the result of an atomic update: the operation's text "
                      "and its lowering differ");
    return std::nullopt;
  }
  if (!e.indices(op, op.getIndices(), index))
    return std::nullopt;
  return e.load(op, e.get(op.getMemref()), index, true);
}

static Did executeAtomic(Executor &e, memref::AtomicRMWOp op) {
  SmallVector<int64_t> index;
  std::optional<ConcreteElement> old = loadAtomic(e, op, index);
  if (!old)
    return Did::Failed;
  ValuePtr memref = e.getPtr(op.getMemref());
  ScalarType type = memref->type();
  ConcreteElement value = e.get(op.getValue()).get(0);
  std::optional<ScalarOp> update = atomicUpdate(op.getKind());
  if (update) {
    std::optional<ConcreteElement> result =
        e.scalarOp(op, {*update, {}}, type, {type, type}, {*old, value});
    if (!result)
      return Did::Failed;
    value = *result;
  }
  // Between parallel iterations the order is open, and float sums round.
  if (e.accesses && (type.isFloat() || !update))
    value.marks |= EM_open;
  if (!e.store(op, memref, index, value, true))
    return Did::Failed;
  return e.define(op.getResult(), ConcreteValue::scalar(type, *old));
}

static Did executeGenericAtomic(Executor &e, memref::GenericAtomicRMWOp op) {
  SmallVector<int64_t> index;
  std::optional<ConcreteElement> old = loadAtomic(e, op, index);
  if (!old)
    return Did::Failed;
  ValuePtr memref = e.getPtr(op.getMemref());
  ValuePtr argument = std::make_shared<ConcreteValue>(
      ConcreteValue::scalar(memref->type(), *old));
  SmallVector<ValuePtr> values;
  if (!e.runRegion(op.getRegion(), argument, values))
    return Did::Failed;
  ConcreteElement value = values[0]->get(0);
  if (e.accesses)
    value.marks |= EM_open;
  if (!e.store(op, memref, index, value, true))
    return Did::Failed;
  return e.define(op.getResult(), argument);
}

bool interp::knowsMemRef(Operation *op) {
  return isa<memref::AllocOp, memref::AllocaOp, memref::AllocaScopeOp,
             memref::AllocaScopeReturnOp, memref::AtomicRMWOp,
             memref::AtomicYieldOp, memref::CopyOp, memref::DeallocOp,
             memref::GenericAtomicRMWOp, memref::GetGlobalOp, memref::LoadOp,
             memref::PrefetchOp, memref::ReallocOp, memref::StoreOp>(op);
}

Did interp::executeMemRef(Executor &e, Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return executeAlloc(e, op);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return executeLoad(e, load);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return executeStore(e, store);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copyMemory(e, op, e.get(copy.getSource()),
                      e.getPtr(copy.getTarget()));
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return freeMemory(e, op, e.get(dealloc.getMemref()).view());
  if (auto realloc = dyn_cast<memref::ReallocOp>(op))
    return executeRealloc(e, realloc);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return executeGetGlobal(e, global);
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return executeAtomic(e, atomic);
  if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
    return executeGenericAtomic(e, atomic);
  if (isa<memref::PrefetchOp>(op))
    return Did::Done;
  if (auto scope = dyn_cast<memref::AllocaScopeOp>(op)) {
    SmallVector<ValuePtr> values;
    if (!e.runRegion(scope.getBodyRegion(), {}, values))
      return Did::Failed;
    for (auto [result, value] : llvm::zip(op->getResults(), values))
      e.define(result, value);
    return Did::Done;
  }
  return Did::NotMine;
}
