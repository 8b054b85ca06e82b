//===- Passes.cpp - Registration of the pipe passes -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

// The generated functions name the factories of namespace panpipe::pipe.
namespace panpipe::pipe::generated {
#define GEN_PASS_REGISTRATION
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe::generated

void panpipe::pipe::registerPipePasses() { generated::registerPipePasses(); }
