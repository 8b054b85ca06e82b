//===- TensorEncodings.h - Shared by the tensor encodings -------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_TENSORENCODINGS_H
#define PANPIPE_LIB_TV_ENCODE_TENSORENCODINGS_H

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"

namespace panpipe::tv {

/// The shape of a result whose dynamic sizes are given as operands; they must
/// not be negative.
llvm::LogicalResult resultShape(mlir::RankedTensorType type,
                                mlir::ValueRange dynamicSizes,
                                mlir::Operation *op, Encoder &encoder,
                                llvm::SmallVectorImpl<IndexTerm> &shape);

/// The tensor that a constant attribute stands for.
llvm::FailureOr<SymTensor>
constantElements(mlir::Attribute attr, mlir::Operation *op, Encoder &encoder);

/// What `dest` becomes by one insertion at the end of an scf.forall.
llvm::LogicalResult insertParallel(mlir::tensor::ParallelInsertSliceOp op,
                                   const SymTensor &dest, Encoder &encoder,
                                   SymTensor &result);

/// Operations of the tensor dialect with a region or with run-time indices.
void populateTensorRegionEncodings(OpEncodings &table);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_TENSORENCODINGS_H
