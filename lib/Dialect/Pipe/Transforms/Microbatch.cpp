//===- Microbatch.cpp - The pass pipe-microbatch --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

namespace panpipe::pipe {
#define GEN_PASS_DEF_PIPEMICROBATCH
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe

using namespace mlir;
using namespace panpipe;

namespace {
struct PipeMicrobatchPass : pipe::impl::PipeMicrobatchBase<PipeMicrobatchPass> {
  using PipeMicrobatchBase::PipeMicrobatchBase;
  void runOnOperation() override {
    getOperation().emitError("not written yet");
    signalPassFailure();
  }
};
} // namespace
