//===- GraphImport.h - From the op graph to MODEL-level IR ------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one lowering of all readers.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_GRAPHIMPORT_H
#define PANPIPE_IMPORT_GRAPHIMPORT_H

#include "panpipe/Import/OpGraph.h"

#include "mlir/IR/BuiltinOps.h"

namespace panpipe::import {

/// Adds `@main` and its composites to `module`. On failure, all problems are in
/// one error at `loc`, each with module path, source line and workaround.
mlir::LogicalResult lowerGraph(const OpGraph &graph, mlir::ModuleOp module,
                               mlir::Location loc);

/// Targets of all operators that lowerGraph knows, sorted.
std::vector<std::string> supportedOps();

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_GRAPHIMPORT_H
