//===- Instantiate.cpp - Stages for one microbatch size -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instantiate.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

/// Values of the copy, by value of the original and relation.
struct Instantiator::Body {
  Body(Block *block, int64_t size)
      : builder(OpBuilder::atBlockEnd(block)), size(size) {}

  OpBuilder builder;
  int64_t size;
  llvm::DenseMap<Value, ValueMap> values;

  Value lookup(Value original, BatchRelation relation) {
    ValueMap &known = values[original];
    auto it = known.find(relation);
    assert(it != known.end() && "operands are instantiated before their users");
    return it->second;
  }
};

/// Attributes that repeat a shape. `copy` has its operands and result types.
static void rewriteShapeAttributes(Operation *copy, const BatchSpec &spec,
                                   int64_t batch, int64_t size) {
  OpBuilder builder(copy->getContext());
  auto setExtent = [&](ArrayRef<int64_t> sizes, BatchRelation relation) {
    SmallVector<int64_t> changed(sizes);
    if (!relation.isWhole())
      changed[relation.dim] = size * relation.factor;
    return changed;
  };
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(copy)) {
    extract.setStaticSizes(
        setExtent(extract.getStaticSizes(), spec.operands[0]));
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(copy)) {
    insert.setStaticSizes(setExtent(insert.getStaticSizes(), spec.operands[1]));
  } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(copy)) {
    expand.setStaticOutputShape(
        cast<RankedTensorType>(expand.getResult().getType()).getShape());
  } else if (auto constant = dyn_cast<arith::ConstantOp>(copy)) {
    if (spec.results[0].isWhole())
      return;
    std::optional<DenseElementsAttr> value =
        sliceConstant(cast<DenseElementsAttr>(constant.getValue()),
                      spec.results[0], batch, size);
    assert(value && "the analysis allows only constants that can be cut");
    constant.setValueAttr(cast<TypedAttr>(Attribute(*value)));
  }
}

void Instantiator::cloneOp(Operation *op, const BatchSpec &spec, Body &body) {
  IRMapping captured;
  for (auto [value, relation] : spec.captures)
    captured.map(value, body.lookup(value, relation));
  Operation *copy = op->clone(captured);
  for (auto [index, relation] : llvm::enumerate(spec.operands))
    copy->setOperand(index, body.lookup(op->getOperand(index), relation));
  for (auto [result, relation] : llvm::zip(copy->getResults(), spec.results))
    result.setType(relation.apply(result.getType(), body.size));
  if (spec.callee) {
    FunctionOpInterface callee = instantiate(*spec.callee, body.size);
    cast<func::CallOp>(copy).setCallee(callee.getName());
  }
  rewriteShapeAttributes(copy, spec, batch, body.size);
  body.builder.insert(copy);
  for (auto [original, result, relation] :
       llvm::zip(op->getResults(), copy->getResults(), spec.results))
    body.values[original][relation] = result;
}

/// The first name in the module of the form base, base.1, base.2 …
static std::string uniqueName(ModuleOp module, std::string base) {
  std::string name = base;
  for (unsigned i = 1; module.lookupSymbol(name); ++i)
    name = base + "." + std::to_string(i);
  return name;
}

FunctionOpInterface Instantiator::instantiate(const BatchInstance &instance,
                                              int64_t size) {
  // A composite that gets nothing of the batch serves as it is.
  if (isa<func::FuncOp>(instance.callable) &&
      llvm::all_of(instance.arguments,
                   [](BatchRelation relation) { return relation.isWhole(); }))
    return cast<FunctionOpInterface>(instance.callable);
  auto known = copies.find({&instance, size});
  if (known != copies.end())
    return cast<FunctionOpInterface>(known->second);

  auto original = cast<FunctionOpInterface>(instance.callable);
  auto copy = cast<FunctionOpInterface>(original->cloneWithoutRegions());
  std::string name = uniqueName(module, original.getName().str() + "_mb" +
                                            std::to_string(size));
  OpBuilder builder(original);
  SymbolTable::setSymbolName(copy, name);
  builder.insert(copy);
  copies[{&instance, size}] = copy;

  SmallVector<Type> inputs, results;
  for (auto [type, relation] :
       llvm::zip(original.getArgumentTypes(), instance.arguments))
    inputs.push_back(relation.apply(type, size));
  for (auto [type, relation] :
       llvm::zip(original.getResultTypes(), instance.results))
    results.push_back(relation.apply(type, size));
  copy.setFunctionTypeAttr(
      TypeAttr::get(builder.getFunctionType(inputs, results)));

  Block &from = original.getFunctionBody().front();
  Block *to = builder.createBlock(&copy.getFunctionBody());
  Body body(to, size);
  for (auto [argument, type, relation] :
       llvm::zip(from.getArguments(), inputs, instance.arguments))
    body.values[argument][relation] = to->addArgument(type, argument.getLoc());
  for (Operation &op : from.without_terminator()) {
    auto it = instance.specs.find(&op);
    if (it != instance.specs.end())
      for (const BatchSpec &spec : it->second)
        cloneOp(&op, spec, body);
  }
  Operation *terminator = from.getTerminator()->clone();
  for (auto [index, relation] : llvm::enumerate(instance.results))
    terminator->setOperand(
        index, body.lookup(from.getTerminator()->getOperand(index), relation));
  body.builder.insert(terminator);
  return copy;
}
