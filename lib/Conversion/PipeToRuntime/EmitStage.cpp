//===- EmitStage.cpp - Memory plan of a stage -----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitProgram.h"
#include "panpipe/Runtime/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

std::optional<rt::TensorInfo> lower::tensorInfo(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  rt::TensorInfo info;
  info.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  Type element = tensor.getElementType();
  std::string name;
  llvm::raw_string_ostream(name) << element;
  std::optional<rt::DType> dtype = rt::parseDType(name == "i1"    ? "bool"
                                                  : name == "ui8" ? "u8"
                                                                  : name);
  if (!dtype)
    return std::nullopt;
  info.dtype = *dtype;
  return info;
}

namespace {

class StageEmitter {
public:
  StageEmitter(Operation *op, const KernelTable &table, rt::Program &program)
      : op(op), table(table), program(program) {}

  FailureOr<rt::Stage> emit(const StageBinding &binding);

private:
  Operation *op;
  const KernelTable &table;
  rt::Program &program;
  rt::Stage stage;
  llvm::DenseMap<Value, uint32_t> slots;

  LogicalResult addArguments(const StageBinding &binding);
  LogicalResult addConstant(arith::ConstantOp constant);
  LogicalResult addRelayout(Operation *change);
  LogicalResult addCall(func::CallOp call);
  LogicalResult addResults(Operation *terminator);
  void addKernel(rt::KernelCall call, ValueRange inputs, ValueRange results);
  uint32_t addSlot(rt::Place place, uint32_t index, uint64_t offset,
                   uint64_t bytes);
  bool isConstant(uint32_t slot) const;
  void placeBuffers();
};

} // namespace

uint32_t StageEmitter::addSlot(rt::Place place, uint32_t index, uint64_t offset,
                               uint64_t bytes) {
  rt::Slot slot;
  slot.place = place;
  slot.index = index;
  slot.offset = offset;
  slot.bytes = bytes;
  stage.slots.push_back(slot);
  return static_cast<uint32_t>(stage.slots.size() - 1);
}

/// Known when the model is loaded.
bool StageEmitter::isConstant(uint32_t slot) const {
  rt::Place place = stage.slots[slot].place;
  return place == rt::Place::Parameter || place == rt::Place::Constant ||
         place == rt::Place::Persistent;
}

LogicalResult StageEmitter::addArguments(const StageBinding &binding) {
  for (auto [argument, parameter] :
       llvm::zip(op->getRegion(0).getArguments(), binding)) {
    std::optional<rt::TensorInfo> info = tensorInfo(argument.getType());
    if (!info)
      return op->emitOpError("argument ")
             << argument.getArgNumber() << " has the type "
             << argument.getType() << ", which the runtime does not know";
    uint64_t bytes = info->bytes();
    if (parameter >= 0) {
      slots[argument] = addSlot(rt::Place::Parameter, parameter, 0, bytes);
      continue;
    }
    slots[argument] =
        addSlot(rt::Place::Argument, stage.arguments.size(), 0, bytes);
    stage.arguments.push_back(*info);
  }
  return success();
}

/// The bytes of a dense constant, one byte for an i1.
static std::vector<uint8_t> denseBytes(DenseElementsAttr dense,
                                       size_t element) {
  std::vector<uint8_t> bytes;
  if (dense.getElementType().isInteger(1)) {
    for (bool value : dense.getValues<bool>())
      bytes.push_back(value);
    return bytes;
  }
  ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat())
    return std::vector<uint8_t>(raw.begin(), raw.end());
  for (int64_t i = 0; i != dense.getNumElements(); ++i)
    bytes.insert(bytes.end(), raw.begin(), raw.begin() + element);
  return bytes;
}

LogicalResult StageEmitter::addConstant(arith::ConstantOp constant) {
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  std::optional<rt::TensorInfo> info = tensorInfo(constant.getType());
  if (!dense || !info)
    return constant.emitOpError("is a constant that the runtime cannot hold");
  std::vector<uint8_t> bytes = denseBytes(dense, rt::byteSize(info->dtype));
  program.constants.resize((program.constants.size() + 63) / 64 * 64);
  slots[constant] =
      addSlot(rt::Place::Constant, 0, program.constants.size(), bytes.size());
  program.constants.insert(program.constants.end(), bytes.begin(), bytes.end());
  return success();
}

void StageEmitter::addKernel(rt::KernelCall call, ValueRange inputs,
                             ValueRange results) {
  call.atLoad = true;
  for (Value input : inputs) {
    call.operands.push_back(slots.lookup(input));
    call.atLoad &= isConstant(call.operands.back());
  }
  call.inputs = call.operands.size();
  for (Value result : results) {
    uint64_t bytes = tensorInfo(result.getType())->bytes();
    uint64_t offset = 0;
    if (call.atLoad) {
      offset = stage.persistentBytes;
      stage.persistentBytes += (bytes + 63) / 64 * 64;
    }
    uint32_t slot =
        addSlot(call.atLoad ? rt::Place::Persistent : rt::Place::Arena, 0,
                offset, bytes);
    slots[result] = slot;
    call.operands.push_back(slot);
  }
  stage.calls.push_back(std::move(call));
}

/// linalg.pack or linalg.unpack; nothing moves when an image is one pixel.
LogicalResult StageEmitter::addRelayout(Operation *change) {
  bool toBlocked = isa<linalg::PackOp>(change);
  Value plain = toBlocked ? change->getOperand(0) : change->getResult(0);
  Value packed = toBlocked ? change->getResult(0) : change->getOperand(0);
  ArrayRef<int64_t> s = cast<RankedTensorType>(plain.getType()).getShape();
  if (s.size() != 4)
    return change->emitOpError("changes the layout of something else than an "
                               "image");
  if (s[2] * s[3] == 1) {
    slots[change->getResult(0)] = slots.lookup(change->getOperand(0));
    return success();
  }
  rt::KernelCall call;
  call.kind = toBlocked ? rt::KernelKind::Pack : rt::KernelKind::Unpack;
  call.symbol = toBlocked ? "pack" : "unpack";
  call.location = modulePath(change->getLoc());
  rt::WindowAttrs &w = call.window;
  w.n = s[0], w.ic = w.oc = s[1], w.ih = w.oh = s[2], w.iw = w.ow = s[3];
  w.block = cast<RankedTensorType>(packed.getType()).getShape().back();
  addKernel(std::move(call), change->getOperand(0), change->getResults());
  return success();
}

LogicalResult StageEmitter::addCall(func::CallOp op) {
  for (Type type :
       llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
    if (!tensorInfo(type))
      return op.emitOpError("uses the type ")
             << type << ", which the runtime does not know";
  func::FuncOp callee = table.function(op);
  rt::KernelCall call;
  call.symbol = op.getCallee().str();
  call.location = modulePath(op.getLoc());
  FailureOr<LibraryKernel> library = table.lookup(op);
  if (succeeded(library)) {
    call.kind = library->kind;
    call.window = library->window;
    call.matmul = library->matmul;
  } else if (!callee || callee.isExternal()) {
    return op.emitOpError("calls @")
           << op.getCallee() << ", which is not a kernel; run "
           << "--pipe-lower-stages first";
  }
  addKernel(std::move(call), op.getOperands(), op.getResults());
  return success();
}

/// A result is written where the caller wants it, when one kernel makes it;
/// else it is copied there.
LogicalResult StageEmitter::addResults(Operation *terminator) {
  for (Value value : terminator->getOperands()) {
    std::optional<rt::TensorInfo> info = tensorInfo(value.getType());
    if (!info)
      return terminator->emitOpError("returns the type ")
             << value.getType() << ", which the runtime does not know";
    uint32_t index = stage.results.size();
    stage.results.push_back(*info);
    uint32_t slot = slots.lookup(value);
    rt::Slot &home = stage.slots[slot];
    if (home.place == rt::Place::Arena) {
      home.place = rt::Place::Result;
      home.index = index;
      continue;
    }
    rt::KernelCall copy;
    copy.kind = rt::KernelKind::Copy;
    copy.symbol = "copy";
    copy.matmul.k = static_cast<int64_t>(info->bytes());
    copy.inputs = 1;
    copy.operands = {slot, addSlot(rt::Place::Result, index, 0, info->bytes())};
    stage.calls.push_back(std::move(copy));
  }
  return success();
}

/// Gives every buffer of the arena its offset, by first and last use.
void StageEmitter::placeBuffers() {
  llvm::MapVector<uint32_t, rt::Lifetime> lifetimes;
  for (auto [step, call] : llvm::enumerate(stage.calls))
    for (uint32_t slot : call.operands) {
      if (stage.slots[slot].place != rt::Place::Arena)
        continue;
      auto [entry, isNew] = lifetimes.try_emplace(slot);
      if (isNew) {
        entry->second.first = step;
        entry->second.bytes = stage.slots[slot].bytes;
      }
      entry->second.last = step;
    }
  std::vector<rt::Lifetime> list;
  for (auto &[slot, lifetime] : lifetimes)
    list.push_back(lifetime);
  rt::MemoryPlan plan = rt::planMemory(list);
  for (auto [i, entry] : llvm::enumerate(lifetimes))
    stage.slots[entry.first].offset = plan.offsets[i];
  stage.arenaBytes = plan.bytes;
}

FailureOr<rt::Stage> StageEmitter::emit(const StageBinding &binding) {
  if (failed(addArguments(binding)))
    return failure();
  Block &body = op->getRegion(0).front();
  for (Operation &inner : body.without_terminator()) {
    LogicalResult result = success();
    if (auto constant = dyn_cast<arith::ConstantOp>(inner))
      result = addConstant(constant);
    else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 tensor::CastOp>(inner))
      slots[inner.getResult(0)] = slots.lookup(inner.getOperand(0));
    else if (isa<linalg::PackOp, linalg::UnPackOp>(inner))
      result = addRelayout(&inner);
    else if (auto call = dyn_cast<func::CallOp>(inner))
      result = addCall(call);
    else if (!isa<tensor::EmptyOp>(inner))
      result = inner.emitOpError("is left in a lowered stage");
    if (failed(result))
      return failure();
  }
  if (failed(addResults(body.getTerminator())))
    return failure();
  placeBuffers();
  return std::move(stage);
}

FailureOr<rt::Stage> lower::emitStage(Operation *stage,
                                      const StageBinding &binding,
                                      const KernelTable &table,
                                      rt::Program &program) {
  return StageEmitter(stage, table, program).emit(binding);
}
