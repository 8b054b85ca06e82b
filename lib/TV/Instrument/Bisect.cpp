//===- Bisect.cpp - Finding the step that broke a program -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Bisect.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace panpipe::tv;

size_t panpipe::tv::bisect(size_t good, size_t bad,
                           llvm::function_ref<bool(size_t)> isBroken) {
  while (bad - good > 1) {
    size_t middle = good + (bad - good) / 2;
    (isBroken(middle) ? bad : good) = middle;
  }
  return bad;
}

static std::string printWithLocations(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().enableDebugInfo());
  return text;
}

namespace {

/// A pass on copies of one module, with a limit on applications of patterns.
/// Its context is single-threaded, so that the n-th application is the same
/// one in each run, and nobody else's, so that the handler of actions is ours.
class LimitedRun {
public:
  LimitedRun(ModuleOp module, const PipelineStep &step)
      : context(module.getContext()->getDialectRegistry(),
                MLIRContext::Threading::DISABLED),
        text(printWithLocations(module)), step(step) {
    context.allowUnregisteredDialects(
        module.getContext()->allowsUnregisteredDialects());
    context.registerActionHandler(
        [this](function_ref<void()> run, const tracing::Action &action) {
          handle(run, action);
        });
  }

  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context));
  }

  /// What the pass makes of the module with `count` applications; null if it
  /// fails.
  OwningOpRef<ModuleOp> run(size_t count) {
    limit = count;
    tried = 0;
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    OwningOpRef<ModuleOp> module = parse();
    PassManager manager(&context, ModuleOp::getOperationName());
    if (!module ||
        failed(parsePassPipeline(step.pipeline, manager, llvm::nulls())) ||
        failed(manager.run(*module)))
      return {};
    return module;
  }

  size_t tried = 0;
  std::string pattern, location, root;

private:
  void handle(function_ref<void()> run, const tracing::Action &action) {
    if (action.getTag() != "apply-pattern")
      return run();
    if (tried++ >= limit)
      return; // as if it did not match
    if (tried == limit)
      describe(action);
    run();
  }

  void describe(const tracing::Action &action) {
    pattern.clear();
    llvm::raw_string_ostream os(pattern);
    action.print(os);
    pattern = StringRef(pattern).split("pattern: ").second.str();
    for (const IRUnit &unit : action.getContextIRUnits())
      if (auto *op = dyn_cast<Operation *>(unit)) {
        root = op->getName().getStringRef().str();
        location.clear();
        llvm::raw_string_ostream(location) << op->getLoc();
      }
  }

  MLIRContext context;
  std::string text;
  PipelineStep step;
  size_t limit = 0;
};

} // namespace

std::optional<BrokenRewrite>
panpipe::tv::bisectRewrites(ModuleOp module, const PipelineStep &step,
                            const Options &options) {
  LimitedRun limited(module, step);
  OwningOpRef<ModuleOp> source = limited.parse();
  auto isBroken = [&](size_t count) {
    OwningOpRef<ModuleOp> target = limited.run(count);
    return source && target &&
           validate(*source, *target, options).verdict() ==
               VerdictKind::Invalid;
  };
  if (!isBroken(~size_t(0)))
    return std::nullopt;
  BrokenRewrite found;
  found.total = limited.tried;
  if (isBroken(0))
    return found;
  found.number = bisect(0, found.total, isBroken);
  limited.run(found.number); // the last one asked about may be another
  found.pattern = limited.pattern;
  found.location = limited.location;
  found.root = limited.root;
  return found;
}
