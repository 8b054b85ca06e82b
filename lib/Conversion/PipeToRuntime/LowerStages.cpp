//===- LowerStages.cpp - --pipe-lower-stages ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCalls.h"
#include "panpipe/Conversion/Passes.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace panpipe {
#define GEN_PASS_DEF_PIPELOWERSTAGESPASS
#include "panpipe/Conversion/Passes.h.inc"
} // namespace panpipe

using namespace mlir;
using namespace panpipe;

namespace {

class PipeLowerStagesPass
    : public panpipe::impl::PipeLowerStagesPassBase<PipeLowerStagesPass> {
public:
  using PipeLowerStagesPassBase::PipeLowerStagesPassBase;

  void runOnOperation() override {
    if (block != 0 && block != 8 && block != 16) {
      getOperation().emitError(
          "--pipe-lower-stages: block must be 0, 8 or 16, not ")
          << int64_t(block);
      return signalPassFailure();
    }
    if (failed(lowerAll()))
      signalPassFailure();
  }

private:
  LogicalResult lowerAll();
};

/// The functions that run: stages, and @main while it is a function whose calls
/// are the model's (a @main of pipe.run has nothing to lower).
static SmallVector<Operation *> stagesOf(ModuleOp module) {
  SmallVector<Operation *> stages;
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (isa<pipe::StageOp>(op) ||
        (function && function.isPublic() && !function.isExternal() &&
         function.getOps<pipe::RunOp>().empty()))
      stages.push_back(&op);
  }
  return stages;
}

} // namespace

LogicalResult PipeLowerStagesPass::lowerAll() {
  ModuleOp module = getOperation();
  SmallVector<Operation *> stages = stagesOf(module);
  for (Operation *stage : stages)
    if (!stage->getRegion(0).hasOneBlock())
      return stage->emitOpError(
          "has more than one block; a stage is a straight "
          "line");
  lower::KernelTable table(module);
  for (Operation *stage : stages)
    if (failed(lower::selectKernels(stage, table)) ||
        failed(lower::fuseStage(stage, table)) ||
        failed(lower::blockLayouts(stage, table, block)))
      return failure();
  if (failed(lower::outlineKernels(stages, table)))
    return failure();
  // Composites and declarations that nobody calls any more.
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();
  return success();
}
