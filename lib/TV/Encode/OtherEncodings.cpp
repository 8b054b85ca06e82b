//===- OtherEncodings.cpp - Encodings of func, ub, pipe -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls, runs of stages, splitting and joining of batches, poison; and the
/// table of all dialects.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The common form of func.call and pipe.run.
static LogicalResult encodeCallTo(Operation *op, FlatSymbolRefAttr callee,
                                  Encoder &e) {
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      SymbolTable::lookupNearestSymbolFrom(op, callee));
  if (!function)
    return e.unsupported(op, "@" + callee.getValue() + " is not a function");
  SmallVector<SymValue> arguments, results;
  for (Value operand : op->getOperands())
    arguments.push_back(e.get(operand));
  if (failed(e.encodeCall(op, function, arguments, results)))
    return failure();
  for (auto [result, symbolic] : llvm::zip_equal(op->getResults(), results))
    e.define(result, std::move(symbolic));
  return success();
}

static LogicalResult encodeCall(func::CallOp op, Encoder &e) {
  return encodeCallTo(op, op.getCalleeAttr(), e);
}

static LogicalResult encodeRun(pipe::RunOp op, Encoder &e) {
  return encodeCallTo(op, op.getCalleeAttr(), e);
}

//===----------------------------------------------------------------------===//
// Pieces of a batch
//===----------------------------------------------------------------------===//

static LogicalResult encodeSplit(pipe::SplitOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  unsigned dim = op.getDim();
  int64_t offset = 0;
  for (auto [piece, size] : llvm::zip_equal(op.getPieces(), op.getSizes())) {
    SmallVector<IndexTerm> offsets(source.rank(), e.constant(0));
    SmallVector<IndexTerm> strides(source.rank(), e.constant(1));
    SmallVector<IndexTerm> sizes(source.shape.begin(), source.shape.end());
    offsets[dim] = e.constant(offset);
    sizes[dim] = e.constant(size);
    e.require(geZero(source.shape[dim] - (offset + size)),
              "a piece ends outside of the tensor", op);
    e.define(piece, extractSlice(e.terms(), source, offsets, sizes, strides));
    offset += size;
  }
  return success();
}

static LogicalResult encodeConcat(pipe::ConcatOp op, Encoder &e) {
  SmallVector<SymTensor> parts;
  for (Value piece : op.getPieces())
    parts.push_back(e.tensor(piece));
  e.define(op, concatTensors(e.terms(), parts, op.getDim()));
  return success();
}

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

static LogicalResult encodePoison(ub::PoisonOp op, Encoder &e) {
  Element poison = e.poison(*e.scalarType(op.getType()));
  auto shaped = dyn_cast<ShapedType>(op.getType());
  if (!shaped) {
    e.define(op.getResult(), poison);
    return success();
  }
  if (!shaped.hasStaticShape())
    return e.unsupported(op, "poison of unknown size has no encoding");
  SmallVector<IndexTerm> shape;
  for (int64_t size : shaped.getShape())
    shape.push_back(e.constant(size));
  e.define(op.getResult(),
           splatTensor(e.terms(), *e.scalarType(shaped), shape, poison));
  return success();
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void tv::populateFuncEncodings(OpEncodings &t) {
  t.on<func::CallOp>(encodeCall);
}

void tv::populateUBEncodings(OpEncodings &t) {
  t.on<ub::PoisonOp>(encodePoison);
}

void tv::populatePipeEncodings(OpEncodings &t) {
  t.on<pipe::RunOp>(encodeRun);
  t.on<pipe::SplitOp>(encodeSplit);
  t.on<pipe::ConcatOp>(encodeConcat);
}

OpEncodings OpEncodings::all() {
  OpEncodings table;
  populateFuncEncodings(table);
  populateArithEncodings(table);
  populateMathEncodings(table);
  populateTensorEncodings(table);
  populateLinalgEncodings(table);
  populateAffineEncodings(table);
  populateScfEncodings(table);
  populateMemRefEncodings(table);
  populateBufferizationEncodings(table);
  populateIndexEncodings(table);
  populateUBEncodings(table);
  populatePipeEncodings(table);
  populateTosaEncodings(table);
  populateVectorEncodings(table);
  return table;
}

std::vector<std::string> OpEncodings::names() const {
  std::vector<std::string> result;
  for (const auto &entry : functions)
    result.push_back(entry.first().str());
  llvm::sort(result);
  return result;
}
