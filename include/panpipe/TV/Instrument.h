//===- Instrument.h - Validation of each pass of a pipeline -----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Instruments a pass manager so that each pass that changes something is
/// validated: what it got is the source, what it left is the target.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_INSTRUMENT_H
#define PANPIPE_TV_INSTRUMENT_H

#include "panpipe/TV/Report.h"
#include "panpipe/TV/Validate.h"

#include <string>
#include <vector>

namespace mlir {
class PassManager;
} // namespace mlir

namespace panpipe::tv {

/// What became of one pass that changed something.
struct PassRecord {
  std::string pass; ///< its argument, "canonicalize"
  /// Not empty: dialects in front of or behind the pass that have no encodings;
  /// nothing was proved then.
  std::vector<std::string> notCovered;
  Report report;
};

/// What became of all of them, in order. Outlives the pass manager.
struct ValidationLog {
  std::vector<PassRecord> records;
  /// Worst verdict among the passes that are covered; VALID if there are none.
  VerdictKind verdict() const;
  /// INVALID or BAD-INPUT: the pipeline broke the program.
  bool isBroken() const { return tv::isBroken(verdict()); }
};

/// Validates every pass of `manager` as it runs, single-threaded. Reports of
/// failures are printed to `os` at once. A pass nested in another is part of
/// it. With `stop`, the pipeline fails after the first pass that broke the
/// program. Call it when the pipeline is complete.
void instrument(mlir::PassManager &manager, ValidationLog &log, bool stop,
                llvm::raw_ostream &os, const Options &options = {},
                const PrintOptions &print = {});

/// The reports of `record` that are not VALID, under a line that names the
/// pass; nothing if there are none. The modules are those around the pass.
void printFailures(llvm::raw_ostream &os, const PassRecord &record,
                   mlir::ModuleOp source, mlir::ModuleOp target,
                   const PrintOptions &print = {});

/// The table: pass, function, verdict, seconds, how, assumptions.
void printLog(llvm::raw_ostream &os, const ValidationLog &log,
              const PrintOptions &print = {});
llvm::json::Value toJson(const ValidationLog &log);
/// The JSON as a file. What went wrong, or an empty text.
std::string writeJson(llvm::StringRef path, const ValidationLog &log);

} // namespace panpipe::tv

#endif // PANPIPE_TV_INSTRUMENT_H
