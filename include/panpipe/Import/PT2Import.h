//===- PT2Import.h - From a .pt2 file to a MODEL-level module ---*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_PT2IMPORT_H
#define PANPIPE_IMPORT_PT2IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace panpipe::import {

struct PT2Options {
  /// Program of the archive; empty if it holds exactly one.
  std::string program;
};

/// Imports one program. Weights become arguments of @main that name their place
/// in the file; `path` is written into the module as given. Null after an error
/// that was emitted at a location in `path`.
mlir::OwningOpRef<mlir::ModuleOp> importPT2(llvm::StringRef path,
                                            const PT2Options &options,
                                            mlir::MLIRContext *context);

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_PT2IMPORT_H
