//===- WitnessText.cpp - A counterexample in words and values -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Describes a found difference: inputs, the values after each operation up to
/// the first one that the other side does not have, the differing element.
///
//===----------------------------------------------------------------------===//

#include "Witness.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

using namespace mlir;
using namespace panpipe::tv;

namespace {

/// Names a value by a hash of its type and elements, and, so that a part of a
/// batch is found in the whole, each of its rows.
struct Fingerprint {
  uint64_t whole = 0, shape = 0;
  std::vector<uint64_t> rows;
};

using Fingerprints = llvm::DenseSet<uint64_t>;

/// One executed operation.
struct Step {
  std::string line;                ///< "%0 = arith.addf %arg0, %cst"
  std::vector<std::string> values; ///< printed short
  std::vector<Fingerprint> prints; ///< of the values
  bool isTrivial;                  ///< constants and empty tensors
};

/// Names of values as the printer of MLIR gives them, per function.
class Names {
public:
  std::string of(Value value) {
    Operation *function = value.getParentRegion()->getParentOp();
    while (function && !isa<FunctionOpInterface>(function))
      function = function->getParentOp();
    if (!function)
      return "%?";
    auto &state = states[function];
    if (!state)
      state = std::make_unique<AsmState>(function,
                                         OpPrintingFlags().assumeVerified());
    std::string text;
    llvm::raw_string_ostream os(text);
    value.printAsOperand(os, *state);
    return text;
  }

private:
  std::map<Operation *, std::unique_ptr<AsmState>> states;
};

} // namespace

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

static uint64_t hashOf(const ConcreteValue &value, int64_t begin, int64_t end,
                       ArrayRef<int64_t> shape) {
  uint64_t hash = 1;
  for (char c : toString(value.type()))
    hash = mix(hash, uint64_t(c));
  for (int64_t extent : shape)
    hash = mix(hash, extent);
  for (int64_t i = begin; i < end; ++i) {
    if (value.marks(i) & EM_poison) {
      hash = mix(hash, 1);
      continue;
    }
    if (value.isCompact() && !value.type().isFloat()) {
      hash = mix(mix(hash, 3), value.word(i));
      continue;
    }
    llvm::APInt bits = value.get(i).bits;
    hash = mix(hash, isNaN(value.type(), bits) ? 2 : 3);
    for (unsigned w = 0; w < bits.getNumWords(); ++w)
      hash = mix(hash, bits.getRawData()[w]);
  }
  // The marks of DenseSet are no hashes.
  return hash >> 2;
}

static Fingerprint fingerprintOf(const ConcreteValue &value) {
  Fingerprint print;
  print.whole = hashOf(value, 0, value.size(), value.shape());
  print.shape = hashOf(value, 0, 0, value.shape());
  if (value.rank() < 2 || value.shape()[0] < 1 || value.size() == 0)
    return print;
  int64_t row = value.size() / value.shape()[0];
  for (int64_t i = 0; i < value.shape()[0]; ++i)
    print.rows.push_back(
        hashOf(value, i * row, (i + 1) * row, value.shape().drop_front()));
  return print;
}

/// Rows count only where the other side has no value of that shape.
static bool isKnown(const Fingerprint &print, const Fingerprints &others) {
  return others.contains(print.whole) ||
         (!print.rows.empty() && !others.contains(print.shape) &&
          llvm::all_of(print.rows,
                       [&](uint64_t row) { return others.contains(row); }));
}

static std::string lineOf(Operation *op, Names &names) {
  std::string line;
  for (Value result : op->getResults())
    line += (line.empty() ? "" : ", ") + names.of(result);
  if (!line.empty())
    line += " = ";
  line += op->getName().getStringRef();
  if (auto callee = op->getAttrOfType<SymbolRefAttr>("callee"))
    line += " @" + callee.getLeafReference().str();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    line += (i ? ", " : " ") + names.of(operand);
  return line;
}

/// "%m[0, 1] = 3.0" for each element that was written; the memref is the last
/// one among the operands.
static void addWritten(Step &step, const TraceEvent &event, Names &names) {
  std::string name = "memory";
  for (Value operand : event.op->getOperands())
    if (isa<BaseMemRefType>(operand.getType()))
      name = names.of(operand);
  for (const WrittenElement &written : event.written) {
    ConcreteValue element =
        ConcreteValue::scalar(written.memref->type(), written.element);
    std::string index;
    for (int64_t i : written.index)
      index += (index.empty() ? "" : ", ") + std::to_string(i);
    step.values.push_back(name + "[" + index + "] = " + element.str());
    Fingerprint print = fingerprintOf(element);
    for (int64_t i : written.index)
      print.whole = mix(print.whole, i) >> 2;
    step.prints.push_back(print);
  }
}

/// "scf.for: %arg1 = 0, %arg2 = 5" when an iteration begins.
static std::string enteredLine(const TraceEvent &event, Names &names) {
  std::string line = isa<FunctionOpInterface>(event.op)
                         ? std::string("next block")
                         : event.op->getName().getStringRef().str();
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip(event.entered->getArguments(), event.values)))
    line += (i ? ", " : ": ") + names.of(std::get<0>(pair)) + " = " +
            std::get<1>(pair)->str(4);
  return line;
}

static Step stepOf(const TraceEvent &event, Names &names) {
  Step step;
  step.line = std::string(2 * (event.depth - 1), ' ');
  step.isTrivial = true;
  if (event.entered) {
    step.line += enteredLine(event, names);
    return step;
  }
  step.line += lineOf(event.op, names);
  for (const ValuePtr &value : event.values) {
    step.values.push_back(value->str(8));
    step.prints.push_back(fingerprintOf(*value));
  }
  addWritten(step, event, names);
  // Memory by itself is no result: what is read from it is.
  bool isView = !event.values.empty() && event.values[0]->isMemRef();
  step.isTrivial =
      isView ||
      isa<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp>(event.op);
  return step;
}

static std::vector<Step> runTraced(Operation *function,
                                   ArrayRef<ValuePtr> inputs,
                                   InterpreterOptions options,
                                   std::string &ending,
                                   std::vector<CallRecord> *calls = nullptr) {
  std::vector<Step> steps;
  Names names;
  options.trace = [&](const TraceEvent &event) {
    if (steps.size() <= 100'000)
      steps.push_back(stepOf(event, names));
  };
  Outcome outcome = interpret(function, inputs, options);
  if (outcome.kind == Outcome::Undefined)
    ending = (outcome.op ? lineOf(outcome.op, names) : std::string()) +
             "  ->  undefined: " + outcome.reason;
  else if (outcome.kind == Outcome::Diverged)
    ending = lineOf(outcome.op, names) + "  ->  " + outcome.reason;
  else if (outcome.kind == Outcome::Stuck)
    ending = "the programs wait for ever: " + outcome.reason;
  if (calls)
    *calls = std::move(outcome.calls);
  return steps;
}

static std::string textOf(const Step &step) {
  std::string text = step.line;
  for (auto [i, value] : llvm::enumerate(step.values))
    text += (i ? "; " : "  ->  ") + value;
  return text;
}

/// Lines up to and with the first value that is not among `others`.
static std::vector<std::string>
linesUpToDifference(const std::vector<Step> &steps, const Fingerprints &others,
                    const std::string &ending) {
  std::vector<std::string> lines;
  if (steps.empty() && ending.empty())
    lines.push_back("  (no operations)");
  for (const Step &step : steps) {
    bool known = step.isTrivial ||
                 llvm::all_of(step.prints, [&](const Fingerprint &print) {
                   return isKnown(print, others);
                 });
    lines.push_back((known ? "  " : "! ") + textOf(step));
    if (!known && &step != &steps.back()) {
      lines.push_back("  …");
      return lines;
    }
  }
  if (!ending.empty())
    lines.push_back("! " + ending);
  else if (!steps.empty() && !steps.back().isTrivial)
    lines.back()[0] = '!'; // by elimination: what the function returns
  // A long way there is cut in its middle.
  constexpr size_t head = 6, tail = 18;
  if (lines.size() > head + tail + 1) {
    size_t hidden = lines.size() - head - tail;
    lines.erase(lines.begin() + head, lines.end() - tail);
    lines.insert(lines.begin() + head, "  … " + std::to_string(hidden) +
                                           " operations with values "
                                           "that both sides have …");
  }
  return lines;
}

static Fingerprints printsOf(const std::vector<Step> &steps,
                             ArrayRef<ValuePtr> inputs) {
  Fingerprints prints;
  auto add = [&](const Fingerprint &print) {
    prints.insert(print.whole);
    prints.insert(print.shape);
    prints.insert(print.rows.begin(), print.rows.end());
  };
  for (const Step &step : steps)
    llvm::for_each(step.prints, add);
  for (const ValuePtr &input : inputs)
    add(fingerprintOf(*input));
  return prints;
}

std::vector<std::string> panpipe::tv::argumentNames(Operation *op) {
  auto function = cast<FunctionOpInterface>(op);
  std::vector<std::string> names;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    std::string name = "%arg" + std::to_string(i);
    for (StringRef key : {"panpipe.input", "panpipe.param"})
      if (auto own = function.getArgAttrOfType<StringAttr>(i, key))
        name += " (" + own.getValue().str() + ")";
    names.push_back(std::move(name));
  }
  return names;
}

/// "same memory as %arg0", or where it begins; empty if it shares none with an
/// earlier input.
static std::string sharingText(ArrayRef<ValuePtr> inputs,
                               ArrayRef<std::string> names, size_t k) {
  const ConcreteValue &value = *inputs[k];
  for (size_t j = 0; value.isMemRef() && j < k; ++j) {
    const ConcreteValue &other = *inputs[j];
    if (!other.isMemRef() || other.view().block != value.view().block)
      continue;
    if (value.size() == 0 || other.size() == 0)
      return "empty";
    int64_t distance = value.byteOf(0) - other.byteOf(0);
    if (distance == 0 && value.shape() == other.shape() &&
        value.view().strides == other.view().strides)
      return "same memory as " + names[j];
    int64_t elements = std::abs(distance) / bytesOf(value.type());
    std::string where = distance == 0
                            ? "from its first element"
                            : std::to_string(elements) +
                                  (elements == 1 ? " element" : " elements") +
                                  (distance > 0 ? " behind its beginning"
                                                : " before its beginning");
    return "memory of " + names[j] + ", " + where + ": " + value.str(32);
  }
  return "";
}

Counterexample Witness::describe(const Found &found) const {
  Counterexample example;
  for (auto [i, value] : llvm::enumerate(found.inputs)) {
    std::string type;
    llvm::raw_string_ostream os(type);
    os << types[i];
    std::string text = sharingText(found.inputs, names, i);
    if (text.empty())
      text = value->str(32);
    if (auto shaped = dyn_cast<ShapedType>(types[i]);
        shaped && !shaped.hasStaticShape()) {
      std::string sizes;
      for (int64_t extent : value->shape())
        sizes += std::to_string(extent) + "x";
      text += " (" + sizes + toString(value->type()) + ")";
    }
    std::string name =
        names[i].empty()
            ? "@" + globals[i - (names.size() - globals.size())].name
            : names[i];
    example.inputs.push_back({std::move(name), type, std::move(text)});
  }
  std::string sourceEnding, targetEnding;
  InterpreterOptions options = optionsFor(found.inputs);
  ArrayRef<ValuePtr> arguments =
      ArrayRef(found.inputs).drop_back(globals.size());
  std::vector<CallRecord> calls;
  options.isSource = true;
  std::vector<Step> left =
      runTraced(source, arguments, options, sourceEnding, &calls);
  options.isSource = false;
  options.replay = &calls;
  std::vector<Step> right = runTraced(target, arguments, options, targetEnding);
  example.sourceTrace =
      linesUpToDifference(left, printsOf(right, found.inputs), sourceEnding);
  example.targetTrace =
      linesUpToDifference(right, printsOf(left, found.inputs), targetEnding);
  example.difference = found.trial.text;
  example.reproducer =
      makeReproducer(source, target, found.inputs, globals, found.trial.text);
  return example;
}
