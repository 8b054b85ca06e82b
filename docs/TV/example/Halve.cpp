//===- Halve.cpp - A pass and a plug-in around it -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `halve` turns unsigned divisions by two into shifts. `halve{signed=true}`
/// does so with signed ones, too, which is wrong for odd negative numbers: the
/// tests show how that is found.
///
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

template <typename Div, typename Shift>
struct HalvePattern : OpRewritePattern<Div> {
  using OpRewritePattern<Div>::OpRewritePattern;
  LogicalResult matchAndRewrite(Div op,
                                PatternRewriter &rewriter) const override {
    APInt divisor;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&divisor)) || divisor != 2)
      return rewriter.notifyMatchFailure(op, "not a division by two");
    Value one = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getIntegerAttr(op.getType(), 1));
    rewriter.replaceOpWithNewOp<Shift>(op, op.getLhs(), one);
    return success();
  }
};

struct Halve : PassWrapper<Halve, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Halve)
  Halve() = default;
  Halve(const Halve &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "halve"; }
  StringRef getDescription() const final {
    return "Turn divisions by two into shifts";
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<HalvePattern<arith::DivUIOp, arith::ShRUIOp>>(&getContext());
    if (withSigned)
      patterns.add<HalvePattern<arith::DivSIOp, arith::ShRSIOp>>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
  Option<bool> withSigned{*this, "signed",
                          llvm::cl::desc("Signed divisions, too (wrong)"),
                          llvm::cl::init(false)};
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Halve", "1",
          [] { PassRegistration<Halve>(); }};
}
