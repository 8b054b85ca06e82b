//===- Choices.cpp - Operations whose result is a set ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds, on the IR and conservatively, the places where picks of one operation
/// could be told apart. A pair without flagged operations, or with flagged ones
/// that feed one result each, has none.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Choices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/SetVector.h"

#include <set>

using namespace mlir;
using namespace panpipe::tv;

/// Does an execution of `op` pick its result from a set?
static bool isSetValued(Operation *op) {
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
    return true;
  auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>("fastmath");
  return flags && arith::bitEnumContainsAny(flags.getValue(),
                                            arith::FastMathFlags::nsz |
                                                arith::FastMathFlags::contract |
                                                arith::FastMathFlags::arcp |
                                                arith::FastMathFlags::reassoc |
                                                arith::FastMathFlags::afn);
}

/// `function` and everything it names: callees and stages.
static SetVector<Operation *> withCallees(FunctionOpInterface function) {
  SetVector<Operation *> all;
  all.insert(function);
  for (unsigned i = 0; i < all.size(); ++i)
    all[i]->walk([&](Operation *op) {
      op->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
        if (Operation *callee =
                SymbolTable::lookupNearestSymbolFrom(function, symbol))
          all.insert(callee);
      });
    });
  return all;
}

/// True if a value that depends on `op` is used more than once, or leaves the
/// straight line in which uses can be counted.
static bool isSharedBelow(Operation *op, Operation *function) {
  SmallVector<Operation *> stack = {op};
  while (!stack.empty()) {
    Operation *next = stack.pop_back_val();
    if (next->getParentOp() != function)
      return true; // one operation of a body is many executions
    for (Value result : next->getResults()) {
      if (result.use_empty())
        continue;
      if (!result.hasOneUse())
        return true;
      stack.push_back(*result.user_begin());
    }
  }
  return false;
}

/// The arguments that `op` depends on. Equal terms have equal ones.
static std::set<void *> argumentsAbove(Operation *op) {
  std::set<void *> arguments;
  SetVector<Operation *> above;
  above.insert(op);
  for (unsigned i = 0; i < above.size(); ++i)
    above[i]->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        if (Operation *definition = operand.getDefiningOp())
          above.insert(definition);
        else
          arguments.insert(operand.getAsOpaquePointer());
      }
    });
  return arguments;
}

/// A set-valued operation of the source whose pick may be used twice.
static Operation *sharedChoice(FunctionOpInterface source) {
  for (Operation *function : withCallees(source)) {
    Operation *found = nullptr;
    function->walk([&](Operation *op) {
      if (!found && isSetValued(op) &&
          (function != source.getOperation() || isSharedBelow(op, function)))
        found = op;
    });
    if (found)
      return found;
  }
  return nullptr;
}

/// A set-valued operation of the target that may become one term with another
/// execution of an equal one.
static Operation *mergedChoice(FunctionOpInterface target) {
  SmallVector<Operation *> seen;
  for (Operation *function : withCallees(target)) {
    Operation *found = nullptr;
    function->walk([&](Operation *op) {
      if (found || !isSetValued(op))
        return;
      bool straight =
          function == target.getOperation() && op->getParentOp() == function;
      bool equal = llvm::any_of(seen, [&](Operation *other) {
        return other->getName() == op->getName() &&
               argumentsAbove(other) == argumentsAbove(op);
      });
      if (!straight || equal)
        found = op;
      seen.push_back(op);
    });
    if (found)
      return found;
  }
  return nullptr;
}

/// True if `value` is an argument or constant of `function`, or was made from
/// such by operations that move bits: no arithmetic chose its NaN pattern.
static bool isGiven(Value value, Operation *function) {
  SmallVector<Value> stack = {value};
  while (!stack.empty()) {
    Value next = stack.pop_back_val();
    Operation *definition = next.getDefiningOp();
    if (!definition) {
      if (next.getParentBlock()->getParentOp() != function)
        return false;
      continue;
    }
    if (!isa<arith::ConstantOp, arith::BitcastOp, tensor::BitcastOp,
             arith::NegFOp, math::AbsFOp, math::CopySignOp, arith::SelectOp>(
            definition))
      return false;
    llvm::append_range(stack, definition->getOperands());
  }
  return true;
}

/// An operation that reads the bits of a float that arithmetic may have made.
static Operation *nanRead(FunctionOpInterface side) {
  Operation *found = nullptr;
  for (Operation *function : withCallees(side))
    function->walk([&](Operation *op) {
      Value read;
      if (isa<arith::BitcastOp, tensor::BitcastOp>(op) &&
          isa<FloatType>(getElementTypeOrSelf(op->getOperand(0))) &&
          !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))))
        read = op->getOperand(0);
      else if (isa<math::CopySignOp>(op))
        read = op->getOperand(1);
      if (read && !found && !isGiven(read, side))
        found = op;
    });
  return found;
}

static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << op->getName();
  if (auto location = dyn_cast<FileLineColLoc>(op->getLoc()))
    stream << " at line " << location.getLine();
  return text;
}

/// Same operations, attributes and operands, whatever the locations.
static bool areIdentical(FunctionOpInterface source,
                         FunctionOpInterface target) {
  SetVector<Operation *> a = withCallees(source), b = withCallees(target);
  if (a.size() != b.size())
    return false;
  for (auto [left, right] : llvm::zip(a, b))
    if (!OperationEquivalence::isEquivalentTo(
            left, right, OperationEquivalence::IgnoreLocations))
      return false;
  return true;
}

std::vector<Assumption>
panpipe::tv::choiceAssumptions(FunctionOpInterface source,
                               FunctionOpInterface target) {
  Operation *shared = sharedChoice(source), *merged = mergedChoice(target);
  Operation *read = nanRead(source);
  if (!read)
    read = nanRead(target);
  if ((!shared && !merged && !read) || areIdentical(source, target))
    return {};
  std::vector<Assumption> assumptions;
  if (shared)
    assumptions.push_back(
        {"choices", "each use of " + describe(shared) +
                        " in the source may pick its own result"});
  if (merged)
    assumptions.push_back(
        {"choices", "equal executions of " + describe(merged) +
                        " in the target pick the same result"});
  if (read)
    assumptions.push_back(
        {"nan-bits", "a NaN whose bits " + describe(read) +
                         " reads has the same pattern on both sides"});
  return assumptions;
}
