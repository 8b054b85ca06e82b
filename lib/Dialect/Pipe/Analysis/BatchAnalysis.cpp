//===- BatchAnalysis.cpp - How values depend on the batch -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Analysis/BatchAnalysis.h"

#include "BatchRules.h"
#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"
#include "panpipe/Dialect/Pipe/Analysis/Levels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

Type BatchRelation::apply(Type type, int64_t size) const {
  if (isWhole())
    return type;
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = size * factor;
  return tensor.clone(shape);
}

void BatchFailure::emit() const {
  // The user knows the place in the model, not the inside of a composite.
  Operation *place = callers.empty() ? op : callers.back();
  InFlightDiagnostic diagnostic =
      emitError(op->getLoc(), "cannot cut the batch at ")
      << getModulePath(place) << ": '" << op->getName() << "' " << message;
  for (Operation *caller : callers)
    diagnostic.attachNote(caller->getLoc())
        << "in the body of this '" << getModulePath(caller) << "'";
}

const BatchInstance *BatchAnalysis::analyze(Operation *callable,
                                            ArrayRef<BatchRelation> arguments) {
  Key key(SymbolTable::getSymbolName(callable).str(), arguments.vec());
  auto it = entries.find(key);
  if (it == entries.end()) {
    auto instance = std::make_unique<BatchInstance>();
    instance->callable = callable;
    instance->arguments.assign(arguments.begin(), arguments.end());
    Entry entry;
    if (succeeded(BatchBody(*this, *instance).run()))
      entry.instance = std::move(instance);
    else
      entry.failure = failure;
    it = entries.emplace(std::move(key), std::move(entry)).first;
  }
  if (!it->second.instance)
    failure = it->second.failure;
  return it->second.instance.get();
}

//===----------------------------------------------------------------------===//
// One body
//===----------------------------------------------------------------------===//

std::nullopt_t BatchBody::fail(Operation *op, const llvm::Twine &message) {
  analysis.setFailure({op, message.str(), {}});
  return std::nullopt;
}

bool BatchBody::canUse(Value value, BatchRelation required) {
  BatchRelation have = getRelation(value);
  if (have == required)
    return true;
  if (!have.isWhole())
    return false;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || required.dim >= type.getRank() ||
      type.getDimSize(required.dim) != getBatch() * required.factor)
    return false;
  Operation *producer = value.getDefiningOp();
  return producer && sliceSpec(*this, producer, required);
}

bool BatchBody::use(Operation *op, Value value, BatchRelation required,
                    const llvm::Twine &what) {
  if (canUse(value, required))
    return true;
  if (required.isWhole())
    fail(op, "needs " + what + " of the whole batch at once");
  else if (getRelation(value).isWhole())
    fail(op,
         "pairs the samples of the batch with " + what +
             ", which is not cut: it is a parameter, an input that is passed "
             "whole, or a constant with different samples");
  else
    fail(op, "uses the batch as dimension " + llvm::Twine(required.dim) +
                 " of " + what + ", where it is dimension " +
                 llvm::Twine(getRelation(value).dim));
  return false;
}

std::optional<BatchSpec> BatchBody::analyzeOp(Operation *op) {
  bool isBatched = false;
  SmallVector<Value> read = getReadValues(op);
  for (Value value : read)
    isBatched |= !getRelation(value).isWhole();
  if (isBatched) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return analyzeLinalg(*this, linalgOp);
    return analyzeTensor(*this, op);
  }
  // Independent of the batch; a callee too is used as it is.
  BatchSpec spec;
  spec.results.assign(op->getNumResults(), BatchRelation::whole());
  spec.operands.assign(op->getNumOperands(), BatchRelation::whole());
  for (Value value : read)
    if (!llvm::is_contained(op->getOperands(), value))
      spec.captures.emplace_back(value, BatchRelation::whole());
  return spec;
}

void BatchBody::addSpec(Operation *op, const BatchSpec &spec) {
  SmallVector<BatchSpec, 1> &specs = instance.specs[op];
  for (const BatchSpec &other : specs)
    if (other.results == spec.results)
      return;
  specs.push_back(spec);
  for (auto [operand, relation] : llvm::zip(op->getOperands(), spec.operands))
    demand(operand, relation);
  for (auto [value, relation] : spec.captures)
    demand(value, relation);
}

/// `value` is needed in `relation`, which canUse has allowed.
void BatchBody::demand(Value value, BatchRelation relation) {
  Operation *producer = value.getDefiningOp();
  if (!producer)
    return;
  if (getRelation(value) == relation)
    addSpec(producer, natural[producer]);
  else
    addSpec(producer, *sliceSpec(*this, producer, relation));
}

LogicalResult BatchBody::run() {
  auto function = cast<FunctionOpInterface>(instance.callable);
  Block &block = function.getFunctionBody().front();
  for (auto [argument, relation] :
       llvm::zip(block.getArguments(), instance.arguments))
    relations[argument] = relation;
  for (Operation &op : block.without_terminator()) {
    std::optional<BatchSpec> spec = analyzeOp(&op);
    if (!spec)
      return failure();
    for (auto [result, relation] : llvm::zip(op.getResults(), spec->results))
      relations[result] = relation;
    natural[&op] = std::move(*spec);
  }
  for (Value value : block.getTerminator()->getOperands())
    instance.results.push_back(getRelation(value));
  // Only now is it known which shapes are needed.
  for (Value value : block.getTerminator()->getOperands())
    demand(value, getRelation(value));
  return success();
}

//===----------------------------------------------------------------------===//
// Values whose samples are all equal
//===----------------------------------------------------------------------===//

std::optional<DenseElementsAttr>
pipe::sliceConstant(DenseElementsAttr attribute, BatchRelation relation,
                    int64_t batch, int64_t size) {
  auto type = cast<RankedTensorType>(attribute.getType());
  auto sliced = cast<RankedTensorType>(relation.apply(type, size));
  if (attribute.isSplat())
    return attribute.resizeSplat(sliced);
  // Row-major: outer · batch · (factor · inner) elements.
  int64_t inner = relation.factor;
  for (int64_t extent : type.getShape().drop_front(relation.dim + 1))
    inner *= extent;
  auto values = llvm::to_vector(attribute.getValues<Attribute>());
  int64_t outer = static_cast<int64_t>(values.size()) / (batch * inner);
  SmallVector<Attribute> kept;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < inner; ++i) {
        Attribute value = values[(o * batch + b) * inner + i];
        if (value != values[o * batch * inner + i])
          return std::nullopt;
        if (b < size)
          kept.push_back(value);
      }
  return DenseElementsAttr::get(sliced, kept);
}

std::optional<BatchSpec> pipe::sliceSpec(BatchBody &body, Operation *op,
                                         BatchRelation relation) {
  BatchSpec spec;
  spec.results = {relation};
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return sliceLinalg(body, linalgOp, relation);
  if (isa<tensor::EmptyOp>(op))
    return op->getNumOperands() == 0 ? std::optional(spec) : std::nullopt;
  if (isa<tensor::SplatOp>(op)) {
    spec.operands.assign(op->getNumOperands(), BatchRelation::whole());
    return spec;
  }
  auto constant = dyn_cast<arith::ConstantOp>(op);
  auto dense =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!dense || !sliceConstant(dense, relation, body.getBatch(), 1))
    return std::nullopt;
  return spec;
}
