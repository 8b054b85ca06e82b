//===- Steps.h - A pass pipeline as a list of steps -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Splits a textual pass pipeline into its passes, each runnable alone on the
/// module, so that the module can be looked at between them.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_STEPS_H
#define PANPIPE_TV_STEPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace panpipe::tv {

/// One pass and how to run it on a module.
struct PipelineStep {
  std::string pass;     ///< without its options, "canonicalize"
  std::string pipeline; ///< in the module, "func.func(canonicalize{…})"
};

/// The passes of `pipeline` in order. It is either "builtin.module(…)" or what
/// would stand inside. Registered pipelines are expanded to their passes.
/// Fails, with MLIR's message on `errors`, on a pipeline that does not parse.
mlir::FailureOr<std::vector<PipelineStep>>
splitPipeline(llvm::StringRef pipeline, llvm::raw_ostream &errors);

} // namespace panpipe::tv

#endif // PANPIPE_TV_STEPS_H
