//===- Choices.h - Operations whose result is a set -------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A flagged float operation, or maxnumf of two zeros, denotes a set of
/// results; an execution picks one, and every use sees that pick. The proofs
/// let each use of the source pick on its own, and make equal operations of the
/// target pick equally. Where that matters, a proof rests on it, and says so.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_CHOICES_H
#define PANPIPE_TV_ENCODE_CHOICES_H

#include "panpipe/TV/Verdict.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace mlir {
class FunctionOpInterface;
class Operation;
} // namespace mlir

namespace panpipe::tv {

/// What a proof of this pair without names for picks (Picks.h) assumes about
/// them ("choices") and about the pattern of NaNs whose bits are read
/// ("nan-bits"). Empty for functions that are the same operation for operation,
/// and for nearly all others.
std::vector<Assumption> choiceAssumptions(mlir::FunctionOpInterface source,
                                          mlir::FunctionOpInterface target);

/// True if some operation reads bits of a float that arithmetic may have made.
bool readsBitsOfNaN(mlir::FunctionOpInterface source,
                    mlir::FunctionOpInterface target);

/// What remains to be assumed with names: `free` are operations of the source
/// that pick as a proof needs it (fine, if only one element depends on each
/// execution), `merged` operations of the target whose executions share a name.
std::vector<Assumption>
pickAssumptions(mlir::FunctionOpInterface source,
                llvm::ArrayRef<mlir::Operation *> free,
                llvm::ArrayRef<mlir::Operation *> merged);

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_CHOICES_H
