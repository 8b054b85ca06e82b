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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

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

/// @replay: the inputs as constants, then a call of `function`.
static void addReplay(ModuleOp module, func::FuncOp function,
                      ArrayRef<ValuePtr> inputs) {
  OpBuilder builder(module.getContext());
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPointToStart(module.getBody());
  std::string name = "replay";
  while (module.lookupSymbol(name))
    name += "_";
  auto replay = func::FuncOp::create(
      builder, loc, name,
      builder.getFunctionType({}, function.getResultTypes()));
  builder.setInsertionPointToStart(replay.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [type, value] : llvm::zip(function.getArgumentTypes(), inputs))
    arguments.push_back(materialise(builder, loc, type, *value));
  auto call = func::CallOp::create(builder, loc, function.getName(),
                                   function.getResultTypes(), arguments);
  func::ReturnOp::create(builder, loc, call.getResults());
  function.setPrivate();
}

std::string panpipe::tv::makeReproducer(Operation *source, Operation *target,
                                        ArrayRef<ValuePtr> inputs,
                                        StringRef difference) {
  MLIRContext *context = source->getContext();
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       tensor::TensorDialect, ub::UBDialect>();
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
      addReplay(inner, copy, inputs);
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
