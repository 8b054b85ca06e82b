//===- SumForm.h - A sum as a multiset of pieces ----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Internal to lib/TV/Refine; see Sums.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_REFINE_SUMFORM_H
#define PANPIPE_LIB_TV_REFINE_SUMFORM_H

#include "ComparerImpl.h"

#include "mlir/Analysis/Presburger/Fraction.h"

namespace panpipe::tv {

using mlir::presburger::Fraction;

/// coefficient · op over lo <= vars < hi with guard of body.
struct Piece {
  Fraction coefficient;
  llvm::SmallVector<IndexTerm, 4> vars, lo, hi;
  Guard guard;
  const Term *body = nullptr;
  /// The closed body; its arguments are the parameters of the piece.
  const Term *key = nullptr;
};

class SumForm {
public:
  SumForm(Comparer::Impl &c, const IndexContext &context, ScalarOp op,
          unsigned maxNest, SumRules rules, bool isTarget)
      : c(c), terms(c.terms), context(context), op(op), maxNest(maxNest),
        rules(rules), isTarget(isTarget) {}

  /// True if the flags of the source's operation (or fold) allow any order.
  static bool mayRegroup(ScalarOp op, const Term *t);

  void flatten(const Term *t) {
    add(t, FoldSpec(), context, Fraction(1, 1), 0);
  }
  /// Pieces that are single points of a larger piece's key (of either side)
  /// become unit boxes.
  void absorb(llvm::ArrayRef<Piece> candidates);
  void merge();
  bool matches(SumForm &other, unsigned depth);
  /// Nothing was taken apart.
  bool isTrivial(const Term *t) const {
    return pieces.size() == 1 && pieces[0].vars.empty() &&
           pieces[0].body == t && !positiveZero;
  }

  llvm::SmallVector<Piece, 8> pieces;
  bool positiveZero = false; ///< contains +0.0
  bool overflow = false;     ///< too many pieces: proves nothing
  unsigned folds = 0;        ///< opened
  bool usedReal = false;     ///< a rule of exact arithmetic was applied
  bool allNsz = true;        ///< every operation taken apart has the flag
  bool sourceNsz = false;    ///< allNsz of the source, for the target
  /// Names of the operations taken apart.
  llvm::SmallVector<uint32_t, 2> picks;
  llvm::SmallVector<std::string, 2> locations;

private:
  static constexpr unsigned kMaxPieces = 64;
  void add(const Term *t, const FoldSpec &domain, const IndexContext &inside,
           const Fraction &factor, unsigned nest);
  bool addOperation(const Term *t, const FoldSpec &domain,
                    const IndexContext &inside, const Fraction &factor,
                    unsigned nest);
  bool addFold(const Term *t, const FoldSpec &domain,
               const IndexContext &inside, const Fraction &factor,
               unsigned nest);
  bool addCases(const Term *t, const FoldSpec &domain,
                const IndexContext &inside, const Fraction &factor,
                unsigned nest);
  bool mayOpen(const ScalarAttrs &attrs) const;
  void note(const ScalarAttrs &attrs);
  bool real() const {
    return rules == SumRules::Real || rules == SumRules::Distribute;
  }
  OpenedFold openInto(const Term *t, FoldSpec &domain, IndexContext &inside);
  bool addReal(const Term *t, const FoldSpec &domain,
               const IndexContext &inside, const Fraction &factor,
               unsigned nest);
  bool distribute(const Term *t, unsigned at, const FoldSpec &domain,
                  const IndexContext &inside, const Fraction &factor,
                  unsigned nest);
  const Term *orderedProduct(const Term *t);
  void addPiece(const Term *body, const FoldSpec &domain,
                const Fraction &factor);
  void shift(Piece &p);
  void close(Piece &p);
  IndexContext insideOf(const Piece &p) const;
  bool sameKey(const Piece &a, const Piece &b) const;
  bool sameBox(const Piece &a, const Piece &b) const;
  bool mergePair(Piece &a, const Piece &b);
  bool samePiece(const Piece &a, const Piece &b, unsigned depth) const;
  bool absorbInto(Piece &small, const Piece &large);

  Comparer::Impl &c;
  TermContext &terms;
  IndexContext context;
  ScalarOp op;
  unsigned maxNest;
  SumRules rules;
  bool isTarget;
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_SUMFORM_H
