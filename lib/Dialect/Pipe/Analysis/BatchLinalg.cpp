//===- BatchLinalg.cpp - Batch rules of linalg operations -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchRules.h"

#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

/// Where `map` uses `loop`: −1 for nowhere, −2 if not as a plain result or more
/// than once, otherwise the position of the result.
static int64_t findLoop(AffineMap map, unsigned loop) {
  int64_t position = -1;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (position != -1 || !isa<AffineDimExpr>(expr))
      return -2;
    position = static_cast<int64_t>(index);
  }
  return position;
}

namespace {
/// The rule for one linalg operation: a parallel loop that every sliced operand
/// uses as its batch dimension.
class LinalgRule {
public:
  LinalgRule(BatchBody &body, linalg::LinalgOp op) : body(body), op(op) {}

  std::optional<BatchSpec> run();

private:
  bool setLoop(unsigned newLoop, int64_t newFactor);
  bool findBatchLoop();
  bool checkCapturedRead(OpOperand &use, BatchRelation relation);
  bool checkIndexUses();
  std::optional<BatchRelation> relationOf(OpOperand &operand);

  BatchBody &body;
  linalg::LinalgOp op;
  int64_t loop = -1, factor = 1;
};
} // namespace

bool LinalgRule::setLoop(unsigned newLoop, int64_t newFactor) {
  if (loop >= 0 && (loop != newLoop || factor != newFactor)) {
    body.fail(op, "combines samples of the batch with each other (loops " +
                      Twine(loop) + " and " + Twine(newLoop) + ")");
    return false;
  }
  loop = newLoop;
  factor = newFactor;
  if (op.getIteratorTypesArray()[newLoop] == utils::IteratorType::parallel)
    return true;
  body.fail(op, "reduces over the batch (loop " + Twine(newLoop) + ")");
  return false;
}

/// A tensor of the outside, read in the payload: each sample may read only
/// itself.
bool LinalgRule::checkCapturedRead(OpOperand &use, BatchRelation relation) {
  auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner());
  auto index =
      extract
          ? extract.getIndices()[relation.dim].getDefiningOp<linalg::IndexOp>()
          : nullptr;
  if (!index || index->getParentOp() != op) {
    body.fail(op, "reads any sample of the batch from its body");
    return false;
  }
  return setLoop(index.getDim(), relation.factor);
}

bool LinalgRule::findBatchLoop() {
  for (OpOperand &operand : op->getOpOperands()) {
    BatchRelation relation = body.getRelation(operand.get());
    if (relation.isWhole())
      continue;
    AffineExpr expr =
        op.getMatchingIndexingMap(&operand).getResult(relation.dim);
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim) {
      std::string text;
      llvm::raw_string_ostream(text) << expr;
      body.fail(op, "does not read sample i for sample i: it indexes the batch "
                    "with " +
                        text);
      return false;
    }
    if (!setLoop(dim.getPosition(), relation.factor))
      return false;
  }
  WalkResult result = op->walk([&](Operation *inner) {
    if (inner == op)
      return WalkResult::advance();
    for (OpOperand &use : inner->getOpOperands()) {
      BatchRelation relation = body.getRelation(use.get());
      if (!relation.isWhole() && !checkCapturedRead(use, relation))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// The position in the batch may serve to read a captured sample, nothing else:
/// a microbatch counts from 0.
static Operation *findPositionUse(linalg::LinalgOp op, unsigned loop,
                                  function_ref<bool(OpOperand &)> isRead) {
  Operation *found = nullptr;
  op->walk([&](linalg::IndexOp index) {
    if (index.getDim() != loop || index->getParentOp() != op)
      return;
    for (OpOperand &use : index->getUses())
      if (!isRead(use))
        found = use.getOwner();
  });
  return found;
}

bool LinalgRule::checkIndexUses() {
  Operation *user = findPositionUse(op, loop, [&](OpOperand &use) {
    auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner());
    if (!extract || use.getOperandNumber() == 0)
      return false;
    BatchRelation relation = body.getRelation(extract.getTensor());
    return relation.dim + 1 == use.getOperandNumber() &&
           relation.factor == factor;
  });
  if (user)
    body.fail(op, "uses the position in the batch as a value (in '" +
                      user->getName().getStringRef() + "')");
  return !user;
}

std::optional<BatchRelation> LinalgRule::relationOf(OpOperand &operand) {
  int64_t position = findLoop(op.getMatchingIndexingMap(&operand), loop);
  if (position == -2)
    return body.fail(op, "does not read sample i for sample i in operand " +
                             Twine(operand.getOperandNumber()));
  return position < 0 ? BatchRelation::whole()
                      : BatchRelation::slice(position, factor);
}

std::optional<BatchSpec> LinalgRule::run() {
  if (!findBatchLoop() || !checkIndexUses())
    return std::nullopt;
  BatchSpec spec;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<BatchRelation> relation = relationOf(operand);
    if (!relation)
      return std::nullopt;
    if (!body.use(op, operand.get(), *relation,
                  "operand " + Twine(operand.getOperandNumber())))
      return std::nullopt;
    spec.operands.push_back(*relation);
  }
  for (Value value : getReadValues(op))
    if (!llvm::is_contained(op->getOperands(), value))
      spec.captures.emplace_back(value, body.getRelation(value));
  for (OpOperand &init : op.getDpsInitsMutable()) {
    BatchRelation relation = spec.operands[init.getOperandNumber()];
    if (relation.isWhole())
      return body.fail(op, "writes one result for all samples of the batch");
    if (op->getNumResults() > 0)
      spec.results.push_back(relation);
  }
  return spec;
}

std::optional<BatchSpec> pipe::analyzeLinalg(BatchBody &body,
                                             linalg::LinalgOp op) {
  return LinalgRule(body, op).run();
}

/// A broadcast along the batch, or a map of such: no operand is sliced, and all
/// samples are equal if the operands' samples are.
std::optional<BatchSpec> pipe::sliceLinalg(BatchBody &body, linalg::LinalgOp op,
                                           BatchRelation relation) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto dim = dyn_cast<AffineDimExpr>(map.getResult(relation.dim));
  if (!dim || op.getIteratorTypesArray()[dim.getPosition()] !=
                  utils::IteratorType::parallel)
    return std::nullopt;
  unsigned loop = dim.getPosition();
  if (findPositionUse(op, loop, [](OpOperand &) { return false; }))
    return std::nullopt;
  BatchSpec spec;
  spec.results = {relation};
  for (OpOperand &operand : op->getOpOperands()) {
    int64_t position = findLoop(op.getMatchingIndexingMap(&operand), loop);
    BatchRelation required = BatchRelation::whole();
    if (position >= 0)
      required = BatchRelation::slice(position, relation.factor);
    if (position == -2 || !body.canUse(operand.get(), required))
      return std::nullopt;
    spec.operands.push_back(required);
  }
  for (Value value : getReadValues(op))
    if (!llvm::is_contained(op->getOperands(), value))
      spec.captures.emplace_back(value, BatchRelation::whole());
  return spec;
}
