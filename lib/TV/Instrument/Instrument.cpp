//===- Instrument.cpp - Validation of each pass of a pipeline -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Instrument.h"

#include "panpipe/TV/Encode/OpEncodings.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;
using namespace panpipe::tv;

/// Dialects whose operations have encodings; inside them the verdict is the
/// prover's, outside nothing is tried.
static llvm::StringSet<> coveredDialects() {
  llvm::StringSet<> dialects;
  dialects.insert("builtin");
  for (const std::string &name : OpEncodings::all().names())
    dialects.insert(StringRef(name).split('.').first);
  return dialects;
}

static void collectNotCovered(Operation *root, const llvm::StringSet<> &covered,
                              std::set<std::string> &names) {
  root->walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (!covered.contains(dialect))
      names.insert(dialect.str());
  });
}

namespace {

class Validator : public PassInstrumentation {
public:
  Validator(ValidationLog &log, llvm::raw_ostream &os, const Options &options,
            const PrintOptions &print)
      : log(log), os(os), options(options), print(print) {}

  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;
  void runAfterPassFailed(Pass *pass, Operation *op) override;

private:
  void record(Pass *pass, Operation *op);

  /// Of the whole table: made once, not for each pass.
  const llvm::StringSet<> covered = coveredDialects();
  ValidationLog &log;
  llvm::raw_ostream &os;
  Options options;
  PrintOptions print;
  unsigned depth = 0;
  /// The module in front of the pass, and the operation in it that the pass ran
  /// on.
  OwningOpRef<ModuleOp> before;
  Operation *beforeOp = nullptr;
};

/// Fails when something before it was refuted.
class StopPass : public PassWrapper<StopPass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StopPass)
  explicit StopPass(const ValidationLog &log) : log(&log) {}
  StringRef getArgument() const final { return "tv-stop"; }
  void runOnOperation() override {
    if (!log->isBroken())
      return;
    emitError(getOperation()->getLoc())
        << "the pass '" << log->records.back().pass
        << "' does not preserve the program; see the report";
    signalPassFailure();
  }

private:
  const ValidationLog *log;
};

} // namespace

/// Passes that are no step of the program's way: those that only run other
/// passes on nested operations, and our own.
static bool isTransparent(Pass *pass) {
  return pass->getName().contains("OpToOpPassAdaptor") ||
         pass->getArgument() == "tv-stop";
}

void Validator::runBeforePass(Pass *pass, Operation *op) {
  if (isTransparent(pass) || depth++ > 0)
    return;
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  if (!module)
    return;
  IRMapping mapping;
  before = cast<ModuleOp>(module->clone(mapping));
  beforeOp = op == module ? before->getOperation() : mapping.lookupOrNull(op);
}

void Validator::runAfterPassFailed(Pass *pass, Operation *op) {
  if (isTransparent(pass) || --depth > 0)
    return;
  before = nullptr;
}

void Validator::runAfterPass(Pass *pass, Operation *op) {
  if (isTransparent(pass) || --depth > 0)
    return;
  if (before && beforeOp &&
      !OperationEquivalence::isEquivalentTo(
          beforeOp, op, OperationEquivalence::IgnoreLocations))
    record(pass, op);
  before = nullptr;
}

void Validator::record(Pass *pass, Operation *op) {
  PassRecord record;
  record.pass = pass->getArgument().empty() ? pass->getName().str()
                                            : pass->getArgument().str();
  std::set<std::string> names;
  collectNotCovered(beforeOp, covered, names);
  collectNotCovered(op, covered, names);
  record.notCovered.assign(names.begin(), names.end());
  if (!record.notCovered.empty()) {
    log.records.push_back(std::move(record));
    return;
  }
  ModuleOp source = *before;
  auto target =
      isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    if (function.isExternal())
      return;
    // Callees are the same on both sides: the pass saw this function only.
    record.report.functions.push_back(validateFunctions(
        cast<FunctionOpInterface>(beforeOp), function, options));
  } else if (isa<ModuleOp>(op)) {
    record.report = validate(source, target, options);
  } else {
    return;
  }
  printFailures(os, record, source, target, print);
  if (record.report.verdict() != VerdictKind::Valid)
    os << "\n";
  log.records.push_back(std::move(record));
}

void panpipe::tv::instrument(PassManager &manager, ValidationLog &log,
                             bool stop, llvm::raw_ostream &os,
                             const Options &options,
                             const PrintOptions &print) {
  manager.getContext()->disableMultithreading();
  manager.addInstrumentation(
      std::make_unique<Validator>(log, os, options, print));
  if (!stop)
    return;
  // Passes cannot be moved, so they are written down and read again.
  SmallVector<std::string> passes;
  for (Pass &pass : manager.getPasses()) {
    llvm::raw_string_ostream text(passes.emplace_back());
    pass.printAsTextualPipeline(text);
  }
  manager.clear();
  for (const std::string &text : passes) {
    if (failed(parsePassPipeline(text, manager, os)))
      return;
    manager.addPass(std::make_unique<StopPass>(log));
  }
}
