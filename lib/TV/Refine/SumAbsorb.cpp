//===- SumAbsorb.cpp - Single points as unit boxes ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A microbatch of one sample has no summed variable, so its piece has another
/// key than its neighbours. It is matched against a larger piece: the missing
/// variable is solved from an index where it has coefficient 1 or -1, and the
/// substituted body must be the same term. Then it is the box [c, c + 1).
///
//===----------------------------------------------------------------------===//

#include "SumForm.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

namespace {
/// Index polynomials of two terms of one shape, position by position; false if
/// the shapes differ.
bool zipIndexTerms(
    const Term *a, const Term *b,
    llvm::SmallVectorImpl<std::pair<IndexTerm, IndexTerm>> &out) {
  if (a->kind() != b->kind() || a->type() != b->type() ||
      a->base() != b->base() || a->closure() != b->closure() ||
      a->op() != b->op() || a->indices().size() != b->indices().size() ||
      a->guard().size() != b->guard().size() ||
      a->operands().size() != b->operands().size())
    return false;
  if (a->operands().empty() && a->indices().empty())
    return a == b;
  for (auto [p, q] : llvm::zip(a->indices(), b->indices()))
    out.push_back({p, q});
  for (auto [p, q] : llvm::zip(a->guard(), b->guard()))
    out.push_back({p.poly, q.poly});
  for (auto [x, y] : llvm::zip(a->operands(), b->operands()))
    if (!zipIndexTerms(x, y, out))
      return false;
  return true;
}
} // namespace

bool SumForm::absorbInto(Piece &small, const Piece &large) {
  unsigned n = large.vars.size(), k = small.vars.size();
  if (k >= n || !large.guard.empty() || !small.guard.empty())
    return false;
  llvm::SmallVector<std::pair<IndexTerm, IndexTerm>, 16> pairs;
  if (!zipIndexTerms(large.body, small.body, pairs))
    return false;
  // Which variables of `large` are missing: all choices that keep the order of
  // the others.
  for (unsigned mask = 0; mask < (1u << n); ++mask) {
    if (unsigned(llvm::popcount(mask)) != n - k)
      continue;
    TermSubst subst;
    llvm::SmallVector<IndexTerm, 4> lo(n), hi(n), vars(n);
    unsigned next = 0;
    for (unsigned i = 0; i < n; ++i)
      if (!(mask >> i & 1)) {
        subst.index.set(large.vars[i], small.vars[next]);
        vars[i] = small.vars[next];
        lo[i] = small.lo[next];
        hi[i] = small.hi[next++];
      }
    IndexContext inside = insideOf(small);
    bool solved = true;
    for (unsigned i = 0; i < n && solved; ++i) {
      if (!(mask >> i & 1))
        continue;
      solved = false;
      for (auto [p, q] : pairs) {
        auto split = splitLinear(p, large.vars[i]->asAtom());
        if (!split)
          continue;
        auto unit = split->coefficient.constantInt64();
        if (unit != 1 && unit != -1)
          continue;
        // p = ±v + rest must equal q at the point.
        IndexTerm rest = inside.substitute(split->rest, subst.index);
        IndexTerm value = unit == 1 ? q - rest : rest - q;
        bool free = llvm::none_of(large.vars, [&](IndexTerm w) {
          return value->hasLeaf(w->asAtom());
        });
        free &= llvm::none_of(small.vars, [&](IndexTerm w) {
          return value->hasLeaf(w->asAtom());
        });
        if (!free)
          continue;
        subst.index.set(large.vars[i], value);
        vars[i] = IndexTerm();
        lo[i] = value;
        hi[i] = value + 1;
        solved = true;
        break;
      }
    }
    if (!solved || terms.substitute(large.body, subst, inside) != small.body)
      continue;
    // The body over all variables of `large`, the missing ones in unit boxes.
    TermSubst rename;
    for (unsigned i = 0; i < n; ++i) {
      if (!vars[i])
        vars[i] = terms.index().freshVar();
      rename.index.set(large.vars[i], vars[i]);
    }
    Piece p;
    p.coefficient = small.coefficient;
    p.vars = vars;
    p.lo = lo;
    p.hi = hi;
    p.body = terms.substitute(large.body, rename, insideOf(p));
    close(p);
    small = std::move(p);
    return true;
  }
  return false;
}

void SumForm::absorb(llvm::ArrayRef<Piece> candidates) {
  for (Piece &small : pieces)
    for (const Piece &large : candidates)
      if (large.vars.size() > small.vars.size() && absorbInto(small, large))
        break;
}
