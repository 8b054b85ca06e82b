//===- NormalForms.cpp - Scalar rewrite rules of terms --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrite rules on scalar operations, each proved by a test.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/Term.h"

const panpipe::tv::Term *panpipe::tv::simplifyOp(TermContext &, ScalarOp,
                                                 const ScalarAttrs &,
                                                 ScalarType,
                                                 llvm::ArrayRef<const Term *>) {
  return nullptr;
}
