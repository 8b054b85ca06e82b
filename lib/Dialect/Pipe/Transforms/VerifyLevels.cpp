//===- VerifyLevels.cpp - The passes pipe-verify-<level> ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "panpipe/Dialect/Pipe/Analysis/Levels.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

namespace panpipe::pipe {
#define GEN_PASS_DEF_PIPEVERIFYMODEL
#define GEN_PASS_DEF_PIPEVERIFYSTAGED
#define GEN_PASS_DEF_PIPEVERIFYMICROBATCHED
#define GEN_PASS_DEF_PIPEVERIFYSCHEDULED
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe

using namespace panpipe::pipe;

namespace {
/// `Base` is the generated base class of the pass for `level`.
template <typename Base, Level level> struct VerifyLevelPass : Base {
  void runOnOperation() override {
    this->markAllAnalysesPreserved();
    if (mlir::failed(verifyLevel(this->getOperation(), level)))
      this->signalPassFailure();
  }
};

struct PipeVerifyModelPass
    : VerifyLevelPass<
          panpipe::pipe::impl::PipeVerifyModelBase<PipeVerifyModelPass>,
          Level::Model> {};
struct PipeVerifyStagedPass
    : VerifyLevelPass<
          panpipe::pipe::impl::PipeVerifyStagedBase<PipeVerifyStagedPass>,
          Level::Staged> {};
struct PipeVerifyMicrobatchedPass
    : VerifyLevelPass<panpipe::pipe::impl::PipeVerifyMicrobatchedBase<
                          PipeVerifyMicrobatchedPass>,
                      Level::Microbatched> {};
struct PipeVerifyScheduledPass
    : VerifyLevelPass<
          panpipe::pipe::impl::PipeVerifyScheduledBase<PipeVerifyScheduledPass>,
          Level::Scheduled> {};
} // namespace
