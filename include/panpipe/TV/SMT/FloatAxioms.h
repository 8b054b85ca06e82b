//===- FloatAxioms.h - Facts about abstract float operations ----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// addf, mulf, divf, fma and sqrt are unknown functions in the first query, of
/// which these facts are known. No fact enters by hand: test/Unit/TV/SMT proves
/// each for each format, or docs/TV/Floats.md has the argument.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_SMT_FLOATAXIOMS_H
#define PANPIPE_TV_SMT_FLOATAXIOMS_H

#include "panpipe/TV/SMT/FloatCircuits.h"

#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <vector>

namespace panpipe::tv::smt {

/// A fact, by name: "add.nan".
struct Axiom {
  const char *name;
  Expr fact;
};

/// Facts of one application r = op(x…). The result is canonical if NaN. `op` is
/// AddF, MulF, DivF, Fma, Sqrt or Exp; any other gives none.
std::vector<Axiom> applicationAxioms(ScalarOp op, const FloatCircuits &f,
                                     llvm::ArrayRef<Expr> x, Expr r);

/// Facts of two applications of the same operation and format.
std::vector<Axiom> pairAxioms(ScalarOp op, const FloatCircuits &f,
                              llvm::ArrayRef<Expr> x, Expr r,
                              llvm::ArrayRef<Expr> y, Expr s);

/// The result of an operation in terms of an unknown core function of
/// normalised arguments (ordered by magnitude, signs stripped), which makes
/// commutativity and sign laws equalities of arguments. NaN and exact
/// cancellation are taken out before the sign is put back.
Expr normalisedApplication(
    ScalarOp op, const FloatCircuits &f, llvm::ArrayRef<Expr> x,
    const std::function<Expr(llvm::ArrayRef<Expr>)> &core);

/// r = op(x…) in the FP theory, the result canonical if NaN.
Expr exactDefinition(ScalarOp op, const FloatCircuits &f,
                     llvm::ArrayRef<Expr> x, Expr r);

/// The operation on expressions of the FP theory (AddF … Sqrt).
Expr theoryOperation(ScalarOp op, llvm::ArrayRef<Expr> x);

/// Point and interval lemmas: what is known of r = op(x…) everywhere, given
/// that op(values…) = result.
std::vector<Expr> valueLemmas(ScalarOp op, const FloatCircuits &f,
                              llvm::ArrayRef<Expr> x, Expr r,
                              llvm::ArrayRef<llvm::APInt> values,
                              const llvm::APInt &result);

} // namespace panpipe::tv::smt

#endif // PANPIPE_TV_SMT_FLOATAXIOMS_H
