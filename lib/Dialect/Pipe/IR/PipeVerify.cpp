//===- PipeVerify.cpp - Verification of pipe operations -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one operation can check about itself and its body. Rules that need the
/// whole module (channels, coverage, leaks) are the level verifiers' in
/// Transforms/VerifyLevels.cpp.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace panpipe::pipe;

//===----------------------------------------------------------------------===//
// Stages and their runs
//===----------------------------------------------------------------------===//

LogicalResult StageOp::verify() {
  if (static_cast<int64_t>(getDevice()) < 0)
    return emitOpError("device numbers start at 0, but this one is ")
           << static_cast<int64_t>(getDevice());
  for (Operation &op : getBody().front())
    if (isa<PipeDialect>(op.getDialect()) && !isa<YieldOp>(op))
      return op.emitOpError("cannot stand in a stage: a stage holds the "
                            "computation, and only pipe.yield of this dialect");
  // That there is a terminator is checked for every block.
  Block &block = getBody().front();
  if (block.mightHaveTerminator() &&
      block.back().hasTrait<OpTrait::IsTerminator>() &&
      !isa<YieldOp>(block.back()))
    return block.back().emitOpError("cannot end a stage: expected pipe.yield");
  return success();
}

LogicalResult YieldOp::verify() {
  auto stage = cast<StageOp>((*this)->getParentOp());
  ArrayRef<Type> expected = stage.getResultTypes();
  if (getValues().size() != expected.size())
    return emitOpError("yields ")
           << getValues().size() << " values, but stage @" << stage.getSymName()
           << " has " << expected.size() << " results";
  for (auto [index, value, type] : llvm::enumerate(getValues(), expected))
    if (value.getType() != type)
      return emitOpError("value ")
             << index << " has type " << value.getType() << ", but result "
             << index << " of stage @" << stage.getSymName() << " is " << type;
  return success();
}

LogicalResult RunOp::verify() {
  if (!isa<func::FuncOp, ProgramOp>((*this)->getParentOp()))
    return emitOpError("must stand directly in a function or a pipe.program");
  if (getMicrobatch() && static_cast<int64_t>(*getMicrobatch()) < 0)
    return emitOpError("microbatch numbers start at 0, but this one is ")
           << static_cast<int64_t>(*getMicrobatch());
  return success();
}

/// `what` is "operand" or "result".
static LogicalResult compareTypes(RunOp run, StageOp stage, StringRef what,
                                  TypeRange actual, ArrayRef<Type> expected) {
  auto error = [&]() {
    InFlightDiagnostic diagnostic = run.emitOpError();
    diagnostic.attachNote(stage.getLoc()) << "the stage is here";
    return diagnostic;
  };
  if (actual.size() != expected.size())
    return error() << "has " << actual.size() << " " << what << "s, but stage @"
                   << stage.getSymName() << " has " << expected.size();
  for (auto [index, have, want] : llvm::enumerate(actual, expected))
    if (have != want)
      return error() << what << " " << index << " has type " << have
                     << ", but stage @" << stage.getSymName() << " expects "
                     << want;
  return success();
}

LogicalResult RunOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  Operation *symbol =
      symbolTable.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (!symbol)
    return emitOpError("runs @") << getCallee() << ", which does not exist";
  auto stage = dyn_cast<StageOp>(symbol);
  if (!stage)
    return emitOpError("runs @")
           << getCallee() << ", which is a '" << symbol->getName()
           << "' and not a pipe.stage";
  if (failed(compareTypes(*this, stage, "operand", getOperandTypes(),
                          stage.getArgumentTypes())) ||
      failed(compareTypes(*this, stage, "result", getResultTypes(),
                          stage.getResultTypes())))
    return failure();
  auto program = dyn_cast<ProgramOp>((*this)->getParentOp());
  if (program && program.getDevice() != stage.getDevice())
    return emitOpError("runs stage @")
           << getCallee() << " of device " << stage.getDevice()
           << " in the program of device " << program.getDevice();
  return success();
}

//===----------------------------------------------------------------------===//
// Splits and concatenations
//===----------------------------------------------------------------------===//

/// Pieces differ from the whole only in the extent of `dim`, and their extents
/// add up to its extent.
static LogicalResult verifyPieces(Operation *op, RankedTensorType whole,
                                  int64_t dim, TypeRange pieces) {
  if (pieces.empty())
    return op->emitOpError("needs at least one piece");
  if (dim < 0 || dim >= whole.getRank())
    return op->emitOpError("dimension ")
           << dim << " is out of range for " << whole;
  if (whole.isDynamicDim(dim))
    return op->emitOpError("needs a static extent along dimension ")
           << dim << ", but has " << whole;
  int64_t sum = 0;
  for (auto [index, type] : llvm::enumerate(pieces)) {
    auto piece = cast<RankedTensorType>(type);
    SmallVector<int64_t> shape(whole.getShape());
    if (piece.getRank() == whole.getRank())
      shape[dim] = piece.getDimSize(dim);
    if (piece != whole.clone(shape))
      return op->emitOpError("piece ")
             << index << " has type " << piece
             << ", which differs from the whole " << whole
             << " in more than dimension " << dim;
    if (shape[dim] <= 0)
      return op->emitOpError("piece ") << index << " has type " << piece
                                       << ": its extent along dimension " << dim
                                       << " must be static and positive";
    sum += shape[dim];
  }
  if (sum != whole.getDimSize(dim))
    return op->emitOpError("the pieces' extents along dimension ")
           << dim << " add up to " << sum << ", but the whole has "
           << whole.getDimSize(dim);
  return success();
}

LogicalResult SplitOp::verify() {
  ArrayRef<int64_t> sizes = getSizes();
  if (sizes.size() != getPieces().size())
    return emitOpError("has ") << sizes.size() << " sizes, but "
                               << getPieces().size() << " results";
  auto source = cast<RankedTensorType>(getSource().getType());
  int64_t dim = getDim();
  if (failed(verifyPieces(*this, source, dim, getPieces().getTypes())))
    return failure();
  for (auto [index, size, type] :
       llvm::enumerate(sizes, getPieces().getTypes()))
    if (int64_t extent = cast<RankedTensorType>(type).getDimSize(dim);
        extent != size)
      return emitOpError("piece ")
             << index << " has extent " << extent << " along dimension " << dim
             << ", but its size is given as " << size;
  return success();
}

LogicalResult ConcatOp::verify() {
  return verifyPieces(*this, cast<RankedTensorType>(getResult().getType()),
                      getDim(), getPieces().getTypes());
}

//===----------------------------------------------------------------------===//
// Device programs
//===----------------------------------------------------------------------===//

LogicalResult PipelineOp::verifyRegions() {
  llvm::SmallDenseMap<int64_t, ProgramOp> programs;
  SmallVector<DeliverOp> delivered(getResultTypes().size());
  for (Operation &op : getBody().front()) {
    auto program = dyn_cast<ProgramOp>(op);
    if (!program)
      return op.emitOpError(
          "cannot stand in a pipe.pipeline, which holds pipe.program only");
    auto [it, isNew] = programs.try_emplace(program.getDevice(), program);
    if (!isNew) {
      InFlightDiagnostic diagnostic = program.emitOpError("device ")
                                      << program.getDevice()
                                      << " has a program already";
      diagnostic.attachNote(it->second.getLoc()) << "the first one is here";
      return diagnostic;
    }
    for (auto deliver : program.getBody().getOps<DeliverOp>()) {
      // Its own verifier has checked that the number is in range.
      DeliverOp &first = delivered[deliver.getResult()];
      if (first) {
        InFlightDiagnostic diagnostic = deliver.emitOpError("result ")
                                        << deliver.getResult()
                                        << " is delivered twice";
        diagnostic.attachNote(first.getLoc()) << "the first time is here";
        return diagnostic;
      }
      first = deliver;
    }
  }
  for (auto [index, deliver] : llvm::enumerate(delivered))
    if (!deliver)
      return emitOpError("result ")
             << index
             << " is never delivered: it needs one pipe.deliver in one "
             << "of the programs";
  return success();
}

/// A value is not used after its pipe.free, and freed once.
static LogicalResult verifyFrees(ProgramOp program) {
  llvm::DenseMap<Value, Operation *> freed;
  for (Operation &op : program.getBody().front()) {
    for (Value operand : op.getOperands()) {
      auto it = freed.find(operand);
      if (it == freed.end())
        continue;
      InFlightDiagnostic diagnostic =
          isa<FreeOp>(op)
              ? op.emitOpError("frees a value that is freed already")
              : op.emitOpError("uses a value after its pipe.free");
      diagnostic.attachNote(it->second->getLoc()) << "it is freed here";
      return diagnostic;
    }
    if (auto free = dyn_cast<FreeOp>(op))
      freed[free.getValue()] = free;
  }
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  if (static_cast<int64_t>(getDevice()) < 0)
    return emitOpError("device numbers start at 0, but this one is ")
           << static_cast<int64_t>(getDevice());
  if (getBody().getNumArguments() != 0)
    return emitOpError("takes no block arguments: values arrive by pipe.recv");
  for (Operation &op : getBody().front())
    if (!isa<RecvOp, SplitOp, ConcatOp, RunOp, SendOp, FreeOp, DeliverOp>(op))
      return op.emitOpError("cannot stand in a pipe.program, which holds recv, "
                            "split, concat, run, send, free and deliver");
  return verifyFrees(*this);
}

/// The other end of a channel is another device, and the tag is not negative.
static LogicalResult verifyChannel(Operation *op, int64_t peer, int64_t tag) {
  int64_t self = cast<ProgramOp>(op->getParentOp()).getDevice();
  if (peer < 0)
    return op->emitOpError("device numbers start at 0, but the other end is ")
           << peer;
  if (peer == self)
    return op->emitOpError("connects device ")
           << self << " to itself: use the value directly";
  if (tag < 0)
    return op->emitOpError("tags start at 0, but this one is ") << tag;
  return success();
}

LogicalResult RecvOp::verify() {
  return verifyChannel(*this, getSource(), getTag());
}

LogicalResult SendOp::verify() {
  return verifyChannel(*this, getDestination(), getTag());
}

LogicalResult FreeOp::verify() {
  if (isa<BlockArgument>(getValue()))
    return emitOpError(
        "frees an argument of the pipeline, which belongs to the "
        "host");
  return success();
}

LogicalResult DeliverOp::verify() {
  auto pipeline =
      cast<PipelineOp>(cast<ProgramOp>((*this)->getParentOp())->getParentOp());
  ArrayRef<Type> results = pipeline.getResultTypes();
  if (getResult() >= results.size())
    return emitOpError("delivers result ")
           << static_cast<int64_t>(getResult()) << ", but @"
           << pipeline.getSymName() << " has " << results.size() << " results";
  if (getValue().getType() != results[getResult()])
    return emitOpError("delivers a value of type ")
           << getValue().getType() << " as result " << getResult() << " of @"
           << pipeline.getSymName() << ", which is " << results[getResult()];
  return success();
}
