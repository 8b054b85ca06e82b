//===- LowerKernels.cpp - Kernels from tensors to the LLVM dialect --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NativeCode.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

namespace {

/// memref.copy would call into a run-time library; a linalg copy becomes loops.
struct CopyToLinalg : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                             op.getTarget());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Operations on tensors that have no direct loops.
struct PrepareTensorsPass
    : PassWrapper<PrepareTensorsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareTensorsPass)
  StringRef getArgument() const override { return "prepare-tensors"; }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    patterns.add<linalg::DecomposePadOpPattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

/// exp, tanh, erf, … become polynomials in MLIR, not calls of a vector library:
/// so an element has the same bits in a vector and in the rest of a loop.
struct PrepareMathPass
    : PassWrapper<PrepareMathPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrepareMathPass)
  StringRef getArgument() const override { return "prepare-math"; }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    math::populateExpansionPatterns(
        patterns, {"rsqrt", "powf", "fpowi", "round", "clampf"});
    populateMathPolynomialApproximationPatterns(patterns);
    patterns.add<CopyToLinalg>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

/// Inputs are read-only and overlap nothing that the kernel writes.
static void markArguments(ModuleOp kernels) {
  Builder b(kernels.getContext());
  for (auto function : kernels.getOps<func::FuncOp>())
    for (unsigned i = 0; i != function.getNumArguments(); ++i)
      function.setArgAttr(i, "bufferization.writable", b.getBoolAttr(false));
}

static void markNoAlias(ModuleOp kernels) {
  Builder b(kernels.getContext());
  for (auto function : kernels.getOps<func::FuncOp>())
    for (unsigned i = 0; i != function.getNumArguments(); ++i) {
      function.removeArgAttr(i, "bufferize.result");
      function.removeArgAttr(i, "bufferization.writable");
      function.setArgAttr(i, "llvm.noalias", b.getUnitAttr());
    }
}

/// Runs the passes of `pm` and appends their names, so that a user can be told
/// what was done to the program without a proof.
static LogicalResult runRecorded(PassManager &pm, ModuleOp kernels,
                                 std::vector<std::string> &passes) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  pm.printAsTextualPipeline(stream);
  // The names are the words outside of options that open no nesting.
  int options = 0;
  std::string word;
  for (char c : text) {
    if (c == '{' || c == '}')
      options += c == '{' ? 1 : -1;
    else if (!options && c == '(')
      word.clear();
    else if (!options && (c == ',' || c == ')')) {
      if (!word.empty())
        passes.push_back(word);
      word.clear();
    } else if (!options)
      word += c;
  }
  return pm.run(kernels);
}

static LogicalResult bufferize(ModuleOp kernels,
                               std::vector<std::string> &passes) {
  PassManager pm(kernels.getContext(), "builtin.module");
  pm.addNestedPass<func::FuncOp>(std::make_unique<PrepareTensorsPass>());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  bufferization::BufferResultsToOutParamsPassOptions outParams;
  outParams.hoistStaticAllocs = true;
  outParams.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  bufferization::PromoteBuffersToStackPassOptions stack;
  stack.maxAllocSizeInBytes = 8192;
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(stack));
  bufferization::BufferDeallocationPipelineOptions deallocation;
  bufferization::buildBufferDeallocationPipeline(pm, deallocation);
  return runRecorded(pm, kernels, passes);
}

/// Loops, as parallel ones where they are.
static LogicalResult makeLoops(ModuleOp kernels,
                               std::vector<std::string> &passes) {
  PassManager pm(kernels.getContext(), "builtin.module");
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(std::make_unique<PrepareMathPass>());
  functions.addPass(createConvertLinalgToParallelLoopsPass());
  functions.addPass(createCanonicalizerPass());
  return runRecorded(pm, kernels, passes);
}

LogicalResult
lower::lowerKernelsToLLVM(ModuleOp kernels,
                          std::map<std::string, int64_t> &sharedWork,
                          std::vector<std::string> &passes) {
  markArguments(kernels);
  if (failed(bufferize(kernels, passes)))
    return failure();
  markNoAlias(kernels);
  if (failed(makeLoops(kernels, passes)))
    return failure();
  for (auto function : kernels.getOps<func::FuncOp>())
    if (int64_t work = splitWork(function))
      sharedWork[function.getName().str()] = work;
  PassManager pm(kernels.getContext(), "builtin.module");
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions function;
  function.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(function));
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  return runRecorded(pm, kernels, passes);
}
