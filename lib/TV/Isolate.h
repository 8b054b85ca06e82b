//===- Isolate.h - The prover in a process of its own -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV. A time limit inside a process is not a hard limit:
/// neither the Presburger library nor z3 keeps one. So the prover runs in a
/// forked child that is killed on time and has a memory limit; what it found
/// comes back through a pipe.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ISOLATE_H
#define PANPIPE_LIB_TV_ISOLATE_H

#include "panpipe/TV/Refine/Check.h"

namespace panpipe::tv {

/// A CheckResult with the location as text.
struct IsolatedResult {
  CheckResult result;
  std::string location;
};

/// checkRefinement in a child. A child that spends its time or memory gives
/// Timeout; one that crashes gives Unproved with a reason that says so.
IsolatedResult checkIsolated(mlir::FunctionOpInterface source,
                             mlir::FunctionOpInterface target,
                             const CheckOptions &options, uint64_t memoryBytes);

/// A result as text, and back; false if the text is not whole.
std::string writeResult(const CheckResult &result);
bool readResult(llvm::StringRef text, IsolatedResult &out);

/// "file.mlir:3:5", through the layers of a location.
std::string locationText(mlir::Location loc);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ISOLATE_H
