//===- BufferizationEncodings.cpp - Encodings of bufferization ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Between tensors and buffers. A tensor is a value: the buffer made from it is
/// read-only, and a tensor made from a buffer is what the buffer held.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

/// A buffer that holds the tensor. Writing it would change a value: such
/// programs have no encoding.
static LogicalResult encodeToBuffer(bufferization::ToBufferOp op, Encoder &e) {
  if (!isa<MemRefType>(op.getType()))
    return e.unsupported(op, "unranked memrefs have no encoding");
  e.define(op, e.allocate(MemBlock::Kind::Frozen, e.tensor(op.getTensor()),
                          "tensor"));
  return success();
}

/// What the buffer holds now. The buffer must not change afterwards, or the
/// tensor would.
static LogicalResult encodeToTensor(bufferization::ToTensorOp op, Encoder &e) {
  const SymMemRef &buffer = e.memref(op.getBuffer());
  FailureOr<SymTensor> tensor = e.readView(buffer, op);
  if (failed(tensor))
    return failure();
  e.freeze(buffer);
  e.define(op, std::move(*tensor));
  return success();
}

static LogicalResult encodeAllocTensor(bufferization::AllocTensorOp op,
                                       Encoder &e) {
  if (Value copied = op.getCopy()) {
    e.define(op, e.tensor(copied));
    return success();
  }
  IndexList shape;
  unsigned next = 0;
  for (int64_t size : op.getType().getShape()) {
    if (!ShapedType::isDynamic(size)) {
      shape.push_back(e.constant(size));
      continue;
    }
    IndexTerm term =
        e.indexOrSymbol(e.scalar(op.getDynamicSizes()[next++]), "size", op);
    if (!term)
      return e.unsupported(op, "a size that depends on data and on loop "
                               "variables has no encoding");
    e.require(geZero(term), "negative size", op);
    shape.push_back(e.terms().index().dimFor(term));
  }
  e.define(op, emptyTensor(e.terms(), *e.scalarType(op.getType()), shape));
  return success();
}

static LogicalResult
encodeMaterialize(bufferization::MaterializeInDestinationOp op, Encoder &e) {
  const SymTensor source = e.tensor(op.getSource());
  if (isa<TensorType>(op.getDest().getType())) {
    for (auto [a, b] :
         llvm::zip_equal(source.shape, e.tensor(op.getDest()).shape))
      e.requireEqual(a, b, "the destination has another shape", op);
    if (op->getNumResults() == 1)
      e.define(op->getResult(0), source);
    return success();
  }
  const SymMemRef dest = e.memref(op.getDest());
  for (auto [a, b] : llvm::zip_equal(source.shape, dest.shape()))
    e.requireEqual(a, b, "the destination has another shape", op);
  return e.writeView(dest, source, op);
}

static LogicalResult encodeDeallocTensor(bufferization::DeallocTensorOp,
                                         Encoder &) {
  return success(); // a value is not used up
}

void tv::populateBufferizationEncodings(OpEncodings &t) {
  t.on<bufferization::AllocTensorOp>(encodeAllocTensor);
  t.on<bufferization::DeallocTensorOp>(encodeDeallocTensor);
  t.on<bufferization::MaterializeInDestinationOp>(encodeMaterialize);
  t.on<bufferization::ToBufferOp>(encodeToBuffer);
  t.on<bufferization::ToTensorOp>(encodeToTensor);
}
