//===- Validate.cpp - Translation validation of modules -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order of attempts: a short execution, which finds most wrong rewrites at
/// once; the proof; a longer execution with the proof's hints when it failed.
/// Only the prover says VALID, only execution says INVALID.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Validate.h"

#include "Isolate.h"
#include "ProofCache.h"
#include "Witness.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

#include <chrono>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

static std::string typeText(FunctionOpInterface function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << FunctionType::get(function->getContext(), function.getArgumentTypes(),
                          function.getResultTypes());
  return text;
}

//===----------------------------------------------------------------------===//
// One pair
//===----------------------------------------------------------------------===//

namespace {

class PairValidation {
public:
  PairValidation(FunctionOpInterface source, FunctionOpInterface target,
                 const Options &options)
      : source(source), target(target), options(options),
        witness(source, target, options.indexWidth) {
    report.function = source.getName().str();
    if (llvm::is_contained(options.allow, "noalias"))
      witness.setNoAlias();
  }
  FunctionReport run();

private:
  std::optional<Found> replay();
  void prove(bool refuted);
  void judge(const CheckResult &result);
  void refute(Found found, llvm::StringRef note = "");
  bool searchDeep(const CheckResult &result);

  FunctionOpInterface source, target;
  const Options &options;
  Witness witness;
  /// A difference found before the proof, which float assumptions may explain.
  std::optional<Found> early;
  FunctionReport report;
};

} // namespace

void PairValidation::refute(Found found, StringRef note) {
  found = witness.minimise(std::move(found), options.quickSteps);
  report.counterexample = witness.describe(found);
  report.verdict = VerdictKind::Invalid;
  StringRef text = found.trial.text;
  report.reason = text.starts_with("the target")
                      ? text.str()
                      : "the target does not refine the source: for the "
                        "inputs below it returns another value";
  report.reason += note;
  report.location.clear();
  report.assumptions.clear();
}

/// After a failed proof: the model's suggestions, then many inputs.
bool PairValidation::searchDeep(const CheckResult &result) {
  std::optional<Found> found = early;
  if (!found)
    found = witness.search(result.candidates, options.deepSteps / 4);
  // Of a whole network few inputs are enough, but each takes long.
  if (!found)
    found = witness.isLarge()
                ? witness.search(10 * options.deepSteps, /*count=*/6)
                : witness.search(options.deepSteps, /*count=*/700);
  if (!found)
    return false;
  refute(std::move(*found));
  return true;
}

void PairValidation::judge(const CheckResult &result) {
  report.stats = result.stats;
  report.assumptions = result.assumptions;
  report.sourceAlwaysUndefined = result.sourceAlwaysUndefined;
  report.reason = result.reason;
  switch (result.kind) {
  case CheckResult::Kind::Proved:
  case CheckResult::Kind::ProvedUnder: {
    report.verdict = result.kind == CheckResult::Kind::Proved
                         ? VerdictKind::Valid
                         : VerdictKind::ValidUnder;
    if (report.verdict == VerdictKind::ValidUnder && report.reason.empty())
      report.reason = "proved, but only under assumptions that were not "
                      "allowed (see --allow)";
    if (!early && report.verdict == VerdictKind::ValidUnder)
      early = witness.search(options.quickSteps, 300); // to show what differs
    if (!early)
      return;
    // Execution knows a difference: only an assumption can be the reason.
    bool explained = llvm::any_of(result.assumptions, [](const Assumption &a) {
      return llvm::is_contained({"nsz", "contract", "reassoc", "finite", "real",
                                 "library", "noalias", "bounded-trips",
                                 "parallel-order"},
                                a.kind);
    });
    if (explained && !early->trial.isHard) {
      report.counterexample =
          witness.describe(witness.minimise(*early, options.quickSteps));
      return;
    }
    refute(std::move(*early),
           "; yet the prover said it does: a defect of the validator");
    return;
  }
  case CheckResult::Kind::Unproved:
    if (searchDeep(result))
      return;
    report.verdict = VerdictKind::Unconfirmed;
    return;
  case CheckResult::Kind::Timeout:
    if (early && !early->trial.isHard && !options.allow.empty()) {
      report.verdict = VerdictKind::Timeout;
      report.reason += "; on some inputs the two differ, which the allowed "
                       "assumptions may or may not explain";
      return;
    }
    if (searchDeep(result))
      return;
    report.verdict = VerdictKind::Timeout;
    return;
  case CheckResult::Kind::Unsupported:
    if (searchDeep(result))
      return;
    report.verdict = VerdictKind::Unsupported;
    return;
  case CheckResult::Kind::BadInput:
    report.verdict = VerdictKind::BadInput;
    return;
  }
}

/// The inputs that the caller gave, if they show a difference.
std::optional<Found> PairValidation::replay() {
  std::vector<ValuePtr> inputs;
  for (Attribute attr : options.inputs)
    if (auto value = ConcreteValue::fromAttribute(attr, options.indexWidth))
      inputs.push_back(std::make_shared<ConcreteValue>(std::move(*value)));
  if (inputs.empty() || inputs.size() != source.getNumArguments())
    return std::nullopt;
  Trial trial = witness.run(inputs, options.deepSteps);
  if (trial.kind != Trial::Different)
    return std::nullopt;
  return Found{std::move(inputs), std::move(trial)};
}

void PairValidation::prove(bool refuted) {
  CheckOptions check;
  // With a difference at hand only an assumption can still save the pair.
  check.seconds = refuted ? std::min(options.seconds, 10.0) : options.seconds;
  check.refuted = refuted;
  check.indexWidth = options.indexWidth;
  check.allowed = options.allow;
  check.dumpFolder = options.dumpFolder;
  ProofCache cache(options.cacheFolder, source, target, check);
  if (std::optional<CheckResult> known = cache.lookup())
    return judge(*known);
  IsolatedResult isolated =
      checkIsolated(source, target, check, options.memoryBytes);
  cache.store(isolated.result);
  report.location = isolated.location;
  judge(isolated.result);
}

FunctionReport PairValidation::run() {
  auto start = std::chrono::steady_clock::now();
  std::optional<Found> found = replay();
  if (!found)
    found = witness.search(options.quickSteps, 40);
  if (found && shareMemory(found->inputs)) {
    // Only where arguments overlap? Then an assumption could save the pair.
    witness.setNoAlias();
    if (std::optional<Found> other = witness.search(options.quickSteps, 40))
      found = std::move(other);
  }
  if (found && found->trial.isHard) {
    refute(std::move(*found));
  } else {
    early = std::move(found);
    prove(early.has_value());
  }
  report.stats.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return std::move(report);
}

static FunctionReport badInput(StringRef name, const Twine &reason,
                               Location loc) {
  FunctionReport report;
  report.function = name.str();
  report.verdict = VerdictKind::BadInput;
  report.reason = reason.str();
  report.location = locationText(loc);
  return report;
}

static FunctionReport unsupported(StringRef name, const Twine &reason,
                                  Location loc) {
  FunctionReport report = badInput(name, reason, loc);
  report.verdict = VerdictKind::Unsupported;
  return report;
}

/// True if the two signatures differ, but only where one side has a tensor and
/// the other a buffer of the same shape and element type.
static bool isBufferized(FunctionOpInterface source,
                         FunctionOpInterface target) {
  auto same = [](Type a, Type b) {
    auto left = dyn_cast<ShapedType>(a), right = dyn_cast<ShapedType>(b);
    return a == b || (left && right && left.hasRank() && right.hasRank() &&
                      left.getShape() == right.getShape() &&
                      left.getElementType() == right.getElementType() &&
                      isa<TensorType>(a) != isa<TensorType>(b));
  };
  auto allSame = [&](ArrayRef<Type> a, ArrayRef<Type> b) {
    return a.size() == b.size() && llvm::all_of_zip(a, b, same);
  };
  return typeText(source) != typeText(target) &&
         allSame(source.getArgumentTypes(), target.getArgumentTypes()) &&
         allSame(source.getResultTypes(), target.getResultTypes());
}

FunctionReport panpipe::tv::validateFunctions(FunctionOpInterface source,
                                              FunctionOpInterface target,
                                              const Options &options) {
  StringRef name = source.getName();
  if (isBufferized(source, target))
    return unsupported(name,
                       "tensors of the signature became buffers: functions on "
                       "tensors cannot be paired with functions on memory yet",
                       target.getLoc());
  if (typeText(source) != typeText(target))
    return badInput(name,
                    "the signature changed from " + typeText(source) + " to " +
                        typeText(target),
                    target.getLoc());
  if (source.isExternal() != target.isExternal())
    return badInput(name,
                    Twine("the function has a body in the ") +
                        (source.isExternal() ? "target" : "source") + " only",
                    target.getLoc());
  return PairValidation(source, target, options).run();
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

std::vector<FunctionOpInterface>
panpipe::tv::comparedFunctions(ModuleOp module) {
  std::vector<FunctionOpInterface> functions;
  for (auto function : module.getBody()->getOps<FunctionOpInterface>()) {
    if (isa<pipe::StageOp>(function) || function.isExternal())
      continue;
    if (SymbolTable::getSymbolVisibility(function) ==
        SymbolTable::Visibility::Private)
      continue;
    functions.push_back(function);
  }
  return functions;
}

Report panpipe::tv::validate(ModuleOp source, ModuleOp target,
                             const Options &options) {
  Report report;
  llvm::MapVector<StringRef, FunctionOpInterface> targets;
  for (FunctionOpInterface function : comparedFunctions(target))
    targets[function.getName()] = function;
  auto wanted = [&](StringRef name) {
    return options.function.empty() || name == options.function;
  };
  llvm::SmallPtrSet<Operation *, 8> paired;
  for (FunctionOpInterface function : comparedFunctions(source)) {
    if (!wanted(function.getName()))
      continue;
    auto partner = targets.find(function.getName());
    if (partner == targets.end()) {
      report.functions.push_back(
          badInput(function.getName(), "the function is missing in the target",
                   function.getLoc()));
      continue;
    }
    paired.insert(partner->second);
    report.functions.push_back(
        validateFunctions(function, partner->second, options));
  }
  for (auto &[name, function] : targets)
    if (wanted(name) && !paired.contains(function))
      report.functions.push_back(badInput(
          name, "the function is only in the target", function.getLoc()));
  if (report.functions.empty()) {
    std::string what = options.function.empty()
                           ? std::string("no public function with a body")
                           : "no function '@" + options.function + "'";
    report.functions.push_back(badInput(options.function,
                                        "there is nothing to compare: " + what,
                                        source.getLoc()));
  }
  return report;
}
