//===- LinalgStructured.h - Structured operations of linalg -----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_LINALGSTRUCTURED_H
#define PANPIPE_LIB_TV_ENCODE_LINALGSTRUCTURED_H

#include "panpipe/TV/Term/IndexTerm.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/Support/LLVM.h"

namespace panpipe::tv {

class Encoder;

/// The value of an affine expression without symbols; null if it divides by
/// something that is not a positive constant.
IndexTerm evaluateExpr(mlir::AffineExpr expr, llvm::ArrayRef<IndexTerm> dims,
                       const IndexContext &context);

/// Encodes any operation with LinalgOp's interface.
llvm::LogicalResult encodeStructured(mlir::Operation *op, Encoder &encoder);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_LINALGSTRUCTURED_H
