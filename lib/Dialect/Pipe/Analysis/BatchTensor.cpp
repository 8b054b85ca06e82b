//===- BatchTensor.cpp - Batch rules of other operations ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchRules.h"

#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// All operands whole but for operand 0; the result in `result`.
static BatchSpec firstOperandSpec(BatchBody &body, Operation *op,
                                  BatchRelation result) {
  BatchSpec spec;
  spec.operands.assign(op->getNumOperands(), BatchRelation::whole());
  spec.operands[0] = body.getRelation(op->getOperand(0));
  spec.results = {result};
  return spec;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The batch must come first within the dimensions that become one.
static std::optional<BatchSpec> analyzeCollapse(BatchBody &body,
                                                tensor::CollapseShapeOp op) {
  BatchRelation in = body.getRelation(op.getSrc());
  ArrayRef<int64_t> shape = shapeOf(op.getSrc());
  for (auto [target, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (!llvm::is_contained(group, in.dim))
      continue;
    int64_t factor = in.factor;
    for (int64_t dim : group) {
      if (dim < in.dim && shape[dim] != 1)
        return body.fail(op,
                         "merges dimension " + Twine(dim) +
                             " into the batch from outside, so a microbatch "
                             "is no longer contiguous");
      if (dim > in.dim)
        factor *= shape[dim];
    }
    return firstOperandSpec(body, op, BatchRelation::slice(target, factor));
  }
  return body.fail(op, "drops the batch dimension");
}

/// The first dimension of the group that is not 1 must hold the whole batch.
static std::optional<BatchSpec> analyzeExpand(BatchBody &body,
                                              tensor::ExpandShapeOp op) {
  BatchRelation in = body.getRelation(op.getSrc());
  ArrayRef<int64_t> shape = shapeOf(op.getResult());
  for (int64_t dim : op.getReassociationIndices()[in.dim]) {
    if (shape[dim] == 1)
      continue;
    if (shape[dim] % body.getBatch() != 0)
      return body.fail(op, "cuts the batch itself: dimension " + Twine(dim) +
                               " of the result has extent " +
                               Twine(shape[dim]) +
                               ", which is no multiple of the batch " +
                               Twine(body.getBatch()));
    return firstOperandSpec(
        body, op, BatchRelation::slice(dim, shape[dim] / body.getBatch()));
  }
  return body.fail(op, "drops the batch dimension");
}

static std::optional<BatchSpec> analyzePad(BatchBody &body, tensor::PadOp op) {
  BatchRelation in = body.getRelation(op.getSource());
  if (in.isWhole() || op.getStaticLow()[in.dim] != 0 ||
      op.getStaticHigh()[in.dim] != 0)
    return body.fail(op, "pads the batch");
  if (!op.getRegion().front().getArgument(in.dim).use_empty())
    return body.fail(op,
                     "pads with a value that depends on the position in the "
                     "batch");
  return firstOperandSpec(body, op, in);
}

/// Offset 0, whole extent, stride 1.
static bool coversDim(OffsetSizeAndStrideOpInterface op, int64_t dim,
                      int64_t extent) {
  return op.getStaticOffsets()[dim] == 0 &&
         op.getStaticSizes()[dim] == extent && op.getStaticStrides()[dim] == 1;
}

/// Number of dimensions before `dim` that are kept.
static int64_t reducedDim(const llvm::SmallBitVector &dropped, int64_t dim) {
  int64_t result = 0;
  for (int64_t i = 0; i < dim; ++i)
    result += !dropped.test(i);
  return result;
}

static std::optional<BatchSpec> analyzeExtractSlice(BatchBody &body,
                                                    tensor::ExtractSliceOp op) {
  BatchRelation in = body.getRelation(op.getSource());
  if (in.isWhole() || !coversDim(op, in.dim, shapeOf(op.getSource())[in.dim]) ||
      op.getDroppedDims().test(in.dim))
    return body.fail(op, "takes only some samples of the batch");
  return firstOperandSpec(
      body, op,
      BatchRelation::slice(reducedDim(op.getDroppedDims(), in.dim), in.factor));
}

static std::optional<BatchSpec> analyzeInsertSlice(BatchBody &body,
                                                   tensor::InsertSliceOp op) {
  llvm::SmallBitVector dropped = op.getDroppedDims();
  BatchRelation source = body.getRelation(op.getSource());
  BatchRelation dest = body.getRelation(op.getDest());
  if (dest.isWhole()) {
    // Find the dimension of the destination from that of the source.
    for (int64_t dim = 0; dim < op.getDestType().getRank(); ++dim)
      if (!dropped.test(dim) && reducedDim(dropped, dim) == source.dim)
        dest = BatchRelation::slice(dim, source.factor);
  }
  if (dest.isWhole() || dropped.test(dest.dim) ||
      !coversDim(op, dest.dim, shapeOf(op.getDest())[dest.dim]))
    return body.fail(op, "overwrites only some samples of the batch");
  source = BatchRelation::slice(reducedDim(dropped, dest.dim), dest.factor);
  if (!body.use(op, op.getSource(), source, "the inserted tensor") ||
      !body.use(op, op.getDest(), dest, "the destination"))
    return std::nullopt;
  BatchSpec spec;
  spec.operands.assign(op->getNumOperands(), BatchRelation::whole());
  spec.operands[0] = source;
  spec.operands[1] = dest;
  spec.results = {dest};
  return spec;
}

/// All tensor operands and results in the relation of the sliced ones.
static std::optional<BatchSpec> analyzeSameRelation(BatchBody &body,
                                                    Operation *op) {
  BatchRelation common;
  for (Value operand : op->getOperands())
    if (BatchRelation relation = body.getRelation(operand); !relation.isWhole())
      common = relation;
  BatchSpec spec;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    BatchRelation required = isTensor ? common : BatchRelation::whole();
    if (!body.use(op, operand, required, "operand " + Twine(index)))
      return std::nullopt;
    spec.operands.push_back(required);
  }
  spec.results.assign(op->getNumResults(), common);
  return spec;
}

static std::optional<BatchSpec> analyzeConcat(BatchBody &body,
                                              tensor::ConcatOp op) {
  for (Value operand : op.getInputs())
    if (body.getRelation(operand).dim == static_cast<int64_t>(op.getDim()))
      return body.fail(op, "concatenates along the batch");
  return analyzeSameRelation(body, op);
}

static std::optional<BatchSpec> analyzeSoftmax(BatchBody &body,
                                               linalg::SoftmaxOp op) {
  if (body.getRelation(op.getInput()).dim ==
      static_cast<int64_t>(op.getDimension()))
    return body.fail(op, "normalises over the batch");
  return analyzeSameRelation(body, op);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static std::optional<BatchSpec> analyzeCall(BatchBody &body, func::CallOp op) {
  auto callee =
      body.getAnalysis().getModule().lookupSymbol<func::FuncOp>(op.getCallee());
  if (!callee || callee.isExternal())
    return body.fail(op, "calls a function without a body");
  BatchSpec spec;
  for (Value operand : op.getOperands())
    spec.operands.push_back(body.getRelation(operand));
  spec.callee = body.getAnalysis().analyze(callee, spec.operands);
  if (!spec.callee) {
    // An operand with equal samples (an expanded mask) can be cut too.
    BatchFailure first = body.getAnalysis().getFailure();
    for (auto [operand, relation] : llvm::zip(op.getOperands(), spec.operands))
      if (relation.isWhole() &&
          body.canUse(operand, BatchRelation::slice(0, 1)))
        relation = BatchRelation::slice(0, 1);
    spec.callee = body.getAnalysis().analyze(callee, spec.operands);
    if (!spec.callee) {
      first.callers.push_back(op);
      body.getAnalysis().setFailure(first);
      return std::nullopt;
    }
  }
  spec.results.assign(spec.callee->results.begin(), spec.callee->results.end());
  return spec;
}

static std::optional<BatchSpec> analyzeOperands(BatchBody &body,
                                                Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return analyzeCall(body, call);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return analyzeCollapse(body, collapse);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return analyzeExpand(body, expand);
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return analyzePad(body, pad);
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return analyzeExtractSlice(body, extract);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return analyzeInsertSlice(body, insert);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return analyzeConcat(body, concat);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return analyzeSoftmax(body, softmax);
  if (OpTrait::hasElementwiseMappableTraits(op))
    return analyzeSameRelation(body, op);
  return body.fail(op, "is not known to treat the samples of the batch one by "
                       "one");
}

std::optional<BatchSpec> pipe::analyzeTensor(BatchBody &body, Operation *op) {
  std::optional<BatchSpec> spec = analyzeOperands(body, op);
  if (!spec)
    return std::nullopt;
  for (Value value : getReadValues(op)) {
    if (llvm::is_contained(op->getOperands(), value))
      continue;
    if (!body.getRelation(value).isWhole())
      return body.fail(op, "reads any sample of the batch from its body");
    spec->captures.emplace_back(value, BatchRelation::whole());
  }
  return spec;
}
