//===- Interpreter.cpp - Concrete execution of functions ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The driver: frames, budgets, calls, and the definition of aggregate
/// operations by simpler ones. The dialects are in the Interp*.cpp files.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

//===----------------------------------------------------------------------===//
// Endings and budgets
//===----------------------------------------------------------------------===//

std::optional<ScalarType> Executor::elementType(Type type) const {
  return mapScalarType(getElementTypeOrSelf(type), options.indexWidth);
}

Did Executor::undefined(Operation *op, const Twine &reason) {
  outcome.kind = Outcome::Undefined;
  outcome.reason = reason.str();
  outcome.op = op;
  return Did::Failed;
}

Did Executor::unsupported(Operation *op, const Twine &reason) {
  outcome.kind = Outcome::Unsupported;
  outcome.reason = reason.str();
  outcome.op = op;
  return Did::Failed;
}

bool Executor::spend(Operation *op, uint64_t steps) {
  outcome.steps += steps;
  if (!options.stepBudget || outcome.steps <= options.stepBudget)
    return true;
  outcome.kind = Outcome::OutOfBudget;
  outcome.reason = "more than " + std::to_string(options.stepBudget) + " steps";
  outcome.op = op;
  return false;
}

bool Executor::allocate(Operation *op, ScalarType type,
                        ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0) {
      undefined(op, "negative size " + Twine(extent));
      return false;
    }
    if (extent && count > (uint64_t(1) << 40) / extent)
      count = uint64_t(1) << 40;
    else
      count *= extent;
  }
  bytes += count * (type.width() <= 64 ? 8 : 16);
  if (!options.memoryBudget || bytes <= options.memoryBudget)
    return spend(op, count);
  outcome.kind = Outcome::OutOfBudget;
  outcome.reason = "more than " + std::to_string(options.memoryBudget >> 20) +
                   " MiB of tensors";
  outcome.op = op;
  return false;
}

//===----------------------------------------------------------------------===//
// Indices and unspecified contents
//===----------------------------------------------------------------------===//

std::optional<int64_t> Executor::index(Operation *op,
                                       const ConcreteElement &element,
                                       const char *what) {
  if (element.isPoison()) {
    undefined(op, Twine(what) + " is poison");
    return std::nullopt;
  }
  if (element.isOpen() && options.isSource) {
    undefined(op, Twine(what) + " depends on unspecified contents");
    return std::nullopt;
  }
  if (element.bits.getSignificantBits() > 64) {
    undefined(op, Twine(what) + " is out of range");
    return std::nullopt;
  }
  return element.bits.getSExtValue();
}

std::optional<int64_t> Executor::index(Operation *op, Value value) {
  return index(op, get(value).get(0), "an index");
}

bool Executor::indices(Operation *op, ValueRange values,
                       SmallVectorImpl<int64_t> &result) {
  for (Value value : values) {
    std::optional<int64_t> number = index(op, value);
    if (!number)
      return false;
    result.push_back(*number);
  }
  return true;
}

bool Executor::indices(Operation *op, ArrayRef<OpFoldResult> mixed,
                       SmallVectorImpl<int64_t> &result) {
  for (OpFoldResult item : mixed) {
    if (auto attr = dyn_cast<Attribute>(item)) {
      result.push_back(cast<IntegerAttr>(attr).getInt());
      continue;
    }
    std::optional<int64_t> number = index(op, cast<Value>(item));
    if (!number)
      return false;
    result.push_back(*number);
  }
  return true;
}

ConcreteElement Executor::filler(ScalarType type, int64_t i) const {
  // Distinct small numbers: a value that leaks is easy to see in a report.
  int64_t number = 17 + 3 * int64_t(options.filling) + i % 7;
  if (options.filling % 2)
    number = -number;
  if (!type.isFloat())
    return {llvm::APInt(type.width(), number, true, true), EM_open};
  APFloat value(type.fltSemantics());
  value.convertFromAPInt(llvm::APInt(64, number, true), true,
                         APFloat::rmNearestTiesToEven);
  if (!value.isFinite())
    value = APFloat::getZero(type.fltSemantics());
  return {value.bitcastToAPInt(), EM_open};
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

bool Executor::execute(Operation *op) {
  using Execute = Did (*)(Executor &, Operation *);
  static constexpr Execute dialects[] = {
      executeArith,         executeTensor,    executeTensorViews,
      executeLinalg,        executeIndex,     executeVector,
      executeTosa,          executeMemRef,    executeMemRefViews,
      executeControl,       executeAffineOps, executeParallelLoops,
      executeBufferization, executeFunc,      executePipe};
  for (Execute dialect : dialects) {
    Did did = dialect(*this, op);
    if (did != Did::NotMine)
      return did == Did::Done;
  }
  unsupported(op, "no execution for '" + op->getName().getStringRef() + "'");
  return false;
}

void Executor::trace(Operation *op, Block *entered) {
  SmallVector<ValuePtr> values;
  for (Value value : entered ? ValueRange(entered->getArguments())
                             : ValueRange(op->getResults()))
    values.push_back(getPtr(value));
  options.trace({op, entered, values, written, depth + nesting});
}

bool Executor::runBlock(Block &block, bool isTraced) {
  isTraced &= options.trace && !quiet;
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (isTraced)
      written.clear();
    if (!spend(&op, 1) || !execute(&op))
      return false;
    if (isTraced)
      trace(&op, nullptr);
  }
  return true;
}

Operation *Executor::runRegion(Region &region, ArrayRef<ValuePtr> arguments,
                               SmallVectorImpl<ValuePtr> &results) {
  Operation *parent = region.getParentOp();
  bool isFunction = isa<FunctionOpInterface>(parent);
  bool isScope = parent->hasTrait<OpTrait::AutomaticAllocationScope>();
  size_t stackSize = stack.size();
  Jump next = {&region.front(), SmallVector<ValuePtr>(arguments)};
  nesting += !isFunction;
  Operation *terminator = nullptr;
  while (true) {
    for (auto [argument, value] :
         llvm::zip(next.target->getArguments(), next.values))
      define(argument, value);
    if (options.trace && !quiet && next.target->getNumArguments() &&
        !(isFunction && next.target->isEntryBlock()))
      trace(parent, next.target);
    if (!runBlock(*next.target, /*isTraced=*/true))
      break;
    Operation *last = next.target->getTerminator();
    if (!spend(last, 1))
      break;
    if (!isBranch(last)) {
      terminator = last;
      for (Value operand : last->getOperands())
        results.push_back(getPtr(operand));
      break;
    }
    std::optional<Jump> jump = executeBranch(*this, last);
    if (!jump)
      break;
    next = std::move(*jump);
  }
  nesting -= !isFunction;
  written.clear(); // these are not the surrounding operation's
  while (isScope && stack.size() > stackSize) {
    stack.back()->isAlive = false;
    stack.pop_back();
  }
  return terminator;
}

SmallVector<ValuePtr> Executor::terminatorValues(Block &block) {
  SmallVector<ValuePtr> values;
  for (Value operand : block.getTerminator()->getOperands())
    values.push_back(getPtr(operand));
  return values;
}

bool Executor::call(Operation *callee, ArrayRef<ValuePtr> arguments,
                    SmallVectorImpl<ValuePtr> &results) {
  auto function = cast<FunctionOpInterface>(callee);
  if (function.isExternal()) {
    unsupported(callee, "a function without body");
    return false;
  }
  if (depth > 200) {
    unsupported(callee, "calls nested more than 200 deep");
    return false;
  }
  Frame inner;
  Frame *outer = std::exchange(frame, &inner);
  unsigned outerNesting = std::exchange(nesting, 0);
  depth += outerNesting + 1;
  bool ok;
  if (isa<pipe::PipelineOp>(callee)) {
    for (auto [argument, value] : llvm::zip(function.getArguments(), arguments))
      inner[argument] = value;
    ok = runPipeline(*this, callee, results);
  } else {
    ok = runRegion(function.getFunctionBody(), arguments, results) != nullptr;
  }
  nesting = outerNesting;
  depth -= outerNesting + 1;
  frame = outer;
  return ok;
}

Outcome panpipe::tv::interpret(Operation *function,
                               ArrayRef<ValuePtr> arguments,
                               const InterpreterOptions &options) {
  Executor executor(options);
  SmallVector<ValuePtr> values, results;
  for (const ValuePtr &argument : arguments)
    values.push_back(executor.importValue(argument));
  Outcome &outcome = executor.outcome;
  outcome.memory.assign(values.begin(), values.end());
  for (const auto &[name, value] : options.globals)
    outcome.memory.push_back(executor.globals[name] =
                                 executor.importValue(value));
  llvm::SmallPtrSet<const MemoryBlock *, 8> seen;
  for (const ValuePtr &value : outcome.memory)
    if (value->isMemRef() && seen.insert(value->view().block.get()).second)
      executor.reachable.push_back(value);
  if (executor.call(function, values, results))
    outcome.results.assign(results.begin(), results.end());
  return std::move(outcome);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// Rewrites `op` into simpler operations, upstream's way.
static LogicalResult expand(Operation *op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return success(succeeded(linalg::lowerPack(rewriter, pack)));
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return success(succeeded(linalg::lowerUnPack(rewriter, unpack)));
  auto aggregate = dyn_cast<linalg::AggregatedOpInterface>(op);
  if (!aggregate)
    return failure();
  FailureOr<SmallVector<Value>> values = aggregate.decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

Operation *Executor::definition(Operation *op) {
  auto found = definitions.find(op);
  if (found == definitions.end()) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
    IRRewriter rewriter(op->getContext());
    rewriter.setInsertionPointToStart(module->getBody());
    auto function = func::FuncOp::create(
        rewriter, op->getLoc(), "definition",
        rewriter.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    Block *body = function.addEntryBlock();
    rewriter.setInsertionPointToStart(body);
    IRMapping mapping;
    mapping.map(op->getOperands(), body->getArguments());
    Operation *clone = rewriter.clone(*op, mapping);
    func::ReturnOp::create(rewriter, op->getLoc(), clone->getResults());
    if (failed(expand(clone, rewriter)))
      module = nullptr;
    found = definitions.try_emplace(op, std::move(module)).first;
  }
  if (!found->second)
    return nullptr;
  return &found->second->getBody()->front();
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

bool panpipe::tv::isInterpretable(Operation *op) {
  return knowsArith(op) || knowsIndex(op) || knowsVector(op) || knowsTosa(op) ||
         knowsTensor(op) || knowsLinalg(op) || knowsMemRef(op) ||
         knowsMemRefViews(op) || knowsControl(op) || knowsAffineOps(op) ||
         knowsParallel(op) || knowsBufferization(op) || knowsFunc(op) ||
         knowsPipe(op);
}

Operation *panpipe::tv::findNotInterpretable(Operation *function) {
  Operation *first = nullptr;
  SmallVector<Operation *> queue = {function};
  llvm::SmallPtrSet<Operation *, 8> seen = {function};
  while (!queue.empty() && !first) {
    Operation *current = queue.pop_back_val();
    current->walk([&](Operation *op) {
      if (op == current)
        return WalkResult::advance();
      if (!isInterpretable(op)) {
        first = op;
        return WalkResult::interrupt();
      }
      SymbolRefAttr callee;
      if (auto call = dyn_cast<func::CallOp>(op))
        callee = call.getCalleeAttr();
      else if (auto run = dyn_cast<pipe::RunOp>(op))
        callee = run.getCalleeAttr();
      if (callee)
        if (Operation *target =
                SymbolTable::lookupNearestSymbolFrom(op, callee))
          if (seen.insert(target).second)
            queue.push_back(target);
      return WalkResult::advance();
    });
  }
  return first;
}
