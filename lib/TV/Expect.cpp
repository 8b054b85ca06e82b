//===- Expect.cpp - Pairs with their expected verdict in one file ---------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Expect.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace panpipe::tv;

std::optional<ModulePair> panpipe::tv::findPair(ModuleOp outer) {
  auto source = outer.lookupSymbol<ModuleOp>("src");
  auto target = outer.lookupSymbol<ModuleOp>("tgt");
  if (!source || !target)
    return std::nullopt;
  return ModulePair{source, target};
}

/// The strings of an array attribute.
static std::vector<std::string> stringsOf(Attribute attr) {
  std::vector<std::string> strings;
  if (auto array = dyn_cast_or_null<ArrayAttr>(attr))
    for (Attribute element : array)
      if (auto string = dyn_cast<StringAttr>(element))
        strings.push_back(string.getValue().str());
  return strings;
}

Options panpipe::tv::optionsOf(ModuleOp outer, Options options) {
  Operation *op = outer;
  for (std::string &name : stringsOf(op->getAttr("tv.allow")))
    options.allow.push_back(std::move(name));
  if (auto seconds = op->getAttrOfType<FloatAttr>("tv.seconds"))
    options.seconds = seconds.getValueAsDouble();
  if (auto inputs = op->getAttrOfType<ArrayAttr>("tv.inputs"))
    options.inputs.assign(inputs.begin(), inputs.end());
  return options;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// Collects what is not as expected.
class Expectation {
public:
  Expectation(ModuleOp outer, const Report &report)
      : outer(outer), report(report) {}
  std::vector<std::string> problems;

  void checkVerdict(StringRef expected) {
    StringRef got = toString(report.verdict());
    if (got != expected)
      problems.push_back("expected " + expected.str() + ", got " + got.str());
  }
  void checkReason() {
    auto wanted = outer->getAttrOfType<StringAttr>("tv.reason");
    if (!wanted)
      return;
    for (const FunctionReport &function : report.functions) {
      std::string text = function.reason + "\n" + function.location;
      if (function.counterexample)
        text += "\n" + function.counterexample->difference;
      for (const Assumption &assumption : function.assumptions)
        text += "\n" + assumption.kind + ": " + assumption.detail;
      if (StringRef(text).contains(wanted.getValue()))
        return;
    }
    problems.push_back("the report does not say \"" + wanted.getValue().str() +
                       "\"");
  }
  void checkAssumptions() {
    Attribute wanted = outer->getAttr("tv.assumes");
    if (!wanted)
      return;
    std::set<std::string> kinds, expected;
    for (const FunctionReport &function : report.functions)
      for (const Assumption &assumption : function.assumptions)
        kinds.insert(assumption.kind);
    for (std::string &kind : stringsOf(wanted))
      expected.insert(std::move(kind));
    if (kinds != expected)
      problems.push_back("expected assumptions {" + llvm::join(expected, ", ") +
                         "}, got {" + llvm::join(kinds, ", ") + "}");
  }

private:
  ModuleOp outer;
  const Report &report;
};
} // namespace

/// A side that does not refine itself shows a defect of the validator.
static void checkReflexive(ModuleOp side, StringRef name,
                           const Options &options,
                           std::vector<std::string> &problems) {
  Options plain = options;
  plain.inputs.clear();
  Report report = validate(side, side, plain);
  if (report.verdict() == VerdictKind::Valid)
    return;
  std::string why;
  for (const FunctionReport &function : report.functions)
    if (function.verdict == report.verdict())
      why = function.reason;
  problems.push_back("@" + name.str() +
                     " against itself: " + toString(report.verdict()).str() +
                     (why.empty() ? "" : ": " + why));
}

static std::string placeOf(ModuleOp outer) {
  if (auto file = outer.getLoc()->findInstanceOf<FileLineColLoc>())
    return file.getFilename().getValue().str() + ":" +
           std::to_string(file.getLine());
  return "pair";
}

bool panpipe::tv::checkExpectation(raw_ostream &os, ModuleOp outer,
                                   const Options &options,
                                   const PrintOptions &print) {
  Painter painter(print.color);
  Operation *op = outer;
  std::optional<ModulePair> pair = findPair(outer);
  auto expected = op->getAttrOfType<StringAttr>("tv.expect");
  if (!pair || !expected) {
    os << placeOf(outer) << ": " << painter.red("error") << ": expected "
       << (pair ? "an attribute tv.expect" : "modules @src and @tgt") << "\n";
    return false;
  }
  Options own = optionsOf(outer, options);
  ModuleOp source = cast<ModuleOp>(pair->source);
  ModuleOp target = cast<ModuleOp>(pair->target);
  Report report = validate(source, target, own);
  Expectation expectation(outer, report);
  expectation.checkVerdict(expected.getValue());
  expectation.checkReason();
  expectation.checkAssumptions();
  bool decidable = !llvm::is_contained({"UNSUPPORTED", "TIMEOUT", "BAD-INPUT"},
                                       expected.getValue());
  auto reflexive = op->getAttrOfType<BoolAttr>("tv.reflexive");
  if (decidable && (!reflexive || reflexive.getValue())) {
    checkReflexive(source, "src", own, expectation.problems);
    checkReflexive(target, "tgt", own, expectation.problems);
  }
  if (expectation.problems.empty()) {
    os << placeOf(outer) << ": ok, " << painter.verdict(report.verdict())
       << "\n";
    return true;
  }
  printReport(os, report, source, target, print);
  for (const std::string &problem : expectation.problems)
    os << placeOf(outer) << ": " << painter.red("error") << ": " << problem
       << "\n";
  return false;
}
