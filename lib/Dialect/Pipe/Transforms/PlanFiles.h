//===- PlanFiles.h - Files and options of the planning passes ---*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_PLANFILES_H
#define PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_PLANFILES_H

#include "panpipe/Planner/Cost.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace panpipe::pipe {

/// The whole file, or failure with a diagnostic at `op`.
mlir::FailureOr<std::string> readWholeFile(mlir::Operation *op,
                                           llvm::StringRef path);
/// Replaces the file, or fails with a diagnostic at `op`.
mlir::LogicalResult writeWholeFile(mlir::Operation *op, llvm::StringRef path,
                                   llvm::StringRef text);
/// The device of the planner's table, or null with a diagnostic at `op`.
const planner::DeviceDescription *lookUpDevice(mlir::Operation *op,
                                               llvm::StringRef name);

} // namespace panpipe::pipe

#endif // PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_PLANFILES_H
