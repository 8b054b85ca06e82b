//===- OutlineKernels.cpp - Compiled kernels as functions -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Afterwards the body of a stage holds only calls of kernels, changes of
/// layout, views of a value under another shape, and constants. Each operation
/// that computes becomes one kernel, together with the small operations it
/// starts from (empty tensors, fills, scalars). Equal kernels share one
/// function.
///
//===----------------------------------------------------------------------===//

#include "KernelCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

namespace {

class Outliner {
public:
  explicit Outliner(KernelTable &table) : table(table) {}
  LogicalResult run(Operation *stage);

private:
  KernelTable &table;
  llvm::StringMap<func::FuncOp> known; // by text
  unsigned counter = 0;

  LogicalResult outline(Operation *anchor);
  func::FuncOp makeKernel(ArrayRef<Operation *> ops, ArrayRef<Value> inputs,
                          Operation *anchor);
};

} // namespace

static bool isConstant(Operation *op) { return isa<arith::ConstantOp>(op); }

/// Cheap enough to be repeated in every kernel that reads it.
static bool isRepeatable(Operation *op) {
  if (isa<tensor::EmptyOp, linalg::FillOp>(op))
    return true;
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant)
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  return !dense || dense.isSplat() || dense.getNumElements() <= 16;
}

/// A value of a stage that needs no work: the same bytes under another shape.
static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
      op);
}

/// A chain of insertions into one tensor is one kernel: each alone would copy
/// the whole tensor.
static bool joins(Operation *producer, Operation *consumer, Value value) {
  auto insert = dyn_cast<tensor::InsertSliceOp>(consumer);
  return insert && insert.getDest() == value && value.hasOneUse() &&
         isa<tensor::InsertSliceOp>(producer);
}

/// Everything that `op` reads, what its regions capture included.
static SetVector<Value> operandsOf(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

/// Collects the operations of the kernel around `op` in order, and its inputs.
static void collect(Operation *op, SetVector<Operation *> &ops,
                    SetVector<Value> &inputs) {
  for (Value value : operandsOf(op)) {
    Operation *producer = value.getDefiningOp();
    if (producer && (isRepeatable(producer) || joins(producer, op, value)))
      collect(producer, ops, inputs);
    else
      inputs.insert(value);
  }
  ops.insert(op);
}

/// The kernel's text without name and locations: equal text, equal code.
static std::string textOf(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  function->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

func::FuncOp Outliner::makeKernel(ArrayRef<Operation *> ops,
                                  ArrayRef<Value> inputs, Operation *anchor) {
  MLIRContext *context = anchor->getContext();
  OpBuilder b(context);
  auto type = FunctionType::get(context, ValueRange(inputs).getTypes(),
                                anchor->getResultTypes());
  Location loc = UnknownLoc::get(context);
  auto function = func::FuncOp::create(b, loc, "kernel", type);
  function.setPrivate();
  function->setAttr(kKernelAttr, b.getStringAttr("compiled"));
  b.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(inputs, function.getArguments());
  for (Operation *op : ops)
    b.clone(*op, mapping)->walk([&](Operation *copy) { copy->setLoc(loc); });
  SmallVector<Value> results;
  for (Value result : anchor->getResults())
    results.push_back(mapping.lookup(result));
  func::ReturnOp::create(b, loc, results);

  func::FuncOp &shared = known[textOf(function)];
  if (shared) {
    function->erase();
    return shared;
  }
  shared = function;
  function.setName(("kernel.compiled." + Twine(counter++)).str());
  table.module.getBody()->push_back(function);
  return function;
}

LogicalResult Outliner::outline(Operation *anchor) {
  SetVector<Operation *> ops;
  SetVector<Value> inputs;
  collect(anchor, ops, inputs);
  for (Value value : llvm::concat<const Value>(
           inputs.getArrayRef(), SmallVector<Value>(anchor->getResults()))) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape())
      return anchor->emitOpError("uses a value of type ")
             << value.getType()
             << "; kernels take and give tensors of static shape only";
  }
  func::FuncOp kernel =
      makeKernel(ops.getArrayRef(), inputs.getArrayRef(), anchor);
  OpBuilder b(anchor);
  auto call =
      func::CallOp::create(b, anchor->getLoc(), kernel, inputs.getArrayRef());
  anchor->replaceAllUsesWith(call.getResults());
  anchor->erase();
  return success();
}

LogicalResult Outliner::run(Operation *stage) {
  Block &body = stage->getRegion(0).front();
  // Backwards, so that a chain is found from its end.
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    if (isOpTriviallyDead(op)) {
      op->erase();
      continue;
    }
    if (isView(op) || isConstant(op) ||
        isa<func::CallOp, linalg::PackOp, linalg::UnPackOp>(op))
      continue;
    bool needed = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return isView(user) || isa<func::CallOp>(user) ||
             user->hasTrait<OpTrait::IsTerminator>();
    });
    if (isRepeatable(op) && !needed)
      continue;
    if (op->hasOneUse() && joins(op, *op->user_begin(), op->getResult(0)))
      continue;
    if (failed(outline(op)))
      return failure();
  }
  // What only kernels repeat is dead in the stage now.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return success();
}

LogicalResult lower::outlineKernels(ArrayRef<Operation *> stages,
                                    KernelTable &table) {
  Outliner outliner(table);
  for (Operation *stage : stages)
    if (failed(outliner.run(stage)))
      return failure();
  return success();
}
