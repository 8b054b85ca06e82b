//===- Passes.h - Passes on the pipe dialect --------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Factories and option structs of the passes in Passes.td, which describes
/// them.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_TRANSFORMS_PASSES_H
#define PANPIPE_DIALECT_PIPE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace panpipe::pipe {

#define GEN_PASS_DECL
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"

/// Registers the passes of Passes.td, once per process.
void registerPipePasses();

} // namespace panpipe::pipe

#endif // PANPIPE_DIALECT_PIPE_TRANSFORMS_PASSES_H
