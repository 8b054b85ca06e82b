//===- Elementwise.h - One scalar function over all elements ----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_ELEMENTWISE_H
#define PANPIPE_LIB_TV_ENCODE_ELEMENTWISE_H

#include "panpipe/TV/Encode/Encoder.h"

namespace panpipe::tv {

/// Applies `perElement` to the operands, element by element if the result is
/// shaped. A scalar operand among shaped ones (the condition of select)
/// repeats.
llvm::LogicalResult
elementwise(mlir::Operation *op, unsigned resultNumber, Encoder &e,
            llvm::function_ref<Element(llvm::ArrayRef<Element>, ScalarType)>
                perElement);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_ELEMENTWISE_H
