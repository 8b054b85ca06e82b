//===- Levels.h - The levels of a Panpipe module ----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A module carries its level in the attribute `panpipe.level`. What each level
/// guarantees is what its verifier checks; docs/Dialects/Pipe.md lists it.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_ANALYSIS_LEVELS_H
#define PANPIPE_DIALECT_PIPE_ANALYSIS_LEVELS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
class Operation;
namespace func {
class FuncOp;
} // namespace func
} // namespace mlir

namespace panpipe::pipe {

class StageOp;

enum class Level { Model, Staged, Microbatched, Scheduled };

/// "model", "staged", "microbatched", "scheduled".
llvm::StringRef levelName(Level level);
void setLevel(mlir::ModuleOp module, Level level);
/// Fails with a diagnostic unless the module says that it is of `level`.
mlir::LogicalResult expectLevel(mlir::ModuleOp module, Level level);

/// Checks everything that later steps may assume of `level`. Emits diagnostics.
mlir::LogicalResult verifyLevel(mlir::ModuleOp module, Level level);

/// The function @main of the levels MODEL to MICROBATCHED, or null.
mlir::func::FuncOp getMain(mlir::ModuleOp module);

/// Name of the stage at level STAGED: the attribute `panpipe.stage` of a
/// variant for one microbatch size, otherwise the symbol itself.
llvm::StringRef getStageGroup(StageOp stage);

/// The user's name for an operation: the outermost name in its location (the
/// module path), or the composite it calls, or the operation's own name.
std::string getModulePath(mlir::Operation *op);

} // namespace panpipe::pipe

#endif // PANPIPE_DIALECT_PIPE_ANALYSIS_LEVELS_H
