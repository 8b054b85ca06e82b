//===- FuseStage.cpp - Fusion inside one stage ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

//===----------------------------------------------------------------------===//
// Matrix products of inlined composites
//===----------------------------------------------------------------------===//

static bool isZeroFill(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_PosZeroFloat());
}

/// `linalg.matmul` and its relatives on f32, over an accumulator of zeros.
static FailureOr<LibraryKernel> matMulOf(linalg::LinalgOp op) {
  if (!isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op.getOperation()) ||
      op->getNumResults() != 1 || !isZeroFill(op.getDpsInits()[0]))
    return failure();
  auto type = [](Value v) { return cast<RankedTensorType>(v.getType()); };
  Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1];
  for (Value v : {lhs, rhs, Value(op->getResult(0))})
    if (!type(v).getElementType().isF32() || !type(v).hasStaticShape() ||
        type(v).getNumElements() == 0)
      return failure();
  LibraryKernel kernel;
  kernel.kind = rt::KernelKind::MatMul;
  rt::MatMulAttrs &m = kernel.matmul;
  ArrayRef<int64_t> out = type(op->getResult(0)).getShape();
  unsigned batchDims = out.size() - 2;
  m.batch = batchDims ? out[0] : 1;
  m.rhsBatched = batchDims != 0;
  m.m = out[batchDims], m.n = out[batchDims + 1];
  m.k = type(lhs).getShape().back();
  // The maps tell which operands are transposed: only the right one may be.
  MLIRContext *context = op.getContext();
  AffineExpr b, i, j, k;
  SmallVector<AffineExpr> lhsExprs, rhsExprs, rhsTransposed;
  if (batchDims) {
    bindDims(context, b, i, j, k);
    lhsExprs = {b, i, k}, rhsExprs = {b, k, j}, rhsTransposed = {b, j, k};
  } else {
    bindDims(context, i, j, k);
    lhsExprs = {i, k}, rhsExprs = {k, j}, rhsTransposed = {j, k};
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned loops = batchDims + 3;
  auto is = [&](AffineMap map, ArrayRef<AffineExpr> exprs) {
    return map == AffineMap::get(loops, 0, exprs, context);
  };
  if (!is(maps[0], lhsExprs))
    return failure();
  m.transposed = is(maps[1], rhsTransposed);
  if (!m.transposed && !is(maps[1], rhsExprs))
    return failure();
  return kernel;
}

static void callMatMuls(Operation *stage, KernelTable &table) {
  SmallVector<linalg::LinalgOp> ops;
  stage->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    FailureOr<LibraryKernel> kernel = matMulOf(op);
    if (failed(kernel))
      continue;
    OpBuilder b(op);
    func::CallOp call = table.call(b, op.getLoc(), *kernel, op.getDpsInputs(),
                                   op->getResult(0).getType());
    op->replaceAllUsesWith(call.getResults());
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Leaky relu
//===----------------------------------------------------------------------===//

/// A constant of the payload, or one that comes from outside of it.
static bool matchScalar(Value value, APFloat &constant) {
  return matchPattern(value, m_ConstantFloat(&constant));
}

/// Whether the payload is x > 0 ? x : x·alpha, with 0 < alpha. Relu itself must
/// not become the library's: that one turns a NaN into 0.
static bool isLeakyRelu(linalg::GenericOp op, double &alpha) {
  if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      op.getNumLoops() != op.getNumParallelLoops() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Value x = op.getBody()->getArgument(0);
  auto yielded = op.getBody()->getTerminator()->getOperand(0);
  auto select = yielded.getDefiningOp<arith::SelectOp>();
  if (!select || select.getTrueValue() != x)
    return false;
  auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>();
  auto product = select.getFalseValue().getDefiningOp<arith::MulFOp>();
  APFloat zero(0.0f), slope(0.0f);
  if (!compare || !product || compare.getLhs() != x ||
      compare.getPredicate() != arith::CmpFPredicate::OGT ||
      !matchScalar(compare.getRhs(), zero) || !zero.isZero())
    return false;
  Value other = product.getLhs() == x ? product.getRhs() : product.getLhs();
  if ((product.getLhs() != x && product.getRhs() != x) ||
      !matchScalar(other, slope) || slope.isZero() || slope.isNegative())
    return false;
  alpha = slope.convertToFloat();
  return true;
}

static void joinActivations(Operation *stage, KernelTable &table) {
  SmallVector<linalg::GenericOp> ops;
  stage->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    double alpha = 0;
    auto call = op.getNumOperands()
                    ? op.getOperand(0).getDefiningOp<func::CallOp>()
                    : func::CallOp();
    FailureOr<LibraryKernel> kernel = table.lookup(call);
    if (failed(kernel) || !call->hasOneUse() ||
        kernel->window.activation != rt::Activation::None ||
        (kernel->kind != rt::KernelKind::Conv2d &&
         kernel->kind != rt::KernelKind::ConvTranspose2d) ||
        !isLeakyRelu(op, alpha))
      continue;
    kernel->window.activation = rt::Activation::LeakyRelu;
    kernel->window.alpha = alpha;
    OpBuilder b(call);
    func::CallOp joined = table.call(b, call.getLoc(), *kernel,
                                     call.getOperands(), op.getType(0));
    op.replaceAllUsesWith(joined.getResults());
    op.erase();
    call.erase();
  }
}

//===----------------------------------------------------------------------===//
// Elementwise fusion
//===----------------------------------------------------------------------===//

/// A producer moves into its only consumer when that repeats no work: both
/// iterate over the same space.
static bool shouldFuse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto source = dyn_cast_or_null<linalg::GenericOp>(producer);
  if (!consumer || !source || !producer->hasOneUse())
    return false;
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  return map.isPermutation() && source.getNumLoops() == consumer.getNumLoops();
}

/// Named operations become linalg.generic; a fill stays what it is, because
/// later steps know it as the start of a reduction.
static void generalize(Operation *stage) {
  SmallVector<linalg::LinalgOp> ops;
  stage->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
      ops.push_back(op);
  });
  IRRewriter rewriter(stage->getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
}

LogicalResult lower::fuseStage(Operation *stage, KernelTable &table) {
  MLIRContext *context = stage->getContext();
  callMatMuls(stage, table);

  generalize(stage);
  joinActivations(stage, table);

  RewritePatternSet fusion(context);
  linalg::populateElementwiseOpsFusionPatterns(fusion, shouldFuse);
  for (RegisteredOperationName name : context->getRegisteredOperations())
    if (isa_and_nonnull<tensor::TensorDialect, linalg::LinalgDialect>(
            &name.getDialect()))
      name.getCanonicalizationPatterns(fusion, context);
  if (failed(applyPatternsGreedily(stage, std::move(fusion))))
    return stage->emitOpError("could not be fused");
  IRRewriter rewriter(context);
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, stage);
  return success();
}
