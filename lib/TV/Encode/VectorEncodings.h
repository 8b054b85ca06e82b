//===- VectorEncodings.h - Encodings of the vector dialect ------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_VECTORENCODINGS_H
#define PANPIPE_LIB_TV_ENCODE_VECTORENCODINGS_H

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace panpipe::tv {

/// The sizes of a fixed-length vector.
llvm::SmallVector<IndexTerm> sizesOf(mlir::ShapedType type, Encoder &e);

/// A scalar as a tensor of rank 0; a vector as it is.
SymTensor asTensor(mlir::Value value, Encoder &e);

/// Defines a result that is a vector, or a scalar if its type is one.
void defineAs(mlir::Value result, SymTensor tensor, Encoder &e);

void populateVectorMakeEncodings(OpEncodings &table);
void populateVectorReduceEncodings(OpEncodings &table);
void populateVectorTransferEncodings(OpEncodings &table);

/// Maskable operations under the mask of vector.mask, which may be null.
llvm::LogicalResult encodeReduction(mlir::vector::ReductionOp op,
                                    mlir::Value mask, mlir::Value result,
                                    Encoder &e);
llvm::LogicalResult encodeMultiReduction(mlir::vector::MultiDimReductionOp op,
                                         mlir::Value mask, mlir::Value result,
                                         Encoder &e);
llvm::LogicalResult encodeContract(mlir::vector::ContractionOp op,
                                   mlir::Value mask, mlir::Value result,
                                   Encoder &e);
llvm::LogicalResult encodeTransferRead(mlir::vector::TransferReadOp op,
                                       mlir::Value mask, mlir::Value result,
                                       Encoder &e);
llvm::LogicalResult encodeTransferWrite(mlir::vector::TransferWriteOp op,
                                        mlir::Value mask, mlir::Value result,
                                        Encoder &e);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_VECTORENCODINGS_H
