//===- EmitProgram.h - From lowered IR to a program ----------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_CONVERSION_EMITPROGRAM_H
#define PANPIPE_LIB_CONVERSION_EMITPROGRAM_H

#include "KernelCalls.h"

#include <optional>

namespace panpipe::lower {

/// Type of a value for the runtime; none for what it has no element type for.
std::optional<rt::TensorInfo> tensorInfo(mlir::Type type);

/// What each argument of a stage is: the number of a parameter, or −1 for a
/// value of the run.
using StageBinding = std::vector<int32_t>;

/// Plans one lowered stage: slots, kernel calls, arena. Constants go to
/// `program.constants`.
mlir::FailureOr<rt::Stage> emitStage(mlir::Operation *stage,
                                     const StageBinding &binding,
                                     const KernelTable &table,
                                     rt::Program &program);

/// Fills all of `program` but the CPU from a module that holds `@main` (a
/// function: one stage on device 0; or a pipe.pipeline).
mlir::LogicalResult emitProgram(mlir::ModuleOp module, const KernelTable &table,
                                rt::Program &program);

} // namespace panpipe::lower

#endif // PANPIPE_LIB_CONVERSION_EMITPROGRAM_H
