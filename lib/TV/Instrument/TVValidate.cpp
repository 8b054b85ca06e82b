//===- TVValidate.cpp - A pass that proves other passes -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/TVValidate.h"

#include "panpipe/TV/Bisect.h"
#include "panpipe/TV/Instrument.h"
#include "panpipe/TV/Options.h"
#include "panpipe/TV/Steps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace panpipe::tv;

namespace {

struct TVValidatePass
    : public PassWrapper<TVValidatePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TVValidatePass)

  TVValidatePass() = default;
  TVValidatePass(const TVValidatePass &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "tv-validate"; }
  StringRef getDescription() const final {
    return "Run a pipeline and prove that each of its passes preserves the "
           "program";
  }
  void getDependentDialects(DialectRegistry &registry) const override;
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

  Option<std::string> pipeline{
      *this, "pipeline",
      llvm::cl::desc("The passes, as inside builtin.module(…)")};
  Option<bool> stop{*this, "stop",
                    llvm::cl::desc("Stop after the first pass that breaks the "
                                   "program, instead of running all"),
                    llvm::cl::init(false)};
  Option<bool> bisect{
      *this, "bisect",
      llvm::cl::desc("Compare the two ends first, and look for the pass and "
                     "the rewrite to blame only if they differ"),
      llvm::cl::init(false)};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("Fail on every verdict but VALID"),
                      llvm::cl::init(false)};
  ListOption<std::string> allow{
      *this, "allow",
      llvm::cl::desc("Assumptions a proof may use: nsz, contract, reassoc, "
                     "finite, real")};
  Option<double> timeout{
      *this, "timeout",
      llvm::cl::desc("Seconds for the proof of one function (default 60)"),
      llvm::cl::init(60)};
  Option<std::string> report{
      *this, "report", llvm::cl::desc("Write the verdicts into a JSON file")};
  Option<std::string> reproducers{
      *this, "reproducers",
      llvm::cl::desc("Folder for what a wrong pass was given and left behind, "
                     "and for the example that shows it")};

private:
  Options options() const;
  LogicalResult runStep(const PipelineStep &step);
  LogicalResult runEach();
  LogicalResult runBisecting();
  void compare(ModuleOp source, const PipelineStep &step);
  void note(ModuleOp source, const PipelineStep &step, Report found);
  void explain(ModuleOp source, const PipelineStep &step,
               const PassRecord &record);
  bool writeFile(const llvm::Twine &name, StringRef text);
  void finish();

  std::vector<PipelineStep> steps;
  ValidationLog log;
};

} // namespace

void TVValidatePass::getDependentDialects(DialectRegistry &registry) const {
  // The context may not learn of a dialect while passes run.
  auto list = splitPipeline(pipeline.getValue(), llvm::nulls());
  if (failed(list))
    return; // `initialize` says why
  for (const PipelineStep &step : *list) {
    OpPassManager manager(ModuleOp::getOperationName());
    if (succeeded(parsePassPipeline(step.pipeline, manager, llvm::nulls())))
      manager.getDependentDialects(registry);
  }
}

LogicalResult TVValidatePass::initialize(MLIRContext *context) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto list = splitPipeline(pipeline.getValue(), os);
  if (failed(list))
    return emitError(UnknownLoc::get(context))
           << "tv-validate: the pipeline '" << pipeline.getValue()
           << "' does not parse: " << StringRef(errors).trim();
  if (list->empty())
    return emitError(UnknownLoc::get(context))
           << "tv-validate: no passes to validate; name them as in "
              "tv-validate{pipeline=\"canonicalize,cse\"}";
  if (std::string wrong = explainBadOptions(options()); !wrong.empty())
    return emitError(UnknownLoc::get(context)) << "tv-validate: " << wrong;
  steps = std::move(*list);
  log = {};
  return success();
}

Options TVValidatePass::options() const {
  Options result;
  result.seconds = timeout;
  result.allow.assign(allow.begin(), allow.end());
  return result;
}

static PrintOptions printOptions() {
  PrintOptions print;
  print.color = llvm::sys::Process::StandardErrHasColors();
  return print;
}

static bool isSame(Operation *a, Operation *b) {
  return OperationEquivalence::isEquivalentTo(
      a, b, OperationEquivalence::IgnoreLocations);
}

/// True if whatever is not compared on its own (callees, stages, globals) is
/// the same in both, in the same order: then functions that did not change need
/// no proof.
static bool isRestSame(ModuleOp source, ModuleOp target) {
  auto rest = [](ModuleOp module) {
    llvm::SmallPtrSet<Operation *, 8> compared;
    for (FunctionOpInterface function : comparedFunctions(module))
      compared.insert(function);
    SmallVector<Operation *> ops;
    for (Operation &op : *module.getBody())
      if (!compared.contains(&op))
        ops.push_back(&op);
    return ops;
  };
  return llvm::all_of_zip(rest(source), rest(target), isSame);
}

/// Validates what changed between the two.
static Report validateChanged(ModuleOp source, ModuleOp target,
                              const Options &options) {
  auto names = [](ModuleOp module) {
    SmallVector<StringRef> list;
    for (FunctionOpInterface function : comparedFunctions(module))
      list.push_back(function.getName());
    llvm::sort(list);
    return list;
  };
  if (names(source) != names(target) || !isRestSame(source, target))
    return validate(source, target, options);
  Report report;
  for (FunctionOpInterface function : comparedFunctions(source)) {
    auto partner = cast<FunctionOpInterface>(
        SymbolTable::lookupSymbolIn(target, function.getName()));
    if (!isSame(function, partner))
      report.functions.push_back(validateFunctions(function, partner, options));
  }
  return report;
}

LogicalResult TVValidatePass::runStep(const PipelineStep &step) {
  OpPassManager manager(ModuleOp::getOperationName());
  if (failed(parsePassPipeline(step.pipeline, manager)))
    return failure();
  if (succeeded(runPipeline(manager, getOperation())))
    return success();
  return emitError(getOperation().getLoc())
         << "the pass '" << step.pass << "' failed";
}

bool TVValidatePass::writeFile(const llvm::Twine &name, StringRef text) {
  llvm::SmallString<128> path(reproducers.getValue());
  llvm::sys::path::append(path, name);
  std::string error;
  if (std::error_code code =
          llvm::sys::fs::create_directories(reproducers.getValue()))
    error = code.message();
  auto file = error.empty() ? openOutputFile(path, &error) : nullptr;
  if (!file) {
    emitError(getOperation().getLoc())
        << "tv-validate: cannot write '" << path << "': " << error;
    return false;
  }
  file->os() << text;
  file->keep();
  llvm::errs() << "  Reproducer: " << path << "\n";
  return true;
}

static std::string printed(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return text;
}

/// Which rewrite of the pass is to blame, and files for a bug report.
void TVValidatePass::explain(ModuleOp source, const PipelineStep &step,
                             const PassRecord &record) {
  Options quick = options();
  quick.seconds = std::min(quick.seconds, 10.0);
  if (std::optional<BrokenRewrite> found =
          bisectRewrites(source, step, quick)) {
    if (found->number == 0)
      llvm::errs() << "  No rewrite pattern is to blame: the pass breaks the "
                      "program by folding or by code of its own\n";
    else
      llvm::errs() << "  The first wrong rewrite is number " << found->number
                   << " of " << found->total << " tried: "
                   << (found->pattern.empty()
                           ? std::string("a pattern without a name")
                           : "pattern '" + found->pattern + "'")
                   << " on '" << found->root << "' at " << found->location
                   << "\n";
  }
  if (reproducers.empty())
    return;
  std::string stem;
  llvm::raw_string_ostream(stem)
      << llvm::format("%02zu-", log.records.size() + 1) << record.pass;
  std::string command =
      "// mlir-opt --pass-pipeline='builtin.module(" + step.pipeline + ")'\n";
  bool ok = writeFile(stem + ".src.mlir", command + printed(source)) &&
            writeFile(stem + ".tgt.mlir", printed(getOperation()));
  for (const FunctionReport &function : record.report.functions)
    if (ok && function.counterexample)
      ok = writeFile(stem + "." + function.function + ".reproducer.mlir",
                     function.counterexample->reproducer);
}

void TVValidatePass::compare(ModuleOp source, const PipelineStep &step) {
  if (!isSame(source, getOperation()))
    note(source, step, validateChanged(source, getOperation(), options()));
}

/// Keeps and prints what was found about a step that led to the module as it
/// is.
void TVValidatePass::note(ModuleOp source, const PipelineStep &step,
                          Report found) {
  if (found.functions.empty())
    return; // something that is no program, an attribute of the module
  PassRecord record;
  record.pass = step.pass;
  record.report = std::move(found);
  printFailures(llvm::errs(), record, source, getOperation(), printOptions());
  if (record.report.verdict() == VerdictKind::Invalid)
    explain(source, step, record);
  log.records.push_back(std::move(record));
}

LogicalResult TVValidatePass::runEach() {
  for (const PipelineStep &step : steps) {
    OwningOpRef<ModuleOp> source = getOperation().clone();
    if (failed(runStep(step)))
      return failure();
    compare(*source, step);
    if (stop && log.isBroken())
      break;
  }
  return success();
}

LogicalResult TVValidatePass::runBisecting() {
  std::vector<OwningOpRef<ModuleOp>> states;
  states.push_back(getOperation().clone());
  for (const PipelineStep &step : steps) {
    if (failed(runStep(step)))
      return failure();
    states.push_back(getOperation().clone());
  }
  auto upTo = [&](size_t count) {
    return validateChanged(*states.front(), *states[count], options());
  };
  PipelineStep all{"the whole pipeline", pipeline.getValue()};
  if (Report ends = upTo(steps.size());
      ends.verdict() != VerdictKind::Invalid) {
    note(*states.front(), all, std::move(ends));
    return success();
  }
  size_t bad = panpipe::tv::bisect(0, steps.size(), [&](size_t count) {
    return upTo(count).verdict() == VerdictKind::Invalid;
  });
  llvm::errs() << "Pass " << bad << " of " << steps.size() << ", '"
               << steps[bad - 1].pass << "', breaks the program\n";
  // What came after it does not matter for the report.
  getOperation().getBodyRegion().takeBody(states[bad]->getBodyRegion());
  compare(*states[bad - 1], steps[bad - 1]);
  if (!log.isBroken()) // broken against the start only: say so by the ends
    compare(*states.front(), all);
  return success();
}

void TVValidatePass::finish() {
  printLog(llvm::errs(), log, printOptions());
  if (!report.empty()) {
    if (std::string error = writeJson(report.getValue(), log); !error.empty()) {
      emitError(getOperation().getLoc()) << "tv-validate: " << error;
      return signalPassFailure();
    }
  }
  for (const PassRecord &record : log.records) {
    VerdictKind verdict = record.report.verdict();
    bool broken = isBroken(verdict);
    if (!broken && !(strict && verdict != VerdictKind::Valid))
      continue;
    emitError(getOperation().getLoc())
        << "the pass '" << record.pass << "' "
        << (broken ? "does not preserve the program"
                   : "was not proved (strict)")
        << ": " << toString(verdict) << "; see the report above";
    return signalPassFailure();
  }
}

void TVValidatePass::runOnOperation() {
  LogicalResult ran = bisect ? runBisecting() : runEach();
  if (failed(ran))
    signalPassFailure();
  finish();
}

std::unique_ptr<Pass> panpipe::tv::createTVValidatePass() {
  return std::make_unique<TVValidatePass>();
}

void panpipe::tv::registerTVValidatePass() {
  registerPass(createTVValidatePass);
}
