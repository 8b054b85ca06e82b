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
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace panpipe::tv;

/// Does an execution of `op` pick its result from a set?
static bool isSetValued(Operation *op) {
  if (isa<arith::MaxNumFOp, arith::MinNumFOp>(op))
    return true;
  if (auto kind = op->getAttrOfType<vector::CombiningKindAttr>("kind"))
    if (kind.getValue() == vector::CombiningKind::MAXNUMF ||
        kind.getValue() == vector::CombiningKind::MINNUMF)
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

/// No element of the operand is read twice, as an input or initial value.
static bool readsOnce(linalg::LinalgOp op, OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return op.isDpsInit(&operand) ? map.isProjectedPermutation()
                                : map.isPermutation();
}

/// Where the value of an operation goes, if only one element of one result of
/// the function depends on each of its executions; else true.
static bool isSharedBelow(Operation *op, Operation *function) {
  SmallVector<Value> stack(op->getResults());
  while (!stack.empty()) {
    Value value = stack.pop_back_val();
    if (value.use_empty())
      continue;
    if (!value.hasOneUse())
      return true;
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    Operation *parent = user->getParentOp();
    auto around = dyn_cast<linalg::LinalgOp>(parent);
    if (user->hasTrait<OpTrait::IsTerminator>() && around) {
      // From the body out: each execution contributes to one element.
      stack.push_back(parent->getResult(use.getOperandNumber()));
      continue;
    }
    if (value.getParentBlock()->getParentOp() != parent ||
        (parent != function && !around))
      return true;
    if (auto into = dyn_cast<linalg::LinalgOp>(user)) {
      // Into a body: its argument is used in turn.
      if (!readsOnce(into, use))
        return true;
      stack.push_back(into.getMatchingBlockArgument(&use));
      continue;
    }
    // Whole tensors may be read more than once by anything else.
    if (user->getNumRegions() != 0 ||
        (isa<ShapedType>(value.getType()) &&
         !user->hasTrait<OpTrait::Elementwise>() &&
         !user->hasTrait<OpTrait::IsTerminator>()))
      return true;
    llvm::append_range(stack, user->getResults());
  }
  return op->getParentOp() != function &&
         !isa<linalg::LinalgOp>(op->getParentOp());
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
/// execution, of itself or of one of the same kind.
static Operation *mergedChoice(FunctionOpInterface target) {
  SmallVector<Operation *> seen;
  for (Operation *function : withCallees(target)) {
    Operation *found = nullptr;
    function->walk([&](Operation *op) {
      if (found || !isSetValued(op))
        return;
      // Elements of a tensor are executions, too.
      bool straight =
          function == target.getOperation() && op->getParentOp() == function &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
      bool equal = llvm::any_of(seen, [&](Operation *other) {
        return other->getName() == op->getName();
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
             vector::BitCastOp, arith::NegFOp, math::AbsFOp, math::CopySignOp,
             arith::SelectOp>(definition))
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
      if (isa<arith::BitcastOp, tensor::BitcastOp, vector::BitCastOp>(op) &&
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

bool panpipe::tv::readsBitsOfNaN(FunctionOpInterface source,
                                 FunctionOpInterface target) {
  return nanRead(source) || nanRead(target);
}

std::vector<Assumption>
panpipe::tv::pickAssumptions(FunctionOpInterface source,
                             ArrayRef<Operation *> free,
                             ArrayRef<Operation *> merged) {
  std::vector<Assumption> assumptions;
  auto add = [&](std::string text) {
    if (llvm::none_of(assumptions,
                      [&](const Assumption &a) { return a.detail == text; }))
      assumptions.push_back({"choices", std::move(text)});
  };
  for (Operation *op : free)
    if (isSharedBelow(op, source))
      add("each use of " + describe(op) +
          " in the source may pick its own result");
  for (Operation *op : merged)
    add("equal executions of " + describe(op) +
        " in the target pick the same result");
  return assumptions;
}
