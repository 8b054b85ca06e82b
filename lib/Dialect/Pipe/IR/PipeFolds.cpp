//===- PipeFolds.cpp - Folds and effects of pipe operations ---------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Splits and concatenations that do nothing fold away, but only in functions:
/// in a device program every value has its own life, which a fold would merge
/// with another one.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace panpipe::pipe;

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static bool isInProgram(Operation *op) {
  return isa_and_nonnull<ProgramOp>(op->getParentOp());
}

/// In a program a result is an allocation that a pipe.free ends.
static void addProgramEffects(Operation *op, Effects &effects) {
  if (!isInProgram(op))
    return;
  for (OpResult result : op->getOpResults())
    effects.emplace_back(MemoryEffects::Allocate::get(), result);
}

void RunOp::getEffects(Effects &effects) { addProgramEffects(*this, effects); }
void SplitOp::getEffects(Effects &effects) {
  addProgramEffects(*this, effects);
}
void ConcatOp::getEffects(Effects &effects) {
  addProgramEffects(*this, effects);
}

/// split of one piece → the source; split(concat(p…)) with the same pieces →
/// p….
LogicalResult SplitOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (isInProgram(*this))
    return failure();
  if (getPieces().size() == 1) {
    results.push_back(getSource());
    return success();
  }
  auto concat = getSource().getDefiningOp<ConcatOp>();
  if (!concat || concat.getDim() != getDim() ||
      concat.getPieces().getTypes() != getPieces().getTypes())
    return failure();
  llvm::append_range(results, concat.getPieces());
  return success();
}

/// concat of one piece → the piece; concat of all pieces of a split, in order →
/// the split's source.
OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (isInProgram(*this))
    return {};
  if (getPieces().size() == 1)
    return getPieces().front();
  auto split = getPieces().front().getDefiningOp<SplitOp>();
  if (!split || split.getDim() != getDim() ||
      !llvm::equal(split.getPieces(), getPieces()))
    return {};
  return split.getSource();
}
