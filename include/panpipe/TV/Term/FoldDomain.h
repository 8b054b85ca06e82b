//===- FoldDomain.h - Normal form of fold domains ---------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewriting the domain of a fold (validation-tensors 4.2), and mixed-radix
/// digits (2.6). Used by mkFold and by the comparison.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TERM_FOLDDOMAIN_H
#define PANPIPE_TV_TERM_FOLDDOMAIN_H

#include "panpipe/TV/Term/Closure.h"

namespace panpipe::tv {

/// Every index polynomial of a term outside closures: read indices, arguments
/// of applications, index values, guards.
void collectIndexTerms(const Term *term, llvm::SmallVectorImpl<IndexTerm> &out);

/// p = k·v + rest with k and rest free of v; nothing if v occurs in a division
/// or with itself.
struct LinearSplit {
  IndexTerm coefficient, rest;
};
std::optional<LinearSplit> splitLinear(IndexTerm p, const IndexAtom *v);

/// True if equal terms come from equal values of every variable: the index
/// polynomials that no simplification drops determine them.
bool determines(const Term *term, llvm::ArrayRef<IndexTerm> vars);

/// A variable written in mixed radix, most significant digit first: v = linear.
/// The order of the digits is the order of v.
struct Digits {
  llvm::SmallVector<IndexTerm, 4> vars, extents;
  IndexTerm linear;
  Guard guard; ///< empty, or the one atom extent - 1 - linear >= 0
};
/// The digits of `v` (0 <= v < extent) that make every division on it in
/// `polys` disappear; nothing if there are none or their divisors form no
/// chain.
std::optional<Digits> digitsOf(IndexManager &manager,
                               const IndexContext &context, const IndexAtom *v,
                               IndexTerm extent,
                               llvm::ArrayRef<IndexTerm> polys);

/// Closes a fold as it stands (4.3).
const Term *closeFold(TermContext &terms, const IndexContext &context,
                      const FoldSpec &spec, const Term *body, const Term *init);

/// Body and guard over `vars`, closed: an application whose closure is a key
/// for comparison only (its Bound atoms have no domain).
const Term *closeBody(TermContext &terms, const IndexContext &inside,
                      llvm::ArrayRef<IndexTerm> vars,
                      llvm::ArrayRef<GuardAtom> guard, const Term *body);

/// op(op(x, h), h) = op(x, h).
bool isIdempotent(ScalarOp op);

/// Brings a fold into normal form, rule by rule, until nothing applies.
class FoldNormalizer {
public:
  /// `anyOrder`: the points may be reordered (order-free operation, or allowed
  /// by the caller).
  FoldNormalizer(TermContext &terms, const IndexContext &context, FoldSpec spec,
                 bool anyOrder)
      : terms(terms), context(context), spec(std::move(spec)),
        anyOrder(anyOrder) {}

  /// The closed fold.
  const Term *run(const Term *body, const Term *init);
  /// The domain alone: afterwards `spec` and the result are the normal form.
  /// Null if the fold has no points (or only identities).
  const Term *normalize(const Term *body);

  FoldSpec &domain() { return spec; }

private:
  /// Each rule: true if it changed something.
  bool dropUnit(const Term *&body);
  bool dropDecidedGuards();
  bool splitDigits(const Term *&body);
  bool hoistGuard(const Term *&body);
  bool shrink(const Term *&body);
  bool shrinkBy(const GuardAtom &g, unsigned at, const Term *&body);
  bool fuse(const Term *&body);
  bool fusePair(unsigned outer, unsigned inner, const Term *&body);
  bool flip(const Term *&body);
  bool dropUnused(const Term *&body);
  void sortVariables(const Term *body);
  void apply(const TermSubst &subst, const Term *&body);
  bool isIdentity(const Term *t) const;
  bool isEmpty() const;
  llvm::SmallVector<IndexTerm, 16> polys(const Term *body) const;

  TermContext &terms;
  IndexContext context;
  FoldSpec spec;
  bool anyOrder;
};

/// A key of the occurrences of one variable in a term that does not see
/// anything else, for sorting the variables of order-free folds.
uint64_t occurrenceKey(TermContext &terms, const Term *term,
                       const IndexAtom *var);

} // namespace panpipe::tv

#endif // PANPIPE_TV_TERM_FOLDDOMAIN_H
