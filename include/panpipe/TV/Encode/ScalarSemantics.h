//===- ScalarSemantics.h - Scalar operations with poison and UB -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One scalar operation on elements: its value, when it is poison, and when
/// executing it is undefined. The rules are those of docs/TV/Semantics.md and
/// of evalScalar; a unit test compares the two.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_SCALARSEMANTICS_H
#define PANPIPE_TV_ENCODE_SCALARSEMANTICS_H

#include "panpipe/TV/Term/Term.h"

namespace panpipe::tv {

/// A condition of undefined behaviour, with a static reason text.
struct ScalarUB {
  const Term *condition; ///< boolean; undefined where true
  const char *reason;
};

/// The element that `op` computes; undefined behaviour is appended to `ub`
/// (conditions that are constantly false are left out). Operand types are those
/// of the operand terms.
Element encodeScalarOp(TermContext &terms, ScalarOp op,
                       const ScalarAttrs &attrs, ScalarType resultType,
                       llvm::ArrayRef<Element> operands,
                       llvm::SmallVectorImpl<ScalarUB> &ub);

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_SCALARSEMANTICS_H
