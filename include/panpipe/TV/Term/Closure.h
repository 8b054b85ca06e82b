//===- Closure.h - Closed functions: folds and named values -----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A closure is a function whose only free things are its parameters. A fold is
/// closed by lifting everything that does not depend on its bound variables out
/// as an argument; what remains is the congruence key. So a row of a full batch
/// and the same row of a microbatch apply one closure to equal arguments.
/// Substitution never goes into a closure: it rewrites arguments.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TERM_CLOSURE_H
#define PANPIPE_TV_TERM_CLOSURE_H

#include "panpipe/TV/Term/Term.h"

namespace panpipe::tv {

/// A closed function. Its terms speak of Bound i (the variable of domain
/// dimension i), Param i (index arguments), ElemParam i (element arguments)
/// and, in Step closures, Acc i.
class Closure {
public:
  enum class Kind : uint8_t {
    Map,   ///< body
    Fold,  ///< acc := init; for every point with guard: acc := op(acc, body)
    Step,  ///< several accumulators, any step: bodies[i] reads Acc j
    Opaque ///< unknown function `name` of the element arguments
  };
  Kind kind = Kind::Map;
  ScalarType type = ScalarType::boolean(); ///< of the result
  /// Fold: the combining operation, acc first.
  ScalarOp op = ScalarOp::AddI;
  ScalarAttrs attrs;
  /// Fold, Step: extent of each domain dimension, outermost first; points are
  /// visited in lexicographic order.
  llvm::SmallVector<IndexTerm, 4> extents;
  Guard guard;
  /// Map, Fold: one. Step: one per accumulator.
  llvm::SmallVector<const Term *, 1> bodies;
  /// Fold: one. Step: one per accumulator.
  llvm::SmallVector<const Term *, 1> inits;
  unsigned result = 0; ///< Step: which accumulator is the value
  unsigned numIndexParams = 0;
  llvm::SmallVector<ScalarType, 2> elemParams;
  std::string name; ///< Opaque
  /// Where it was first seen, for messages; no part of the identity.
  std::string location;
  unsigned id = 0; ///< in order of creation

  const Term *body() const { return bodies.front(); }
  const Term *init() const { return inits.front(); }
};

/// "#4 = arith.addf-fold over [3, 3] of … from …".
std::string print(const Closure &closure);

/// True if the points of a fold over `op` may be visited in any order and the
/// initial value taken out, exactly: integer +, *, and, or, xor, min, max and
/// maximumf, minimumf. Float + and * only with the reassoc flag, which is not
/// asked here.
bool isOrderFree(ScalarOp op);
/// The identity of `op` as a right operand (4.6): op(x, identity) = x for every
/// x, up to NaN bits. Nothing if it has none.
std::optional<llvm::APInt> identityOf(ScalarOp op, ScalarType type);

/// A fold under construction. Variables are Var atoms (use freshVar) with
/// 0 <= var < extent, outermost first; extents free of the variables; bodies
/// and guard are simplified under the context extended by them (foldContext).
struct FoldSpec {
  ScalarOp op = ScalarOp::AddF;
  ScalarAttrs attrs;
  llvm::SmallVector<IndexTerm, 4> vars;
  llvm::SmallVector<IndexTerm, 4> extents;
  Guard guard;
  std::string location;
};
/// `context` plus the variables' ranges, positive extents and the guard.
IndexContext foldContext(const IndexContext &context, const FoldSpec &spec);

/// The value of the fold in normal form (4.2), closed (4.3).
const Term *mkFold(TermContext &terms, const IndexContext &context,
                   FoldSpec spec, const Term *body, const Term *init);
/// Value and poison; the poison is an `or` fold over the same domain.
Element mkFold(TermContext &terms, const IndexContext &context,
               const FoldSpec &spec, Element body, Element init);

/// A fold whose step is not op(acc, h): `steps[i]` computes accumulator i from
/// Acc 0 … n-1 and the point; poison bits are accumulators of their own.
/// Returns one term per accumulator. Points are only renamed, never reordered.
llvm::SmallVector<const Term *, 2>
mkStepFold(TermContext &terms, const IndexContext &context, FoldSpec spec,
           llvm::ArrayRef<const Term *> steps,
           llvm::ArrayRef<const Term *> inits);

/// A fold application opened at fresh variables, in `context`.
struct OpenedFold {
  llvm::SmallVector<IndexTerm, 4> vars, extents;
  Guard guard;
  llvm::SmallVector<const Term *, 1> bodies, inits;
  IndexContext inside; ///< the context of guard and bodies
};
/// Opens at the given points, one index term per dimension of the domain, which
/// `inside` (an extension of `context`) already bounds.
OpenedFold openFoldAt(TermContext &terms, const Term *app,
                      llvm::ArrayRef<IndexTerm> points,
                      const IndexContext &context, const IndexContext &inside);
/// The extents of an application's domain, in `context`.
llvm::SmallVector<IndexTerm, 4> foldExtents(TermContext &terms, const Term *app,
                                            const IndexContext &context);
/// Opens with the given variables (as many as the domain has).
OpenedFold openFold(TermContext &terms, const Term *app,
                    llvm::ArrayRef<IndexTerm> vars,
                    const IndexContext &context);

} // namespace panpipe::tv

#endif // PANPIPE_TV_TERM_CLOSURE_H
