//===- Validate.h - Translation validation of modules -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The front of the validator: pairs the functions of two modules, tries to
/// refute each pair by execution and to prove it, and says which it was.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_VALIDATE_H
#define PANPIPE_TV_VALIDATE_H

#include "panpipe/TV/Verdict.h"

#include "mlir/IR/Attributes.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir {
class FunctionOpInterface;
class ModuleOp;
class Operation;
} // namespace mlir

namespace panpipe::tv {

struct Options {
  /// Wall-clock budget of the proof of one function.
  double seconds = 60;
  /// Memory the prover may take.
  uint64_t memoryBytes = uint64_t(4) << 30;
  unsigned indexWidth = 64;
  /// Floating-point assumptions that are fine with the caller: "nsz",
  /// "contract", "reassoc", "finite", "real".
  std::vector<std::string> allow;
  /// Not empty: only the functions of this name.
  std::string function;
  /// Not empty: every solver query is written into this folder.
  std::string dumpFolder;
  /// Not empty: proofs are kept in this folder and found there again.
  std::string cacheFolder;
  /// Constants to execute first, one per argument (a replayed counterexample).
  std::vector<mlir::Attribute> inputs;
  /// Scalar steps of execution before the proof, and after a failed one.
  uint64_t quickSteps = 3'000'000;
  uint64_t deepSteps = 60'000'000;
};

/// Validates that `target` refines `source`. Functions are paired by name:
/// public functions and pipelines. Private functions and stages are part of
/// their callers. A function that only one side has, or whose signature
/// changed, is reported with verdict BadInput. Both modules share one context.
Report validate(mlir::ModuleOp source, mlir::ModuleOp target,
                const Options &options = {});

/// One pair of functions with bodies.
FunctionReport validateFunctions(mlir::FunctionOpInterface source,
                                 mlir::FunctionOpInterface target,
                                 const Options &options = {});

/// The functions of `module` that `validate` compares, in order.
std::vector<mlir::FunctionOpInterface> comparedFunctions(mlir::ModuleOp module);

} // namespace panpipe::tv

#endif // PANPIPE_TV_VALIDATE_H
