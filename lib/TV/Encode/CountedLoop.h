//===- CountedLoop.h - From lower bound to upper bound by step ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops of scf and affine: bounds and step as scalars.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_COUNTEDLOOP_H
#define PANPIPE_LIB_TV_ENCODE_COUNTEDLOOP_H

#include "panpipe/TV/Encode/Encoder.h"

namespace panpipe::tv {

struct CountedLoop {
  mlir::Operation *op;
  Element lower, upper, step;
  bool parallel = false;
};

/// The body at one value of the induction variable.
using CountedBody = llvm::function_ref<llvm::LogicalResult(
    Element iv, llvm::ArrayRef<SymValue> carried,
    llvm::SmallVectorImpl<SymValue> &next)>;

/// for (iv = lower; iv < upper; iv += step), compared signed; a step that is
/// not positive is undefined. `carried` holds the initial values and then the
/// results.
llvm::LogicalResult encodeCountedLoop(Encoder &encoder, const CountedLoop &loop,
                                      CountedBody body,
                                      llvm::SmallVectorImpl<SymValue> &carried);

/// The loop of an operation whose region takes the induction variable and the
/// carried values; defines the operation's results.
llvm::LogicalResult encodeCountedRegion(Encoder &encoder,
                                        const CountedLoop &loop,
                                        mlir::Region &region,
                                        mlir::ValueRange inits);

/// A nest of such loops, outermost first.
using NestBody = llvm::function_ref<llvm::LogicalResult(
    llvm::ArrayRef<Element> ivs, llvm::ArrayRef<SymValue> carried,
    llvm::SmallVectorImpl<SymValue> &next)>;
llvm::LogicalResult encodeLoopNest(Encoder &encoder,
                                   llvm::ArrayRef<CountedLoop> loops,
                                   NestBody body,
                                   llvm::SmallVectorImpl<SymValue> &carried);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_COUNTEDLOOP_H
