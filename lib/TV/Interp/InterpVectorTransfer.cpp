//===- InterpVectorTransfer.cpp - Execution of vector transfers -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

/// The index with this number in row-major order.
static SmallVector<int64_t> indexOf(int64_t position, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; position /= shape[dim])
    index[dim] = position % shape[dim];
  return index;
}

/// An element of a tensor or memref by its number in row-major order; nothing
/// if the access is undefined.
static std::optional<ConcreteElement> readBase(Executor &e, Operation *op,
                                               const ConcreteValue &base,
                                               bool isMemory,
                                               int64_t position) {
  if (!isMemory)
    return base.get(position);
  return e.load(op, base, indexOf(position, base.shape()));
}

namespace {
/// One transfer, lane by lane.
class Transfer {
public:
  Transfer(Executor &e, VectorTransferOpInterface op, const ConcreteValue *mask)
      : e(e), op(op), mask(mask), lanes(op.getVectorType().getShape()) {
    if (!mask && op.getMask())
      this->mask = &e.get(op.getMask());
    inBounds = op.getInBoundsValues();
  }
  bool start();
  /// Calls visit(lane, position in the tensor or -1 for none, marks of the
  /// mask) in row-major order of the lanes.
  template <typename Visit> bool forEachLane(Visit visit);

private:
  enum class Lane { Access, None, Bad };
  Lane positionOf(ArrayRef<int64_t> lane, int64_t &position);
  ConcreteElement maskAt(ArrayRef<int64_t> lane);

  Executor &e;
  VectorTransferOpInterface op;
  const ConcreteValue *mask;
  ArrayRef<int64_t> lanes;
  SmallVector<bool> inBounds;
  SmallVector<int64_t> base;
};
} // namespace

bool Transfer::start() {
  const ConcreteValue &whole = e.get(op.getBase());
  if (isa<MemRefType>(op.getBase().getType()) && !whole.view().block->isAlive) {
    e.undefined(op, "access to memory that was freed");
    return false;
  }
  for (Value index : op.getIndices()) {
    std::optional<int64_t> number = e.index(op, index);
    if (!number)
      return false;
    base.push_back(*number);
  }
  return true;
}

Transfer::Lane Transfer::positionOf(ArrayRef<int64_t> lane, int64_t &position) {
  ArrayRef<int64_t> shape = e.get(op.getBase()).shape();
  SmallVector<int64_t> index(base);
  SmallVector<bool> mayLeave(base.size(), false);
  for (auto [number, expr] :
       llvm::enumerate(op.getPermutationMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue; // a broadcast
    if (llvm::AddOverflow(index[dim.getPosition()], lane[number],
                          index[dim.getPosition()]))
      index[dim.getPosition()] = -1;
    mayLeave[dim.getPosition()] = !inBounds[number];
  }
  Lane result = Lane::Access;
  for (auto [dim, i] : llvm::enumerate(index))
    if (i < 0 || i >= shape[dim]) {
      if (mayLeave[dim])
        return Lane::None;
      result = Lane::Bad;
    }
  if (result == Lane::Access)
    position = linearize(index, ConcreteValue::stridesOf(shape));
  return result;
}

/// The mask's dimensions are those of the tensor that the vector runs along.
ConcreteElement Transfer::maskAt(ArrayRef<int64_t> lane) {
  SmallVector<int64_t> at;
  for (unsigned dim = 0; dim < base.size(); ++dim)
    for (auto [number, expr] :
         llvm::enumerate(op.getPermutationMap().getResults()))
      if (expr == getAffineDimExpr(dim, op->getContext()))
        at.push_back(lane[number]);
  return mask->get(linearize(at, ConcreteValue::stridesOf(mask->shape())));
}

template <typename Visit> bool Transfer::forEachLane(Visit visit) {
  bool ok = true;
  forEachIndex(lanes, [&](ArrayRef<int64_t> lane) {
    if (!ok)
      return;
    ConcreteElement on{llvm::APInt(1, 1)};
    if (mask)
      on = maskAt(lane);
    if (on.isOpen() && e.options.isSource) {
      e.undefined(op, "a mask depends on unspecified contents");
      ok = false;
      return;
    }
    int64_t position = -1;
    if (!on.isPoison() && on.bits.isOne() &&
        positionOf(lane, position) == Lane::Bad) {
      e.undefined(op, "a lane is out of bounds");
      ok = false;
      return;
    }
    if (on.isPoison() && positionOf(lane, position) != Lane::Access)
      position = -1;
    visit(position, on);
  });
  return ok;
}

static Did executeRead(Executor &e, vector::TransferReadOp op,
                       const ConcreteValue *mask, Value result) {
  if (isa<VectorType>(op.getShapedType().getElementType()))
    return e.unsupported(op, "a transfer of vectors");
  bool isMemory = isa<MemRefType>(op.getBase().getType()), isDone = true;
  const ConcreteValue &source = e.get(op.getBase());
  ConcreteElement padding = e.get(op.getPadding()).get(0);
  Transfer transfer(e, cast<VectorTransferOpInterface>(op.getOperation()),
                    mask);
  ConcreteValue value(source.type(), op.getVectorType().getShape());
  int64_t next = 0;
  if (!transfer.start() || !e.spend(op, value.size()) ||
      !transfer.forEachLane([&](int64_t position, const ConcreteElement &on) {
        ConcreteElement element = padding;
        bool isOff = !on.isPoison() && on.bits.isZero();
        if (position >= 0 && !isOff && isDone) {
          auto read = readBase(e, op, source, isMemory, position);
          isDone = read.has_value();
          element = read.value_or(padding);
        }
        if (on.isPoison())
          element = {llvm::APInt(source.type().width(), 0), EM_poison};
        element.marks |= on.marks & ~EM_poison;
        value.set(next++, element);
      }) ||
      !isDone)
    return Did::Failed;
  return e.define(result, std::move(value));
}

static Did executeWrite(Executor &e, vector::TransferWriteOp op,
                        const ConcreteValue *mask, Value result) {
  if (isa<VectorType>(op.getShapedType().getElementType()))
    return e.unsupported(op, "a transfer of vectors");
  bool isMemory = isa<MemRefType>(op.getBase().getType()), isDone = true;
  const ConcreteValue &vector = e.get(op.getValueToStore());
  ConcreteValue value = e.get(op.getBase());
  Transfer transfer(e, cast<VectorTransferOpInterface>(op.getOperation()),
                    mask);
  int64_t next = 0;
  if (!transfer.start() ||
      (!isMemory && !e.allocate(op, value.type(), value.shape())) ||
      !transfer.forEachLane([&](int64_t position, const ConcreteElement &on) {
        int64_t lane = next++;
        if (position < 0 || (!on.isPoison() && on.bits.isZero()))
          return;
        ConcreteElement element = vector.get(lane);
        element.marks |= on.marks;
        if (on.isPoison())
          element.bits = llvm::APInt(value.type().width(), 0);
        if (!isMemory)
          value.set(position, element);
        else
          isDone = isDone && e.store(op, e.getPtr(op.getBase()),
                                     indexOf(position, value.shape()), element);
      }) ||
      !isDone)
    return Did::Failed;
  return isMemory ? Did::Done : e.define(result, std::move(value));
}

/// Calls visit(lane number, index) for the lanes of a vector that lies along
/// the trailing dimensions of a memref; false once it says so.
static bool
forEachTrailing(Executor &e, Operation *op, OperandRange indices,
                ArrayRef<int64_t> lanes,
                function_ref<bool(int64_t, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> start;
  if (!e.indices(op, indices, start))
    return false;
  bool ok = true;
  int64_t number = 0;
  forEachIndex(lanes, [&](ArrayRef<int64_t> lane) {
    SmallVector<int64_t> at(start);
    for (size_t d = 0; d < lane.size(); ++d) {
      int64_t &entry = at[at.size() - lane.size() + d];
      if (llvm::AddOverflow(entry, lane[d], entry))
        entry = -1;
    }
    ok = ok && visit(number++, at);
  });
  return ok;
}

static Did executeLoad(Executor &e, vector::LoadOp op) {
  if (isa<VectorType>(op.getMemRefType().getElementType()))
    return e.unsupported(op, "memory of vectors");
  const ConcreteValue &base = e.get(op.getBase());
  ConcreteValue value(base.type(), op.getVectorType().getShape());
  if (!e.spend(op, value.size()) ||
      !forEachTrailing(e, op, op.getIndices(), op.getVectorType().getShape(),
                       [&](int64_t lane, ArrayRef<int64_t> at) {
                         auto element = e.load(op, base, at);
                         if (element)
                           value.set(lane, *element);
                         return element.has_value();
                       }))
    return Did::Failed;
  return e.define(op.getResult(), std::move(value));
}

static Did executeStore(Executor &e, vector::StoreOp op) {
  if (isa<VectorType>(op.getMemRefType().getElementType()))
    return e.unsupported(op, "memory of vectors");
  const ConcreteValue &value = e.get(op.getValueToStore());
  bool ok =
      e.spend(op, value.size()) &&
      forEachTrailing(e, op, op.getIndices(), op.getVectorType().getShape(),
                      [&](int64_t lane, ArrayRef<int64_t> at) {
                        return e.store(op, e.getPtr(op.getBase()), at,
                                       value.get(lane));
                      });
  return ok ? Did::Done : Did::Failed;
}

Did interp::executeTransferMasked(Executor &e, Operation *op,
                                  const ConcreteValue *mask, Value result) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return executeRead(e, read, mask, result);
  return executeWrite(e, cast<vector::TransferWriteOp>(op), mask, result);
}

static Did executeGather(Executor &e, vector::GatherOp op) {
  if (!isa<RankedTensorType>(op.getBase().getType()))
    return e.unsupported(op, "a gather from memory");
  const ConcreteValue &base = e.get(op.getBase());
  const ConcreteValue &mask = e.get(op.getMask());
  const ConcreteValue &indices = e.get(op.getIndices());
  ConcreteValue value = e.get(op.getPassThru());
  if (!e.spend(op, value.size()))
    return Did::Failed;
  for (int64_t lane = 0; lane < value.size(); ++lane) {
    ConcreteElement on = mask.get(lane);
    if (on.isPoison()) {
      value.set(lane, {llvm::APInt(value.type().width(), 0), EM_poison});
      continue;
    }
    if (on.isOpen() && e.options.isSource)
      return e.undefined(op, "a mask depends on unspecified contents");
    if (on.bits.isZero())
      continue;
    int64_t position = 0;
    for (auto [dim, offset] : llvm::enumerate(op.getOffsets())) {
      std::optional<int64_t> index = e.index(op, offset);
      std::optional<int64_t> more = 0;
      if (index && dim + 1 == size_t(base.rank()))
        more = e.index(op, indices.get(lane), "an index");
      if (!index || !more)
        return Did::Failed;
      int64_t sum = int64_t(uint64_t(*index) + uint64_t(*more));
      if (sum < 0 || sum >= base.shape()[dim])
        return e.undefined(op, "a lane is out of bounds");
      position = position * base.shape()[dim] + sum;
    }
    value.set(lane, base.get(position));
  }
  return e.define(op.getResult(), std::move(value));
}

bool interp::knowsVectorTransfer(Operation *op) {
  return isa<vector::GatherOp, vector::LoadOp, vector::StoreOp,
             vector::TransferReadOp, vector::TransferWriteOp>(op);
}

Did interp::executeVectorTransfer(Executor &e, Operation *op) {
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    return executeGather(e, gather);
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return executeLoad(e, load);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return executeStore(e, store);
  if (isa<vector::TransferReadOp, vector::TransferWriteOp>(op))
    return executeTransferMasked(
        e, op, nullptr, op->getNumResults() ? op->getResult(0) : Value());
  return Did::NotMine;
}
