//===- WitnessCompare.cpp - The ends of two runs --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compares results and final memory by the refinement relation.
///
//===----------------------------------------------------------------------===//

#include "Witness.h"

#include "llvm/ADT/SmallPtrSet.h"

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

static bool differ(Trial &trial, std::string text) {
  trial.kind = Trial::Different;
  trial.isHard = true;
  trial.text = std::move(text);
  return false;
}

/// Compares one value of both sides; fills `trial` on a difference.
static bool compareValue(const std::string &result, const ConcreteValue &source,
                         const ConcreteValue &target, bool usesFloats,
                         Trial &trial) {
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
    bool isOne = source.isScalar() || (source.isMemRef() && source.rank() == 0);
    std::string where = isOne ? "" : " at " + positionText(source.shape(), i);
    trial.text = result + where + ": source " + elementText(type, s) +
                 ", target " + elementText(type, t);
    if (!doubtful)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool panpipe::tv::anyOpen(const Outcome &outcome) {
  for (const std::vector<ValuePtr> *values :
       {&outcome.results, &outcome.memory})
    for (const ValuePtr &value : *values)
      for (int64_t i = 0; i < value->size(); ++i)
        if (value->marks(i) & EM_open)
          return true;
  return false;
}

/// Final contents of the memory that the caller gave, untouched elements
/// included; those of the memref first, whose positions a reader knows.
static bool compareMemory(const std::string &name, const ConcreteValue &source,
                          const ConcreteValue &target, bool usesFloats,
                          Trial &trial) {
  const MemoryBlock &before = *source.view().block;
  const MemoryBlock &after = *target.view().block;
  if (!before.isAlive) // nobody may read it any more
    return true;
  if (!after.isAlive)
    return differ(trial, "the target frees the memory of " + name);
  return compareValue("the memory of " + name, source, target, usesFloats,
                      trial) &&
         compareValue("the memory around " + name, wholeBlock(before),
                      wholeBlock(after), usesFloats, trial);
}

/// Which memory a result is: that of an argument, of an earlier result, or new.
static size_t identityOf(const Outcome &outcome, size_t result) {
  const MemoryBlock *block = outcome.results[result]->view().block.get();
  auto isBlock = [&](const ValuePtr &value) {
    return value->isMemRef() && value->view().block.get() == block;
  };
  auto argument = llvm::find_if(outcome.memory, isBlock);
  if (argument != outcome.memory.end())
    return argument - outcome.memory.begin();
  return outcome.memory.size() +
         (llvm::find_if(outcome.results, isBlock) - outcome.results.begin());
}

static bool isSameView(const ConcreteValue &a, const ConcreteValue &b) {
  return a.shape() == b.shape() &&
         (a.size() == 0 || a.byteOf(0) == b.byteOf(0)) &&
         a.byteOf(std::max<int64_t>(a.size() - 1, 0)) ==
             b.byteOf(std::max<int64_t>(b.size() - 1, 0));
}

static bool compareResult(size_t r, const Outcome &source,
                          const Outcome &target, bool usesFloats,
                          Trial &trial) {
  std::string name = "result #" + std::to_string(r);
  const ConcreteValue &left = *source.results[r], &right = *target.results[r];
  if (!left.isMemRef())
    return compareValue(name, left, right, usesFloats, trial);
  if (!left.view().block->isAlive)
    return true;
  if (!right.view().block->isAlive)
    return differ(trial, name + " is memory that the target has freed");
  if (!compareValue(name, left, right, usesFloats, trial))
    return false;
  size_t which = identityOf(source, r);
  if (which != identityOf(target, r))
    return differ(trial, name + " shares memory with other arguments or "
                                "results than in the source");
  bool isOwn = which == source.memory.size() + r;
  if (!isOwn && left.size() > 0 && !isSameView(left, right))
    return differ(trial, name + " is another part of its memory than in the "
                                "source");
  return true;
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

/// All results, then all memory that was there before.
static void compareValues(const Outcome &source, const Outcome &target,
                          ArrayRef<std::string> names, bool usesFloats,
                          Trial &trial) {
  for (size_t r = 0; r < source.results.size(); ++r)
    if (!compareResult(r, source, target, usesFloats, trial))
      return;
  llvm::SmallPtrSet<const MemoryBlock *, 4> seen;
  for (size_t k = 0; k < source.memory.size(); ++k)
    if (source.memory[k]->isMemRef() && !names[k].empty() &&
        seen.insert(source.memory[k]->view().block.get()).second &&
        !compareMemory(names[k], *source.memory[k], *target.memory[k],
                       usesFloats, trial))
      return;
}

Trial panpipe::tv::compareOutcomes(const Outcome &source, const Outcome &target,
                                   ArrayRef<std::string> names,
                                   bool usesFloats) {
  Trial trial;
  trial.kind = Trial::Same;
  trial.isHard = true;
  if (target.kind == Outcome::Undefined) {
    trial.kind = Trial::Different;
    trial.text =
        "the target is undefined where the source is not: " + target.reason +
        placeText(target.op);
  } else if (target.kind == Outcome::Diverged) {
    trial.kind = Trial::Different;
    trial.isHard = !usesFloats;
    trial.text = target.reason + placeText(target.op);
  } else if (target.calls.size() < source.calls.size()) {
    trial.kind = Trial::Different;
    trial.text = "the target calls nothing where the source calls @" +
                 source.calls[target.calls.size()].callee;
  } else if (target.kind == Outcome::Stuck) {
    trial.kind = Trial::Different;
    trial.text = "the target never finishes: " + target.reason;
  } else {
    compareValues(source, target, names, usesFloats, trial);
  }
  return trial;
}
