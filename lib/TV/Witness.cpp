//===- Witness.cpp - Refutation by execution ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Running two functions side by side. A difference counts only if no choice of
/// the source explains it: elements marked open refute nothing.
///
//===----------------------------------------------------------------------===//

#include "Witness.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Calls `visit` for each operation of a function and of those that it calls.
static void walkWithCallees(Operation *function,
                            llvm::function_ref<void(Operation *)> visit) {
  SmallVector<Operation *> queue = {function};
  llvm::SmallPtrSet<Operation *, 8> seen = {function};
  while (!queue.empty()) {
    Operation *current = queue.pop_back_val();
    current->walk([&](Operation *op) {
      visit(op);
      for (NamedAttribute attr : op->getAttrs())
        if (auto callee = dyn_cast<FlatSymbolRefAttr>(attr.getValue()))
          if (Operation *target =
                  SymbolTable::lookupNearestSymbolFrom(op, callee))
            if (seen.insert(target).second)
              queue.push_back(target);
    });
  }
}

static bool computesWithFloats(Operation *function) {
  bool found = false;
  walkWithCallees(function, [&](Operation *op) {
    for (Type type : op->getOperandTypes())
      found |= isa<FloatType>(getElementTypeOrSelf(type));
  });
  return found;
}

/// True if the module of `global` only ever reads it, so that it holds its
/// initial value.
static bool isOnlyRead(memref::GlobalOp global) {
  auto uses = SymbolTable::getSymbolUses(global, global->getParentOp());
  if (!global.isPrivate() || global.isUninitialized() || !uses)
    return false;
  for (const SymbolTable::SymbolUse &use : *uses)
    for (Operation *user : use.getUser()->getUsers())
      if (!isa<memref::LoadOp, affine::AffineLoadOp, memref::DimOp>(user))
        return false;
  return true;
}

/// What the functions may read or write besides their arguments. The contents
/// at the start are whatever earlier calls left there.
static std::vector<GlobalInput> findGlobals(Operation *source,
                                            Operation *target) {
  std::vector<GlobalInput> globals;
  for (auto both : {std::pair{source, target}, {target, source}})
    walkWithCallees(both.first, [&](Operation *op) {
      auto get = dyn_cast<memref::GetGlobalOp>(op);
      if (!get)
        return;
      auto find = [&](Operation *from) {
        return SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
            from, get.getNameAttr());
      };
      memref::GlobalOp global = find(op), partner = find(both.second);
      if (!global || global.getConstant() || isOnlyRead(global) ||
          llvm::any_of(globals, [&](const GlobalInput &known) {
            return known.name == get.getName();
          }))
        return;
      bool isCompared = partner && partner.getType() == global.getType();
      globals.push_back({get.getName().str(), global.getType(), isCompared});
    });
  return globals;
}

Witness::Witness(FunctionOpInterface source, FunctionOpInterface target,
                 unsigned indexWidth)
    : source(source), target(target), types(source.getArgumentTypes()),
      names(argumentNames(source)), globals(findGlobals(source, target)),
      generator(addGlobals(), indexWidth), indexWidth(indexWidth),
      usesFloats(computesWithFloats(source) || computesWithFloats(target)) {
  if (!generator.isSupported())
    notRun = "an argument of a type without concrete values";
}

/// Globals are inputs behind the arguments. One that only one side declares is
/// not compared: it has no name.
ArrayRef<Type> Witness::addGlobals() {
  for (const GlobalInput &global : globals) {
    types.push_back(global.type);
    names.push_back(global.isCompared ? "@" + global.name : "");
  }
  return types;
}

static Trial notRunBecause(const char *side, const Outcome &outcome) {
  Trial trial;
  trial.kind = Trial::NotRun;
  trial.text = std::string(side) + ": " + outcome.reason;
  trial.steps = outcome.steps;
  return trial;
}

InterpreterOptions Witness::optionsFor(ArrayRef<ValuePtr> inputs) const {
  InterpreterOptions options;
  options.indexWidth = indexWidth;
  for (auto [global, value] :
       llvm::zip(globals, inputs.take_back(globals.size())))
    options.globals.emplace_back(global.name, value);
  return options;
}

Trial Witness::run(ArrayRef<ValuePtr> inputs, uint64_t steps) const {
  InterpreterOptions options = optionsFor(inputs);
  options.stepBudget = steps;
  options.isSource = true;
  ArrayRef<ValuePtr> arguments = inputs.drop_back(globals.size());
  Outcome left = interpret(source, arguments, options);
  if (left.kind == Outcome::Unsupported || left.kind == Outcome::OutOfBudget)
    return notRunBecause("source", left);
  if (left.kind != Outcome::Finished) {
    Trial trial;
    trial.kind = Trial::SourceUndefined;
    trial.steps = left.steps;
    return trial;
  }
  options.isSource = false;
  options.replay = &left.calls;
  Trial trial;
  uint64_t total = left.steps;
  // Other fillings only where the target's results depend on them.
  for (options.filling = 0; options.filling < 3; ++options.filling) {
    Outcome right = interpret(target, arguments, options);
    total += right.steps;
    if (right.kind == Outcome::Unsupported ||
        right.kind == Outcome::OutOfBudget)
      return notRunBecause("target", right);
    trial = compareOutcomes(left, right, names, usesFloats);
    if (trial.kind != Trial::Same || !anyOpen(right))
      break;
  }
  trial.steps = total;
  // An assumption about arguments may explain it.
  trial.isHard &= !shareMemory(inputs);
  return trial;
}

bool Witness::note(const Trial &trial) {
  if (trial.kind == Trial::SourceUndefined)
    ++undefined;
  else if (trial.kind != Trial::NotRun)
    ++defined;
  else if (notRun.empty())
    notRun = trial.text;
  return trial.kind != Trial::NotRun;
}

std::optional<Found> Witness::search(uint64_t steps, unsigned count) {
  if (!generator.isSupported() ||
      generator.elements() > int64_t(std::max<uint64_t>(steps, 1)))
    return std::nullopt;
  if (std::optional<uint64_t> all = generator.exhaustive()) {
    count = *all;
    if (nextInput >= *all)
      return std::nullopt;
  }
  uint64_t spent = 0;
  for (unsigned i = 0; i < count && spent < steps; ++i) {
    if (generator.exhaustive() && nextInput >= *generator.exhaustive())
      break;
    std::vector<ValuePtr> inputs = generator.make(nextInput++);
    Trial trial = run(inputs, steps - spent);
    spent += trial.steps + 50 + generator.elements();
    if (!note(trial))
      break;
    if (trial.kind == Trial::Different)
      return Found{std::move(inputs), std::move(trial)};
  }
  return std::nullopt;
}

/// Another size, filled cyclically.
static void resize(ValuePtr &input, unsigned dimension, int64_t size) {
  const ConcreteValue &old = *input;
  if (int64_t(dimension) >= old.rank())
    return;
  SmallVector<int64_t> shape(old.shape());
  shape[dimension] = size;
  ConcreteValue fresh(old.type(), shape);
  for (int64_t i = 0; i < fresh.size() && old.size(); ++i)
    fresh.copy(i, old, i % old.size());
  if (old.isMemRef())
    fresh = makeMemRef(fresh, ConcreteValue::stridesOf(shape), 0);
  input = std::make_shared<ConcreteValue>(std::move(fresh));
}

/// Overwrites what the model fixes in a generated input; a size it fixes makes
/// the argument anew, filled cyclically.
static std::vector<ValuePtr> complete(const Candidate &candidate,
                                      std::vector<ValuePtr> inputs) {
  for (const Candidate::Size &size : candidate.sizes)
    if (size.argument < inputs.size() && size.size >= 0 && size.size <= 64)
      resize(inputs[size.argument], size.dimension, size.size);
  InputEdit edit(inputs);
  for (const Candidate::Element &element : candidate.elements) {
    if (element.argument >= inputs.size())
      continue;
    const ConcreteValue &value = *inputs[element.argument];
    if (int64_t(element.index.size()) != value.rank() ||
        element.value.bits.getBitWidth() != value.type().width())
      continue;
    int64_t position = 0;
    bool inside = true;
    for (auto [i, extent] : llvm::zip(element.index, value.shape())) {
      inside &= i >= 0 && i < extent;
      position = position * extent + i;
    }
    if (inside)
      edit.set(element.argument, position,
               {element.value.bits,
                uint8_t(element.value.poison ? EM_poison : EM_none)});
  }
  return edit.take();
}

std::optional<Found> Witness::search(ArrayRef<Candidate> candidates,
                                     uint64_t steps) {
  if (!generator.isSupported())
    return std::nullopt;
  uint64_t spent = 0;
  // Zeros, ones, distinct values and a mixture around the fixed elements.
  for (const Candidate &candidate : candidates)
    for (uint64_t base : {2u, 0u, 4u, 30u}) {
      if (spent >= steps)
        return std::nullopt;
      std::vector<ValuePtr> inputs = complete(candidate, generator.make(base));
      Trial trial = run(inputs, steps - spent);
      spent += trial.steps + 50;
      note(trial);
      if (trial.kind == Trial::Different)
        return Found{std::move(inputs), std::move(trial)};
    }
  return std::nullopt;
}
