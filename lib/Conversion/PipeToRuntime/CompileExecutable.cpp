//===- CompileExecutable.cpp - Module in, executable file out -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitProgram.h"
#include "NativeCode.h"
#include "panpipe/Conversion/Passes.h"
#include "panpipe/Conversion/PipeToRuntime.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

#include <chrono>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static LogicalResult dump(ModuleOp module, StringRef path) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return module.emitError("cannot write ") << path << ": " << message;
  module.print(file->os(), OpPrintingFlags().useLocalScope());
  file->keep();
  return success();
}

static void summarize(const rt::Program &program, CompileSummary &summary) {
  llvm::StringMap<bool> kernels;
  for (const rt::Stage &stage : program.stages) {
    CompileSummary::StageLine line;
    line.name = stage.name;
    line.device = stage.device;
    line.arenaBytes = stage.arenaBytes;
    for (const rt::KernelCall &call : stage.calls) {
      bool compiled = call.kind == rt::KernelKind::Compiled;
      line.compiledCalls += compiled;
      line.libraryCalls += !compiled;
      line.atLoadCalls += call.atLoad;
      if (compiled)
        kernels[call.symbol] = true;
    }
    summary.stages.push_back(line);
  }
  summary.distinctKernels = kernels.size();
  summary.assumptions = program.assumptions;
}

FailureOr<CompileSummary>
panpipe::compileToExecutable(ModuleOp module, const std::string &path,
                             const CompileOptions &options) {
  FailureOr<CpuTarget> target = resolveCpu(options.cpu);
  if (failed(target))
    return module.emitError("unknown CPU '")
           << options.cpu
           << "'; known are native, x86-64, x86-64-v3, x86-64-v4";
  CompileSummary summary;
  summary.cpu = target->description;
  double start = now();
  PassManager pm(module.getContext(), "builtin.module");
  PipeLowerStagesPassOptions lowering;
  lowering.block = options.plainLayouts ? 0 : target->block;
  pm.addPass(createPipeLowerStagesPass(lowering));
  if (failed(pm.run(module)))
    return failure();
  if (!options.dumpLowered.empty() && failed(dump(module, options.dumpLowered)))
    return failure();

  rt::ExecutableFile file;
  KernelTable table(module);
  if (failed(emitProgram(module, table, file.program)))
    return failure();
  file.program.cpuName = target->description;
  file.program.cpuFeatures = target->features;
  double middle = now();
  FailureOr<NativeCode> code = compileKernels(module, *target);
  if (failed(code))
    return failure();
  file.code = std::move(code->object);
  summary.passesWithoutProof = {"pipe-lower-stages"};
  for (const std::string &pass : code->passes)
    if (!llvm::is_contained(summary.passesWithoutProof, pass))
      summary.passesWithoutProof.push_back(pass);
  for (rt::Stage &stage : file.program.stages)
    for (rt::KernelCall &call : stage.calls)
      if (call.kind == rt::KernelKind::Compiled) {
        auto work = code->sharedWork.find(call.symbol);
        call.sharedWork = work == code->sharedWork.end() ? 0 : work->second;
      }
  rt::Status status = rt::writeExecutableFile(path, file);
  if (!status.ok())
    return module.emitError(status.message());
  summarize(file.program, summary);
  summary.codeBytes = file.code.size();
  summary.lowerSeconds = middle - start;
  summary.codeSeconds = now() - middle;
  return summary;
}
