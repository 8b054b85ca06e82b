//===- Compile.cpp - panpipe-run compile ----------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "panpipe/Conversion/PipeToRuntime.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
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
  std::printf("wrote %s\n", path.c_str());
}

int run::compileCommand(const std::vector<std::string> &text) {
  Arguments arguments;
  if (!arguments.parse(text, {"-o", "--cpu", "--dump-lowered"},
                       {"--plain-layouts"}))
    return 2;
  if (arguments.positional.size() != 1 || !arguments.has("-o"))
    return error("compile needs one model and -o NET.panpipe");
  DialectRegistry registry;
  registerExecutableTranslations(registry);
  MLIRContext context(registry);

  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(arguments.positional[0], &message);
  if (!file)
    return error(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
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
