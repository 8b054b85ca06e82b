//===- PipeToRuntime.h - From a scheduled module to an executable  -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_CONVERSION_PIPETORUNTIME_H
#define PANPIPE_CONVERSION_PIPETORUNTIME_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace panpipe {

struct CompileOptions {
  /// "native", or "x86-64-v3" / "x86-64-v4" for AVX2 / AVX-512 code.
  std::string cpu = "native";
  /// Keeps images in plain NCHW between kernels (for comparison).
  bool plainLayouts = false;
  /// When not empty: the lowered module is written there, for people.
  std::string dumpLowered;
};

/// What a compilation did, for the summary.
struct CompileSummary {
  struct StageLine {
    std::string name;
    unsigned device = 0;
    size_t libraryCalls = 0, compiledCalls = 0, atLoadCalls = 0;
    size_t arenaBytes = 0;
  };
  std::vector<StageLine> stages;
  size_t distinctKernels = 0;
  size_t codeBytes = 0;
  std::string cpu;
  double lowerSeconds = 0, codeSeconds = 0;
  std::vector<std::string> assumptions;
  /// The passes from SCHEDULED to object code, which the validator does not
  /// cover: names without repetition, in the order of their first run.
  std::vector<std::string> passesWithoutProof;
};

/// Lowers `module` (level MODEL: one stage on device 0; or SCHEDULED), makes
/// native code of its kernels and writes the executable file `path`. The module
/// is changed. Problems are diagnostics at the operations that cause them.
mlir::FailureOr<CompileSummary>
compileToExecutable(mlir::ModuleOp module, const std::string &path,
                    const CompileOptions &options);

/// Registers what translation to LLVM IR needs.
void registerExecutableTranslations(mlir::DialectRegistry &registry);

} // namespace panpipe

#endif // PANPIPE_CONVERSION_PIPETORUNTIME_H
