//===- Report.h - Reports of the validator, for people and tools -*- C++ -*-==//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints what `validate` found: for people as text with the two functions, the
/// verdict, example inputs and the values up to the first difference; for tools
/// as one JSON object (docs/TV/README.md describes its fields).
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_REPORT_H
#define PANPIPE_TV_REPORT_H

#include "panpipe/TV/Verdict.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/JSON.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace panpipe::tv {

struct PrintOptions {
  bool color = false;
  /// Columns; the two sides stand next to each other where both fit.
  unsigned width = 100;
};

/// Words with a colour where colours are on.
class Painter {
public:
  explicit Painter(bool on) : on(on) {}
  std::string bold(llvm::StringRef text) const { return paint("1", text); }
  std::string dim(llvm::StringRef text) const { return paint("2", text); }
  std::string red(llvm::StringRef text) const { return paint("1;31", text); }
  std::string cyan(llvm::StringRef text) const { return paint("36", text); }
  /// Green, yellow or red.
  std::string verdict(VerdictKind kind) const;
  std::string verdict(VerdictKind kind, llvm::StringRef text) const;

private:
  std::string paint(const char *code, llvm::StringRef text) const;
  bool on;
};

/// The whole report; the modules (null: not shown) are those that were
/// compared.
void printReport(llvm::raw_ostream &os, const Report &report,
                 mlir::ModuleOp source, mlir::ModuleOp target,
                 const PrintOptions &options = {});

/// The report of one function.
void printReport(llvm::raw_ostream &os, const FunctionReport &report,
                 mlir::ModuleOp source, mlir::ModuleOp target,
                 const PrintOptions &options = {});

/// "VALID (source always undefined)", "VALID-UNDER reassoc".
std::string verdictText(const FunctionReport &report);
/// "12 of 14 obligations by congruence, 2 by abstract floats", or "execution".
std::string howProved(const FunctionReport &report);

/// {"verdict": …, "exitCode": …, "functions": [{…}]}.
llvm::json::Value toJson(const Report &report);
llvm::json::Value toJson(const FunctionReport &report);

/// A plain table with aligned columns; the first row is the heading.
void printTable(llvm::raw_ostream &os,
                llvm::ArrayRef<std::vector<std::string>> rows,
                const Painter &painter);

} // namespace panpipe::tv

#endif // PANPIPE_TV_REPORT_H
