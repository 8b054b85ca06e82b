//===- InterpVector.cpp - Execution of vector moves -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operations that copy elements of vectors, or make vectors of indices and
/// masks. Those that combine elements are in InterpVectorReduce.cpp.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static ConcreteElement poisonOf(ScalarType type) {
  return {llvm::APInt(type.width(), 0), EM_poison};
}

/// Makes the vector `result`, whose element at each index `element` gives.
template <typename Element>
static Did build(Executor &e, Operation *op, Value result, Element element) {
  std::optional<ScalarType> type = e.elementType(result.getType());
  auto shaped = dyn_cast<VectorType>(result.getType());
  if (!type || (shaped && shaped.isScalable()))
    return e.unsupported(op, "a type without execution");
  ArrayRef<int64_t> shape;
  if (shaped)
    shape = shaped.getShape();
  if (!e.allocate(op, *type, shape))
    return Did::Failed;
  ConcreteValue value(*type, shape, /*isScalar=*/!shaped);
  int64_t position = 0;
  forEachIndex(
      shape, [&](ArrayRef<int64_t> at) { value.set(position++, element(at)); });
  return e.define(result, std::move(value));
}

static ConcreteElement elementAt(const ConcreteValue &value,
                                 ArrayRef<int64_t> at) {
  return value.get(linearize(at, ConcreteValue::stridesOf(value.shape())));
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static Did executeBroadcast(Executor &e, vector::BroadcastOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    SmallVector<int64_t> from(at.take_back(source.rank()));
    for (auto [index, size] : llvm::zip(from, source.shape()))
      if (size == 1)
        index = 0;
    return elementAt(source, from);
  });
}

static Did executeShapeCast(Executor &e, vector::ShapeCastOp op) {
  return e.define(
      op.getResult(),
      e.get(op.getSource()).reshaped(op.getResultVectorType().getShape()));
}

static Did executeTranspose(Executor &e, vector::TransposeOp op) {
  const ConcreteValue &source = e.get(op.getVector());
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    SmallVector<int64_t> from(at.size());
    for (auto [to, dim] : llvm::enumerate(op.getPermutation()))
      from[dim] = at[to];
    return elementAt(source, from);
  });
}

static int64_t entry(ArrayAttr list, unsigned i, int64_t otherwise) {
  return i < list.size() ? cast<IntegerAttr>(list[i]).getInt() : otherwise;
}

static Did executeExtractStrided(Executor &e,
                                 vector::ExtractStridedSliceOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    SmallVector<int64_t> from;
    for (auto [dim, index] : llvm::enumerate(at))
      from.push_back(entry(op.getOffsets(), dim, 0) +
                     index * entry(op.getStrides(), dim, 1));
    return elementAt(source, from);
  });
}

static Did executeInsertStrided(Executor &e, vector::InsertStridedSliceOp op) {
  const ConcreteValue &source = e.get(op.getValueToStore());
  ConcreteValue value = e.get(op.getDest());
  unsigned leading = value.rank() - source.rank();
  SmallVector<int64_t> steps = ConcreteValue::stridesOf(value.shape());
  int64_t position = 0;
  forEachIndex(source.shape(), [&](ArrayRef<int64_t> at) {
    int64_t to = 0;
    for (unsigned dim = 0; dim < steps.size(); ++dim) {
      int64_t inside =
          dim < leading
              ? 0
              : at[dim - leading] * entry(op.getStrides(), dim - leading, 1);
      to += (entry(op.getOffsets(), dim, 0) + inside) * steps[dim];
    }
    value.copy(to, source, position++);
  });
  return e.define(op.getResult(), std::move(value));
}

/// The leading position of extract and insert; nothing if it is poison or out
/// of bounds, which makes the result poison.
struct Leading {
  bool failed = false; ///< the outcome is set
  std::optional<SmallVector<int64_t>> at;
};

static Leading leadingPosition(Executor &e, Operation *op,
                               ArrayRef<OpFoldResult> mixed,
                               ArrayRef<int64_t> shape) {
  SmallVector<int64_t> position;
  bool bad = false;
  for (auto [item, size] : llvm::zip(mixed, shape)) {
    int64_t index;
    if (auto attr = dyn_cast<Attribute>(item)) {
      index = cast<IntegerAttr>(attr).getInt();
    } else {
      ConcreteElement element = e.get(cast<Value>(item)).get(0);
      if (element.isPoison()) {
        bad = true;
        continue;
      }
      std::optional<int64_t> number = e.index(op, element, "an index");
      if (!number)
        return {true, std::nullopt};
      index = *number;
    }
    bad |= index < 0 || index >= size;
    position.push_back(index);
  }
  if (bad)
    return {};
  return {false, position};
}

static Did executeExtract(Executor &e, vector::ExtractOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  Leading leading =
      leadingPosition(e, op, op.getMixedPosition(), source.shape());
  if (leading.failed)
    return Did::Failed;
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    if (!leading.at)
      return poisonOf(source.type());
    SmallVector<int64_t> from = *leading.at;
    from.append(at.begin(), at.end());
    return elementAt(source, from);
  });
}

static Did executeInsert(Executor &e, vector::InsertOp op) {
  const ConcreteValue &source = e.get(op.getValueToStore());
  const ConcreteValue &dest = e.get(op.getDest());
  Leading leading = leadingPosition(e, op, op.getMixedPosition(), dest.shape());
  if (leading.failed)
    return Did::Failed;
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    if (!leading.at)
      return poisonOf(dest.type());
    if (at.take_front(leading.at->size()) != ArrayRef(*leading.at))
      return elementAt(dest, at);
    return source.size() == 1 && source.rank() == 0
               ? source.get(0)
               : elementAt(source, at.drop_front(leading.at->size()));
  });
}

static Did executeShuffle(Executor &e, vector::ShuffleOp op) {
  const ConcreteValue &a = e.get(op.getV1()), &b = e.get(op.getV2());
  int64_t split = a.rank() ? a.shape()[0] : 1;
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    int64_t number = op.getMask()[at[0]];
    if (number < 0)
      return poisonOf(a.type());
    const ConcreteValue &from = number < split ? a : b;
    if (from.rank() == 0)
      return from.get(0);
    SmallVector<int64_t> where(at);
    where[0] = number < split ? number : number - split;
    return elementAt(from, where);
  });
}

static Did executeFromElements(Executor &e, vector::FromElementsOp op) {
  int64_t next = 0;
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t>) {
    return e.get(op.getElements()[next++]).get(0);
  });
}

static Did executeToElements(Executor &e, vector::ToElementsOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  for (OpResult result : op->getResults())
    e.define(result, ConcreteValue::scalar(
                         source.type(), source.get(result.getResultNumber())));
  return Did::Done;
}

static Did executeInterleave(Executor &e, vector::InterleaveOp op) {
  const ConcreteValue &a = e.get(op.getLhs()), &b = e.get(op.getRhs());
  int64_t next = 0;
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t>) {
    int64_t number = next++;
    return (number % 2 ? b : a).get(number / 2);
  });
}

static Did executeDeinterleave(Executor &e, vector::DeinterleaveOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  for (OpResult result : op->getResults()) {
    int64_t next = result.getResultNumber();
    Did did = build(e, op, result, [&](ArrayRef<int64_t>) {
      int64_t number = next;
      next += 2;
      return source.get(number);
    });
    if (did != Did::Done)
      return did;
  }
  return Did::Done;
}

//===----------------------------------------------------------------------===//
// Indices and masks
//===----------------------------------------------------------------------===//

static Did executeStep(Executor &e, vector::StepOp op) {
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    return ConcreteElement{llvm::APInt(e.options.indexWidth, at[0])};
  });
}

static Did executeConstantMask(Executor &e, vector::ConstantMaskOp op) {
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    if (at.empty())
      return ConcreteElement{llvm::APInt(1, op.getMaskDimSizes()[0] != 0)};
    bool on = llvm::all_of(llvm::zip(at, op.getMaskDimSizes()), [](auto p) {
      return std::get<0>(p) < std::get<1>(p);
    });
    return ConcreteElement{llvm::APInt(1, on)};
  });
}

static Did executeCreateMask(Executor &e, vector::CreateMaskOp op) {
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t> at) {
    bool on = true;
    uint8_t marks = EM_none;
    for (auto [dim, operand] : llvm::enumerate(op.getOperands())) {
      ConcreteElement size = e.get(operand).get(0);
      marks |= size.marks;
      int64_t index = at.empty() ? 0 : at[dim];
      on &= size.bits.sgt(llvm::APInt(size.bits.getBitWidth(), index));
    }
    return ConcreteElement{llvm::APInt(1, on), marks};
  });
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// All bits of the innermost row, element 0 lowest, cut anew.
static Did executeBitCast(Executor &e, vector::BitCastOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  std::optional<ScalarType> to = e.elementType(op.getType());
  if (!to || to->isIndex() || source.type().isIndex())
    return e.unsupported(op, "a bitcast of index");
  unsigned a = source.type().width(), b = to->width();
  int64_t next = 0;
  bool isSame = source.type() == *to;
  return build(e, op, op.getResult(), [&](ArrayRef<int64_t>) {
    ConcreteElement result{llvm::APInt(b, 0)};
    for (unsigned bit = 0; bit < b; ++bit) {
      uint64_t number = uint64_t(next) * b + bit;
      ConcreteElement from = source.get(number / a);
      result.bits.setBitVal(bit, from.bits[number % a]);
      result.marks |= from.marks;
      // As for arith.bitcast: which NaN arithmetic makes is open.
      if (!isSame && source.type().isFloat() &&
          from.bits == canonicalNaN(source.type()))
        result.marks |= EM_open;
    }
    ++next;
    if (result.isPoison())
      result.bits = llvm::APInt(b, 0);
    return result;
  });
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool interp::knowsVector(Operation *op) {
  return isa<vector::BitCastOp, vector::BroadcastOp, vector::ConstantMaskOp,
             vector::CreateMaskOp, vector::DeinterleaveOp, vector::ExtractOp,
             vector::ExtractStridedSliceOp, vector::FromElementsOp,
             vector::InsertOp, vector::InsertStridedSliceOp,
             vector::InterleaveOp, vector::ShapeCastOp, vector::ShuffleOp,
             vector::StepOp, vector::ToElementsOp, vector::TransposeOp>(op) ||
         knowsVectorReduce(op) || knowsVectorTransfer(op);
}

template <typename OpT>
static bool tryExecute(Executor &e, Operation *op,
                       Did (*execute)(Executor &, OpT), Did &did) {
  auto mine = dyn_cast<OpT>(op);
  if (mine)
    did = execute(e, mine);
  return bool(mine);
}

Did interp::executeVector(Executor &e, Operation *op) {
  if (!isa_and_present<vector::VectorDialect>(op->getDialect()))
    return Did::NotMine;
  Did did = Did::NotMine;
  if (tryExecute(e, op, executeBitCast, did) ||
      tryExecute(e, op, executeBroadcast, did) ||
      tryExecute(e, op, executeConstantMask, did) ||
      tryExecute(e, op, executeCreateMask, did) ||
      tryExecute(e, op, executeDeinterleave, did) ||
      tryExecute(e, op, executeExtract, did) ||
      tryExecute(e, op, executeExtractStrided, did) ||
      tryExecute(e, op, executeFromElements, did) ||
      tryExecute(e, op, executeInsert, did) ||
      tryExecute(e, op, executeInsertStrided, did) ||
      tryExecute(e, op, executeInterleave, did) ||
      tryExecute(e, op, executeShapeCast, did) ||
      tryExecute(e, op, executeShuffle, did) ||
      tryExecute(e, op, executeStep, did) ||
      tryExecute(e, op, executeToElements, did) ||
      tryExecute(e, op, executeTranspose, did))
    return did;
  did = executeVectorReduce(e, op);
  return did == Did::NotMine ? executeVectorTransfer(e, op) : did;
}
