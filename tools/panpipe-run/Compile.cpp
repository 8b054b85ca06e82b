//===- Compile.cpp - panpipe-run compile ----------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "panpipe/Conversion/PipeToRuntime.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/Dialect/Pipe/Transforms/Passes.h"
#include "panpipe/Pipelines/Pipelines.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>

using namespace mlir;
using namespace panpipe;

static void print(const CompileSummary &summary, const std::string &path) {
  std::printf("compiled for %s\n", summary.cpu.c_str());
  for (const CompileSummary::StageLine &stage : summary.stages)
    std::printf("  stage %-12s device %u: %zu library kernels, %zu compiled "
                "kernels, %zu of them when loading, arena %.1f MiB\n",
                stage.name.c_str(), stage.device, stage.libraryCalls,
                stage.compiledCalls, stage.atLoadCalls,
                stage.arenaBytes / 1048576.0);
  std::printf("  %zu different compiled kernels, %.1f KiB of code\n",
              summary.distinctKernels, summary.codeBytes / 1024.0);
  std::printf("  lowering %.2f s, code %.2f s\n", summary.lowerSeconds,
              summary.codeSeconds);
  for (const std::string &assumption : summary.assumptions)
    std::printf("  assumes: %s\n", assumption.c_str());
  std::string line = "  not covered by the validator yet:";
  for (const std::string &pass : summary.passesWithoutProof) {
    if (line.size() + pass.size() > 98) {
      std::printf("%s\n", line.c_str());
      line = "   ";
    }
    line += " " + pass;
  }
  std::printf("%s\n", line.c_str());
  std::printf("wrote %s\n", path.c_str());
}

/// Numbers separated by commas; false (and a message) for anything else.
template <typename T>
static bool parseList(const run::Arguments &arguments, const std::string &name,
                      std::vector<T> &values) {
  std::string text = arguments.get(name);
  for (StringRef rest = text; !rest.empty();) {
    auto [word, tail] = rest.split(',');
    T value;
    if (word.getAsInteger(10, value)) {
      run::error(name + " needs numbers separated by commas, not '" + text +
                 "'");
      return false;
    }
    values.push_back(value);
    rest = tail;
  }
  return true;
}

static bool parsePipeline(const run::Arguments &arguments,
                          PipelineOptions &options) {
  options.planIn = arguments.get("--plan-in");
  options.planOut = arguments.get("--plan-out");
  options.batchDims = arguments.all("--batch-dim");
  return arguments.number("--devices", 1, options.devices) &&
         arguments.number("--microbatches", 1, options.microbatches) &&
         parseList(arguments, "--microbatch-sizes", options.microbatchSizes) &&
         parseList(arguments, "--memory-cap", options.memoryCaps);
}

/// Brings the module from its level to SCHEDULED.
static LogicalResult schedule(ModuleOp module, const PipelineOptions &options) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main)
    return success(); // scheduled already, or an error of the compiler
  PassManager pm(module.getContext(), "builtin.module");
  auto runs = main.getOps<pipe::RunOp>();
  if (runs.empty()) {
    buildDefaultPipeline(pm, options);
    return pm.run(module);
  }
  // Runs that name no microbatch are of level STAGED.
  if (!(*runs.begin()).getMicrobatch())
    buildPipelineFromStaged(pm, options);
  else
    pm.addPass(pipe::createPipeSchedule());
  return pm.run(module);
}

int run::compileCommand(const std::vector<std::string> &text) {
  Arguments arguments;
  if (!arguments.parse(text,
                       {"-o", "--cpu", "--dump-lowered", "--devices",
                        "--microbatches", "--microbatch-sizes", "--memory-cap",
                        "--batch-dim", "--plan-in", "--plan-out"},
                       {"--plain-layouts"}))
    return 2;
  PipelineOptions pipeline;
  if (!parsePipeline(arguments, pipeline))
    return 2;
  if (arguments.positional.size() != 1 || !arguments.has("-o"))
    return error("compile needs one model and -o NET.panpipe");
  DialectRegistry registry;
  registerExecutableTranslations(registry);
  MLIRContext context(registry);
  // An error about a file or an option would print the whole module otherwise.
  context.printOpOnDiagnostic(false);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(arguments.positional[0], &message);
  if (!file)
    return error(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(schedule(*module, pipeline)))
    return 1;
  CompileOptions options;
  options.cpu = arguments.get("--cpu", "native");
  options.plainLayouts = arguments.has("--plain-layouts");
  options.dumpLowered = arguments.get("--dump-lowered");
  FailureOr<CompileSummary> summary =
      compileToExecutable(*module, arguments.get("-o"), options);
  if (failed(summary))
    return 1;
  print(*summary, arguments.get("-o"));
  return 0;
}
