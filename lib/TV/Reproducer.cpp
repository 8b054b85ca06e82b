//===- Reproducer.cpp - A counterexample as a module ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes both functions and a @replay without arguments into one module: its
/// body makes the inputs as constants and calls the function. A pipeline cannot
/// be called, so its inputs become the attribute `tv.inputs`.
///
//===----------------------------------------------------------------------===//

#include "Witness.h"

#include "panpipe/TV/Interp/ScalarMapping.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <deque>

using namespace mlir;
using namespace panpipe::tv;

/// Copies `function` and every symbol it uses, directly or not, into `module`.
static void copyWithCallees(Operation *function, ModuleOp module) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Operation *> queue = {function};
  llvm::SmallPtrSet<Operation *, 8> seen = {function};
  while (!queue.empty()) {
    Operation *current = queue.pop_back_val();
    builder.clone(*current);
    auto uses = SymbolTable::getSymbolUses(current);
    if (!uses)
      continue;
    for (const SymbolTable::SymbolUse &use : *uses)
      if (Operation *callee = SymbolTable::lookupNearestSymbolFrom(
              use.getUser(), use.getSymbolRef()))
        if (seen.insert(callee).second)
          queue.push_back(callee);
  }
}

/// Makes `value` of type `type`: a constant, with poison put in by element.
static Value materialise(OpBuilder &builder, Location loc, Type type,
                         const ConcreteValue &value) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped) {
    if (value.get(0).isPoison())
      return ub::PoisonOp::create(builder, loc, type);
    return arith::ConstantOp::create(builder, loc,
                                     cast<TypedAttr>(value.toAttribute(type)));
  }
  auto attr = cast<TypedAttr>(value.toAttribute(type));
  Value result = arith::ConstantOp::create(builder, loc, attr);
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(value.shape());
  for (int64_t i = 0; i < value.size() && isa<RankedTensorType>(type); ++i) {
    if (!value.get(i).isPoison())
      continue;
    Value poison = ub::PoisonOp::create(builder, loc, shaped.getElementType());
    SmallVector<Value> index;
    for (auto [stride, extent] : llvm::zip(strides, value.shape()))
      index.push_back(
          arith::ConstantIndexOp::create(builder, loc, i / stride % extent));
    result = tensor::InsertOp::create(builder, loc, poison, result, index);
  }
  if (result.getType() != type)
    result = tensor::CastOp::create(builder, loc, type, result);
  return result;
}

static std::string freshName(ModuleOp module, std::string name) {
  while (module.lookupSymbol(name))
    name += "_";
  return name;
}

namespace {
/// Allocates and fills the memory of inputs.
class MemoryMaker {
public:
  MemoryMaker(OpBuilder &builder, ModuleOp module, ArrayRef<ValuePtr> inputs)
      : builder(builder), module(module), inputs(inputs) {}

  /// The memref of an input.
  Value memref(MemRefType type, const ConcreteValue &value) {
    const MemoryView &view = value.view();
    Block &block = blockOf(view.block.get(), type.getElementType());
    Value base = block.whole;
    if (block.bytes)
      base = viewOf(block, type.getElementType(), view.origin);
    SmallVector<OpFoldResult> sizes, strides;
    for (int64_t extent : value.shape())
      sizes.push_back(builder.getIndexAttr(extent));
    for (int64_t stride : view.strides)
      strides.push_back(builder.getIndexAttr(stride));
    auto layout =
        StridedLayoutAttr::get(builder.getContext(), view.offset, view.strides);
    auto strided =
        MemRefType::get(value.shape(), type.getElementType(), layout);
    Value result = memref::ReinterpretCastOp::create(
        builder, loc, strided, base, builder.getIndexAttr(view.offset), sizes,
        strides);
    if (result.getType() != type)
      result = memref::CastOp::create(builder, loc, type, result);
    return result;
  }

  /// Puts `value` into `target`, which has one dimension or is a global.
  void fill(Value target, const ConcreteValue &value) {
    auto type = cast<MemRefType>(target.getType());
    auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
    std::string name = freshName(module, "tv_contents");
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      memref::GlobalOp::create(
          builder, loc, name, builder.getStringAttr("private"), type,
          value.reshaped(type.getShape()).toAttribute(tensor),
          /*constant=*/true, /*alignment=*/nullptr);
    }
    Value contents = memref::GetGlobalOp::create(builder, loc, type, name);
    memref::CopyOp::create(builder, loc, contents, target);
    SmallVector<int64_t> strides = ConcreteValue::stridesOf(type.getShape());
    for (int64_t i = 0; i < value.size(); ++i) {
      if (!value.get(i).isPoison())
        continue;
      Value poison = ub::PoisonOp::create(builder, loc, type.getElementType());
      SmallVector<Value> index;
      for (auto [stride, extent] : llvm::zip(strides, type.getShape()))
        index.push_back(
            arith::ConstantIndexOp::create(builder, loc, i / stride % extent));
      memref::StoreOp::create(builder, loc, poison, target, index);
    }
  }

  /// All memory of arguments, to be compared.
  void collect(SmallVectorImpl<Value> &results) {
    for (auto &[source, block] : blocks)
      results.push_back(block.whole);
  }

private:
  struct Block {
    Value whole; ///< memref<NxT>
    Value bytes; ///< memref<Bxi8> when a view does not begin with the block
  };

  Value viewOf(Block &block, Type element, int64_t origin) {
    int64_t size = cast<MemRefType>(block.bytes.getType()).getDimSize(0);
    int64_t step = bytesOf(*mapScalarType(element));
    auto type = MemRefType::get((size - origin) / step, element);
    Value at = arith::ConstantIndexOp::create(builder, loc, origin);
    return memref::ViewOp::create(builder, loc, type, block.bytes, at,
                                  ValueRange());
  }

  Block &blockOf(const MemoryBlock *source, Type element) {
    for (auto &[known, block] : blocks)
      if (known == source)
        return block;
    Block block;
    bool needsBytes = llvm::any_of(inputs, [&](const ValuePtr &value) {
      return value->isMemRef() && value->view().block.get() == source &&
             value->view().origin != 0;
    });
    ConcreteValue contents = wholeBlock(*source);
    auto type = MemRefType::get(contents.shape(), element);
    if (needsBytes) {
      auto bytes = MemRefType::get(source->size(), builder.getI8Type());
      block.bytes = memref::AllocOp::create(builder, loc, bytes);
      block.whole = viewOf(block, element, 0);
    } else {
      block.whole = memref::AllocOp::create(builder, loc, type);
    }
    fill(block.whole, contents);
    blocks.emplace_back(source, block);
    return blocks.back().second;
  }

  OpBuilder &builder;
  Location loc = builder.getUnknownLoc();
  ModuleOp module;
  ArrayRef<ValuePtr> inputs;
  std::deque<std::pair<const MemoryBlock *, Block>> blocks;
};
} // namespace

/// @replay: the inputs as constants, then a call of `function`. It returns the
/// results and the memory of arguments; globals are compared as they are.
static void addReplay(ModuleOp module, func::FuncOp function,
                      ArrayRef<ValuePtr> inputs,
                      ArrayRef<GlobalInput> globals) {
  OpBuilder builder(module.getContext());
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPointToStart(module.getBody());
  auto replay = func::FuncOp::create(builder, loc, freshName(module, "replay"),
                                     builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(replay.addEntryBlock());
  MemoryMaker memory(builder, module, inputs);
  SmallVector<Value> arguments;
  for (auto [type, value] : llvm::zip(function.getArgumentTypes(), inputs)) {
    auto memref = dyn_cast<MemRefType>(type);
    arguments.push_back(memref ? memory.memref(memref, *value)
                               : materialise(builder, loc, type, *value));
  }
  for (auto [global, value] :
       llvm::zip(globals, inputs.take_back(globals.size())))
    if (module.lookupSymbol(global.name)) {
      Value target = memref::GetGlobalOp::create(
          builder, loc, cast<MemRefType>(global.type), global.name);
      memory.fill(target, wholeBlock(*value->view().block));
    }
  auto call = func::CallOp::create(builder, loc, function.getName(),
                                   function.getResultTypes(), arguments);
  SmallVector<Value> results(call.getResults());
  memory.collect(results);
  func::ReturnOp::create(builder, loc, results);
  replay.setFunctionType(
      builder.getFunctionType({}, ValueRange(results).getTypes()));
  function.setPrivate();
}

std::string panpipe::tv::makeReproducer(Operation *source, Operation *target,
                                        ArrayRef<ValuePtr> inputs,
                                        ArrayRef<GlobalInput> globals,
                                        StringRef difference) {
  MLIRContext *context = source->getContext();
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       memref::MemRefDialect, tensor::TensorDialect,
                       ub::UBDialect>();
  OpBuilder builder(context);
  OwningOpRef<ModuleOp> outer = ModuleOp::create(builder.getUnknownLoc());
  outer->getOperation()->setAttr("tv.expect", builder.getStringAttr("INVALID"));
  outer->getOperation()->setAttr("tv.reflexive", builder.getBoolAttr(false));
  bool callable = isa<func::FuncOp>(source) && isa<func::FuncOp>(target);
  for (auto [name, function] : {std::pair{"src", source}, {"tgt", target}}) {
    ModuleOp inner = ModuleOp::create(builder.getUnknownLoc(), StringRef(name));
    outer->push_back(inner);
    copyWithCallees(function, inner);
    auto copy = dyn_cast<func::FuncOp>(&inner.getBody()->front());
    if (callable && !inputs.empty()) // without inputs it replays itself
      addReplay(inner, copy, inputs, globals);
  }
  if (!callable) {
    SmallVector<Attribute> attrs;
    auto function = cast<FunctionOpInterface>(source);
    for (auto [type, value] : llvm::zip(function.getArgumentTypes(), inputs))
      attrs.push_back(value->toAttribute(type));
    outer->getOperation()->setAttr("tv.inputs", builder.getArrayAttr(attrs));
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Written by panpipe-tv: " << difference << "\n"
     << "// Replay: panpipe-tv --expect THIS-FILE\n";
  outer->print(os);
  os << "\n";
  return text;
}
