//===- InterpControl.cpp - Execution of cf and scf ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Branches, conditionals and loops. A loop that does not end runs into the
/// budget of steps, which is no verdict.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

//===----------------------------------------------------------------------===//
// cf
//===----------------------------------------------------------------------===//

bool interp::isBranch(Operation *op) {
  return isa<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp, ub::UnreachableOp>(
      op);
}

/// The bits that a branch depends on.
static std::optional<llvm::APInt> decisionBits(Executor &e, Operation *op,
                                               Value value) {
  ConcreteElement element = e.get(value).get(0);
  if (element.isPoison()) {
    e.undefined(op, "branch on poison");
    return std::nullopt;
  }
  if (element.isOpen() && e.options.isSource) {
    e.undefined(op, "branch on unspecified contents");
    return std::nullopt;
  }
  return element.bits;
}

static std::optional<bool> decision(Executor &e, Operation *op, Value value) {
  std::optional<llvm::APInt> bits = decisionBits(e, op, value);
  if (!bits)
    return std::nullopt;
  return !bits->isZero();
}

static SmallVector<ValuePtr> valuesOf(Executor &e, ValueRange operands) {
  SmallVector<ValuePtr> values;
  for (Value operand : operands)
    values.push_back(e.getPtr(operand));
  return values;
}

static std::optional<Jump> executeSwitch(Executor &e, cf::SwitchOp op) {
  std::optional<llvm::APInt> flag = decisionBits(e, op, op.getFlag());
  if (!flag)
    return std::nullopt;
  if (std::optional<DenseIntElementsAttr> values = op.getCaseValues())
    for (auto [i, value] : llvm::enumerate(values->getValues<llvm::APInt>()))
      if (value == *flag)
        return Jump{op.getCaseDestinations()[i],
                    valuesOf(e, op.getCaseOperands(i))};
  return Jump{op.getDefaultDestination(), valuesOf(e, op.getDefaultOperands())};
}

std::optional<Jump> interp::executeBranch(Executor &e, Operation *op) {
  if (auto branch = dyn_cast<cf::BranchOp>(op))
    return Jump{branch.getDest(), valuesOf(e, branch.getDestOperands())};
  if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    std::optional<bool> taken = decision(e, op, branch.getCondition());
    if (!taken)
      return std::nullopt;
    if (*taken)
      return Jump{branch.getTrueDest(),
                  valuesOf(e, branch.getTrueDestOperands())};
    return Jump{branch.getFalseDest(),
                valuesOf(e, branch.getFalseDestOperands())};
  }
  if (auto choice = dyn_cast<cf::SwitchOp>(op))
    return executeSwitch(e, choice);
  e.undefined(op, "unreachable code is reached");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// scf
//===----------------------------------------------------------------------===//

/// Runs a region without arguments whose terminator gives the results of `op`.
static Did runForResults(Executor &e, Operation *op, Region &region) {
  SmallVector<ValuePtr> values;
  if (!e.runRegion(region, {}, values))
    return Did::Failed;
  for (auto [result, value] : llvm::zip(op->getResults(), values))
    e.define(result, value);
  return Did::Done;
}

static Did executeIf(Executor &e, scf::IfOp op) {
  std::optional<bool> taken = decision(e, op, op.getCondition());
  if (!taken)
    return Did::Failed;
  Region &region = *taken ? op.getThenRegion() : op.getElseRegion();
  return region.empty() ? Did::Done : runForResults(e, op, region);
}

static Did executeIndexSwitch(Executor &e, scf::IndexSwitchOp op) {
  std::optional<int64_t> flag = e.index(op, op.getArg());
  if (!flag)
    return Did::Failed;
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (value == *flag)
      return runForResults(e, op, region);
  return runForResults(e, op, op.getDefaultRegion());
}

static Did executeFor(Executor &e, scf::ForOp op) {
  std::optional<llvm::APInt> bounds[3];
  Value operands[] = {op.getLowerBound(), op.getUpperBound(), op.getStep()};
  for (unsigned i = 0; i < 3; ++i)
    if (!(bounds[i] = decisionBits(e, op, operands[i])))
      return Did::Failed;
  bool isUnsigned = op.getUnsignedCmp();
  // Two bits more: the last increment of the counter must not wrap around.
  unsigned width = bounds[0]->getBitWidth() + 2;
  auto widen = [&](const llvm::APInt &bits) {
    return isUnsigned ? bits.zext(width) : bits.sext(width);
  };
  llvm::APInt counter = widen(*bounds[0]), upper = widen(*bounds[1]),
              step = widen(*bounds[2]);
  if (!step.isStrictlyPositive())
    return e.undefined(op, "the step is not positive");
  ScalarType type = e.get(op.getLowerBound()).type();
  SmallVector<ValuePtr> values = valuesOf(e, op.getInitArgs());
  for (; counter.slt(upper); counter += step) {
    SmallVector<ValuePtr> arguments = {
        std::make_shared<ConcreteValue>(ConcreteValue::scalar(
            type, ConcreteElement{counter.trunc(width - 2)}))};
    arguments.append(values);
    values.clear();
    if (!e.runRegion(op.getRegion(), arguments, values))
      return Did::Failed;
  }
  for (auto [result, value] : llvm::zip(op.getResults(), values))
    e.define(result, value);
  return Did::Done;
}

static Did executeWhile(Executor &e, scf::WhileOp op) {
  SmallVector<ValuePtr> values = valuesOf(e, op.getInits());
  while (true) {
    SmallVector<ValuePtr> forwarded;
    Operation *last = e.runRegion(op.getBefore(), values, forwarded);
    if (!last)
      return Did::Failed;
    std::optional<bool> goesOn =
        decision(e, last, cast<scf::ConditionOp>(last).getCondition());
    if (!goesOn)
      return Did::Failed;
    forwarded.erase(forwarded.begin()); // the condition
    if (!*goesOn) {
      for (auto [result, value] : llvm::zip(op.getResults(), forwarded))
        e.define(result, value);
      return Did::Done;
    }
    values.clear();
    if (!e.runRegion(op.getAfter(), forwarded, values))
      return Did::Failed;
  }
}

static Did executeAssert(Executor &e, cf::AssertOp op) {
  std::optional<bool> holds = decision(e, op, op.getArg());
  if (!holds)
    return Did::Failed;
  return *holds ? Did::Done
                : e.undefined(op, "the assertion fails: " + op.getMsg());
}

bool interp::knowsControl(Operation *op) {
  return isBranch(op) || isa<cf::AssertOp, scf::IfOp, scf::IndexSwitchOp,
                             scf::ForOp, scf::WhileOp, scf::ExecuteRegionOp,
                             scf::ConditionOp, scf::YieldOp>(op);
}

Did interp::executeControl(Executor &e, Operation *op) {
  if (auto assertion = dyn_cast<cf::AssertOp>(op))
    return executeAssert(e, assertion);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return executeIf(e, branch);
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return executeIndexSwitch(e, choice);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return executeFor(e, loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return executeWhile(e, loop);
  if (auto region = dyn_cast<scf::ExecuteRegionOp>(op))
    return runForResults(e, op, region.getRegion());
  return Did::NotMine;
}
