//===- ScalarFast.h - Fast execution of common scalar operations -*- C++ -*-==//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV/Interp: the host's own arithmetic for operations on which
/// it agrees with evalScalar bit for bit (a test compares the two), on patterns
/// in machine words, for operands that carry no mark.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_SCALARFAST_H
#define PANPIPE_LIB_TV_INTERP_SCALARFAST_H

#include "panpipe/TV/Interp/ScalarMapping.h"

namespace panpipe::tv::interp {

/// (operand patterns, width of the first operand, predicate) → result pattern.
using FastFunction = uint64_t (*)(const uint64_t *, unsigned, unsigned);

/// Null when the operation can be undefined, can be poison, leaves a choice, or
/// has no fast form.
FastFunction lookupFast(const ScalarMapping &mapping, ScalarType resultType,
                        llvm::ArrayRef<ScalarType> operandTypes);

/// True for operations with immediate undefined behaviour.
bool canBeUndefined(ScalarOp op);

} // namespace panpipe::tv::interp

#endif // PANPIPE_LIB_TV_INTERP_SCALARFAST_H
