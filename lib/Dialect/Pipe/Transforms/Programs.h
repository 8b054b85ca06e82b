//===- Programs.h - From a schedule to device programs ----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_PROGRAMS_H
#define PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_PROGRAMS_H

#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/Planner/Plan.h"

#include "llvm/ADT/SetVector.h"

namespace panpipe::pipe {

/// @main of level MICROBATCHED, as stages (in the order of their first run) and
/// microbatches.
struct RunTable {
  llvm::SmallVector<llvm::StringRef> stages; ///< Names at level STAGED.
  std::vector<unsigned> stageDevice;
  /// runs[stage][microbatch].
  std::vector<std::vector<RunOp>> runs;
  llvm::DenseMap<mlir::Operation *, planner::Instruction> position;

  explicit RunTable(mlir::func::FuncOp main);
  unsigned getDevice(RunOp run) const {
    return stageDevice[position.lookup(run).stage];
  }
};

/// Adds the results of runs that `value` is made of: itself, or what splits and
/// joins lead to.
void collectRunResults(mlir::Value value,
                       llvm::SetVector<mlir::OpResult> &results);

/// Replaces @main by a pipeline whose programs run in the order of `schedule`,
/// which must be valid for the stages of `table`.
void buildPipeline(mlir::func::FuncOp main, const RunTable &table,
                   const planner::Schedule &schedule);

} // namespace panpipe::pipe

#endif // PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_PROGRAMS_H
