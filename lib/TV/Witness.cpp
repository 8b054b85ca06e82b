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

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// True if two float results of a library function may differ by its last bits.
static bool areClose(ScalarType type, const llvm::APInt &a,
                     const llvm::APInt &b) {
  if (!type.isFloat() || type.width() > 64)
    return false;
  APFloat x(type.fltSemantics(), a), y(type.fltSemantics(), b);
  if (!x.isFinite() || !y.isFinite())
    return false;
  bool lossy;
  x.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  y.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  double p = x.convertToDouble(), q = y.convertToDouble();
  unsigned precision =
      llvm::APFloatBase::semanticsPrecision(type.fltSemantics());
  double unit = std::ldexp(1.0, -int(std::min(precision, 40u)) + 5);
  return std::abs(p - q) <= unit * std::max(std::abs(p), std::abs(q)) ||
         std::abs(p - q) <= unit * 1e-3;
}

static std::string positionText(ArrayRef<int64_t> shape, int64_t linear) {
  std::string text;
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(shape);
  for (auto [stride, extent] : llvm::zip(strides, shape))
    text += (text.empty() ? "" : ", ") +
            std::to_string(stride ? linear / stride % extent : 0);
  return "[" + text + "]";
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return shape.empty() ? "a scalar" : text;
}

static std::string elementText(ScalarType type, const ConcreteElement &e) {
  return toString(type, ScalarValue{e.bits, e.isPoison()});
}

/// Compares one result; fills `trial` on a difference.
static bool compareResult(unsigned number, const ConcreteValue &source,
                          const ConcreteValue &target, bool usesFloats,
                          Trial &trial) {
  std::string result = "result #" + std::to_string(number);
  if (source.shape() != target.shape()) {
    trial.kind = Trial::Different;
    trial.isHard = true;
    trial.text = result + " has shape " + shapeText(source.shape()) +
                 " in the source, " + shapeText(target.shape()) +
                 " in the target";
    return false;
  }
  for (int64_t i = 0; i < source.size(); ++i) {
    ConcreteElement s = source.get(i), t = target.get(i);
    if (s.isPoison() || s.isOpen())
      continue;
    ScalarType type = source.type();
    bool same = !t.isPoison() && (s.bits == t.bits ||
                                  (isNaN(type, s.bits) && isNaN(type, t.bits)));
    if (same)
      continue;
    bool doubtful = !t.isPoison() && ((s.marks | t.marks) & EM_library) &&
                    areClose(type, s.bits, t.bits);
    if (doubtful && trial.kind == Trial::Doubtful)
      continue;
    trial.kind = doubtful ? Trial::Doubtful : Trial::Different;
    trial.isHard = !usesFloats || t.isPoison();
    std::string where =
        source.isScalar() ? "" : " at " + positionText(source.shape(), i);
    trial.text = result + where + ": source " + elementText(type, s) +
                 ", target " + elementText(type, t);
    if (!doubtful)
      return false;
  }
  return true;
}

static bool anyOpen(const Outcome &outcome) {
  for (const ValuePtr &value : outcome.results)
    for (int64_t i = 0; i < value->size(); ++i)
      if (value->marks(i) & EM_open)
        return true;
  return false;
}

static std::string placeText(Operation *op) {
  if (!op)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << " ('" << op->getName() << "'";
  if (auto file = dyn_cast<FileLineColLoc>(op->getLoc()))
    os << ", line " << file.getLine();
  os << ")";
  return text;
}

/// Compares the ends of two runs.
static Trial compareOutcomes(const Outcome &source, const Outcome &target,
                             bool usesFloats) {
  Trial trial;
  trial.kind = Trial::Same;
  trial.isHard = true;
  if (target.kind == Outcome::Undefined) {
    trial.kind = Trial::Different;
    trial.text =
        "the target is undefined where the source is not: " + target.reason +
        placeText(target.op);
  } else if (target.kind == Outcome::Stuck) {
    trial.kind = Trial::Different;
    trial.text = "the target never finishes: " + target.reason;
  } else {
    for (unsigned r = 0; r < source.results.size(); ++r)
      if (!compareResult(r, *source.results[r], *target.results[r], usesFloats,
                         trial))
        break;
  }
  return trial;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Whether a function, or one that it calls, computes with floats.
static bool computesWithFloats(Operation *function) {
  SmallVector<Operation *> queue = {function};
  llvm::SmallPtrSet<Operation *, 8> seen = {function};
  bool found = false;
  while (!queue.empty() && !found) {
    Operation *current = queue.pop_back_val();
    current->walk([&](Operation *op) {
      for (Type type : op->getOperandTypes())
        found |= isa<FloatType>(getElementTypeOrSelf(type));
      for (NamedAttribute attr : op->getAttrs())
        if (auto callee = dyn_cast<FlatSymbolRefAttr>(attr.getValue()))
          if (Operation *target =
                  SymbolTable::lookupNearestSymbolFrom(op, callee))
            if (seen.insert(target).second)
              queue.push_back(target);
    });
  }
  return found;
}

Witness::Witness(FunctionOpInterface source, FunctionOpInterface target,
                 unsigned indexWidth)
    : source(source), target(target),
      generator(source.getArgumentTypes(), indexWidth),
      types(source.getArgumentTypes()), indexWidth(indexWidth),
      usesFloats(computesWithFloats(source) || computesWithFloats(target)) {
  if (!generator.isSupported())
    notRun = "an argument of a type without concrete values";
}

static Trial notRunBecause(const char *side, const Outcome &outcome) {
  Trial trial;
  trial.kind = Trial::NotRun;
  trial.text = std::string(side) + ": " + outcome.reason;
  trial.steps = outcome.steps;
  return trial;
}

Trial Witness::run(ArrayRef<ValuePtr> inputs, uint64_t steps) const {
  InterpreterOptions options;
  options.indexWidth = indexWidth;
  options.stepBudget = steps;
  options.isSource = true;
  Outcome left = interpret(source, inputs, options);
  if (left.kind == Outcome::Unsupported || left.kind == Outcome::OutOfBudget)
    return notRunBecause("source", left);
  if (left.kind != Outcome::Finished) {
    Trial trial;
    trial.kind = Trial::SourceUndefined;
    trial.steps = left.steps;
    return trial;
  }
  options.isSource = false;
  Trial trial;
  uint64_t total = left.steps;
  // Other fillings only where the target's results depend on them.
  for (options.filling = 0; options.filling < 3; ++options.filling) {
    Outcome right = interpret(target, inputs, options);
    total += right.steps;
    if (right.kind == Outcome::Unsupported ||
        right.kind == Outcome::OutOfBudget)
      return notRunBecause("target", right);
    trial = compareOutcomes(left, right, usesFloats);
    if (trial.kind != Trial::Same || !anyOpen(right))
      break;
  }
  trial.steps = total;
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

/// Overwrites what the model fixes in a generated input; a size it fixes makes
/// the argument anew, filled cyclically.
static std::vector<ValuePtr> complete(const Candidate &candidate,
                                      std::vector<ValuePtr> inputs) {
  std::vector<ConcreteValue> values;
  for (const ValuePtr &input : inputs)
    values.push_back(*input);
  for (const Candidate::Size &size : candidate.sizes) {
    if (size.argument >= values.size() || size.size < 0 || size.size > 64)
      continue;
    ConcreteValue &old = values[size.argument];
    if (int64_t(size.dimension) >= old.rank())
      continue;
    SmallVector<int64_t> shape(old.shape());
    shape[size.dimension] = size.size;
    ConcreteValue fresh(old.type(), shape);
    for (int64_t i = 0; i < fresh.size() && old.size(); ++i)
      fresh.copy(i, old, i % old.size());
    old = std::move(fresh);
  }
  for (const Candidate::Element &element : candidate.elements) {
    if (element.argument >= values.size())
      continue;
    ConcreteValue &value = values[element.argument];
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
      value.set(position,
                {element.value.bits,
                 uint8_t(element.value.poison ? EM_poison : EM_none)});
  }
  std::vector<ValuePtr> result;
  for (ConcreteValue &value : values)
    result.push_back(std::make_shared<ConcreteValue>(std::move(value)));
  return result;
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

//===----------------------------------------------------------------------===//
// Minimisation
//===----------------------------------------------------------------------===//

namespace {
/// Greedy simplification of one found input.
class Minimiser {
public:
  Minimiser(const Witness &witness, Found &found, uint64_t steps)
      : witness(witness), found(found), left(steps) {}

  void run() {
    for (unsigned k = 0; k < found.inputs.size(); ++k)
      replace(k, 0, found.inputs[k]->size(), 0);
    for (unsigned k = 0; k < found.inputs.size(); ++k)
      for (int64_t size = found.inputs[k]->size() / 2; size >= 1; size /= 2)
        // From the end: what remains is near the beginning.
        for (int64_t at = (found.inputs[k]->size() - 1) / size * size; at >= 0;
             at -= size)
          if (!replace(k, at, size, 0) && left == 0)
            return;
    for (unsigned k = 0; k < found.inputs.size(); ++k)
      for (int64_t i = 0; i < found.inputs[k]->size(); ++i)
        for (int64_t number : {1, 2, -1, 3})
          if (simplerThan(k, i, number) && replace(k, i, 1, number))
            break;
  }

private:
  /// `number` of the type of argument k.
  llvm::APInt pattern(unsigned k, int64_t number) const {
    ScalarType type = found.inputs[k]->type();
    if (!type.isFloat())
      return llvm::APInt(type.width(), number, true, true);
    APFloat value(type.fltSemantics());
    value.convertFromAPInt(llvm::APInt(64, number, true), true,
                           APFloat::rmNearestTiesToEven);
    return value.bitcastToAPInt();
  }
  /// Zeros and ones stay as they are.
  bool simplerThan(unsigned k, int64_t i, int64_t number) const {
    ConcreteElement old = found.inputs[k]->get(i);
    if (!old.marks && old.bits.isZero())
      return false;
    for (int64_t other : {1, 2, -1, 3}) {
      if (!old.marks && old.bits == pattern(k, other))
        return false;
      if (other == number)
        break;
    }
    return true;
  }
  /// Puts `number` into a range of elements; keeps it if a difference remains.
  bool replace(unsigned k, int64_t at, int64_t size, int64_t number) {
    ConcreteValue value = *found.inputs[k];
    llvm::APInt bits = pattern(k, number);
    bool changed = false;
    for (int64_t i = at; i < std::min(at + size, value.size()); ++i) {
      changed |= value.get(i).bits != bits || value.marks(i);
      value.set(i, {bits, EM_none});
    }
    if (!changed || left == 0)
      return false;
    std::vector<ValuePtr> inputs = found.inputs;
    inputs[k] = std::make_shared<ConcreteValue>(std::move(value));
    Trial trial = witness.run(inputs, left);
    left -= std::min(left, trial.steps + 50);
    // A hard difference must not become one of rounding.
    if (trial.kind != Trial::Different || (found.trial.isHard && !trial.isHard))
      return false;
    found.inputs = std::move(inputs);
    found.trial = std::move(trial);
    return true;
  }

  const Witness &witness;
  Found &found;
  uint64_t left;
};
} // namespace

Found Witness::minimise(Found found, uint64_t steps) const {
  Minimiser(*this, found, steps).run();
  return found;
}
