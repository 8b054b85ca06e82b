//===- ScalarEvalDetail.h - Shared parts of scalar execution ----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV/Interp: evalScalar is split by the kind of its operands.
/// The pieces may assume that no operand they read is poison.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_SCALAREVALDETAIL_H
#define PANPIPE_LIB_TV_INTERP_SCALAREVALDETAIL_H

#include "panpipe/TV/Term/Scalar.h"

namespace panpipe::tv::scalareval {

/// The float whose pattern is `bits`.
llvm::APFloat toAPFloat(ScalarType type, const llvm::APInt &bits);
/// The pattern of `value`, any NaN being the canonical one. Formats without NaN
/// give zero.
llvm::APInt fromAPFloat(ScalarType type, const llvm::APFloat &value);
/// Whether the format has infinities, NaN; formats of four and six bits do not.
bool hasInf(ScalarType type);
bool hasNaN(ScalarType type);

/// Integer operations (class INT but Select).
ScalarResult evalInteger(ScalarOp op, const ScalarAttrs &attrs,
                         ScalarType resultType,
                         llvm::ArrayRef<ScalarType> operandTypes,
                         llvm::ArrayRef<ScalarValue> operands);
/// Operations of classes EXACT and ABSTRACT, and RemF. Fast-math poison is the
/// caller's business.
ScalarValue evalFloat(ScalarOp op, const ScalarAttrs &attrs,
                      ScalarType resultType,
                      llvm::ArrayRef<ScalarType> operandTypes,
                      llvm::ArrayRef<ScalarValue> operands);
/// Library functions (class OPAQUE but RemF).
ScalarValue evalLibrary(ScalarOp op, ScalarType resultType,
                        llvm::ArrayRef<ScalarType> operandTypes,
                        llvm::ArrayRef<ScalarValue> operands);

} // namespace panpipe::tv::scalareval

#endif // PANPIPE_LIB_TV_INTERP_SCALAREVALDETAIL_H
