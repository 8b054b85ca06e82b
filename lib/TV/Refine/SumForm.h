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

namespace panpipe::tv {

/// coefficient · op over lo <= vars < hi with guard of body.
struct Piece {
  DynamicAPInt coefficient;
  llvm::SmallVector<IndexTerm, 4> vars, lo, hi;
  Guard guard;
  const Term *body = nullptr;
  /// The closed body; its arguments are the parameters of the piece.
  const Term *key = nullptr;
};

class SumForm {
public:
  SumForm(Comparer::Impl &c, const IndexContext &context, ScalarOp op,
          unsigned maxNest)
      : c(c), terms(c.terms), context(context), op(op), maxNest(maxNest) {}

  void flatten(const Term *t) {
    add(t, FoldSpec(), context, DynamicAPInt(1), 0);
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
  llvm::SmallVector<std::string, 2> locations;

private:
  static constexpr unsigned kMaxPieces = 64;
  void add(const Term *t, const FoldSpec &domain, const IndexContext &inside,
           const DynamicAPInt &factor, unsigned nest);
  bool addOperation(const Term *t, const FoldSpec &domain,
                    const IndexContext &inside, const DynamicAPInt &factor,
                    unsigned nest);
  bool addFold(const Term *t, const FoldSpec &domain,
               const IndexContext &inside, const DynamicAPInt &factor,
               unsigned nest);
  bool addCases(const Term *t, const FoldSpec &domain,
                const IndexContext &inside, const DynamicAPInt &factor,
                unsigned nest);
  void addPiece(const Term *body, const FoldSpec &domain,
                const DynamicAPInt &factor);
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
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_SUMFORM_H
