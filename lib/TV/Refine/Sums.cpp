//===- Sums.cpp - Sum normal form -----------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// For operations whose points may be visited in any order, a fold is a
/// multiset of pieces: coefficient, box, guard, body (validation-tensors 4.5).
/// Touching boxes merge; then the multisets are compared. Float sums come here
/// only under `reassoc`, and every use is recorded as an assumption.
///
//===----------------------------------------------------------------------===//

#include "SumForm.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

/// The operation a term is a sum of.
static std::optional<ScalarOp> sumOp(const Term *t) {
  if (t->kind() == TermKind::App && t->closure()->kind == Closure::Kind::Fold)
    return t->closure()->op;
  if (t->kind() != TermKind::Op)
    return std::nullopt;
  if (t->op() == ScalarOp::SubI)
    return ScalarOp::AddI;
  return t->op();
}

static bool mayReorder(ScalarOp op, const CompareOptions &options) {
  if (isOrderFree(op))
    return true;
  switch (op) {
  case ScalarOp::AddF:
  case ScalarOp::MulF:
    return options.reassoc || options.real;
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF: // the sign of a zero result is open
    return options.nsz || options.real;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

void SumForm::addPiece(const Term *body, const FoldSpec &domain,
                       const Fraction &factor) {
  FoldSpec spec = domain;
  spec.op = op;
  spec.attrs = ScalarAttrs();
  FoldNormalizer normalizer(terms, context, spec, /*anyOrder=*/true);
  const Term *h = normalizer.normalize(body);
  if (!h)
    return;
  Piece p;
  p.coefficient = factor;
  p.body = h;
  p.vars = normalizer.domain().vars;
  p.guard = normalizer.domain().guard;
  for (IndexTerm e : normalizer.domain().extents) {
    p.lo.push_back(terms.index().constant(0));
    p.hi.push_back(e);
  }
  shift(p);
  close(p);
  pieces.push_back(std::move(p));
}

/// Moves the free offset of the first read of each variable into the box:
/// x[v + f] over [0, E) is x[v] over [f, E + f).
void SumForm::shift(Piece &p) {
  for (unsigned i = 0; i < p.vars.size(); ++i) {
    const IndexAtom *v = p.vars[i]->asAtom();
    llvm::SmallVector<IndexTerm, 16> polys;
    collectIndexTerms(p.body, polys);
    for (IndexTerm poly : polys) {
      auto split = splitLinear(poly, v);
      if (!split || split->coefficient.constantInt64() != 1)
        continue;
      llvm::SmallVector<IndexSummand, 4> free;
      for (const IndexSummand &s : split->rest->summands()) {
        IndexTerm one = terms.index().fromMonomial(s.monomial, s.coefficient);
        if (llvm::none_of(
                p.vars, [&](IndexTerm w) { return one->hasLeaf(w->asAtom()); }))
          free.push_back(s);
      }
      IndexTerm f = terms.index().fromSummands(std::move(free));
      if (f.isZero())
        break;
      IndexTerm w = terms.index().freshVar();
      TermSubst subst;
      subst.index.set(p.vars[i], w - f);
      p.vars[i] = w;
      p.lo[i] = p.lo[i] + f;
      p.hi[i] = p.hi[i] + f;
      IndexContext inside = insideOf(p);
      for (GuardAtom &g : p.guard) {
        g.poly = inside.substitute(g.poly, subst.index);
        g = g.normalized();
      }
      p.body = terms.substitute(p.body, subst, inside);
      break;
    }
  }
}

IndexContext SumForm::insideOf(const Piece &p) const {
  IndexContext inside = context;
  for (unsigned i = 0; i < p.vars.size(); ++i)
    inside = inside.withRange(p.vars[i], p.lo[i], p.hi[i] - 1);
  return inside;
}

/// Sorts the variables by occurrence and closes the body: the key.
void SumForm::close(Piece &p) {
  struct Entry {
    uint64_t key;
    unsigned at;
  };
  llvm::SmallVector<Entry, 4> order;
  for (unsigned i = 0; i < p.vars.size(); ++i)
    order.push_back({occurrenceKey(terms, p.body, p.vars[i]->asAtom()), i});
  llvm::sort(order, [](const Entry &a, const Entry &b) {
    return a.key != b.key ? a.key < b.key : a.at < b.at;
  });
  Piece sorted = p;
  for (unsigned i = 0; i < order.size(); ++i) {
    sorted.vars[i] = p.vars[order[i].at];
    sorted.lo[i] = p.lo[order[i].at];
    sorted.hi[i] = p.hi[order[i].at];
  }
  p = std::move(sorted);
  p.key = closeBody(terms, insideOf(p), p.vars, p.guard, p.body);
}

bool SumForm::sameKey(const Piece &a, const Piece &b) const {
  if (a.key == b.key)
    return true;
  if (a.key->closure() != b.key->closure() ||
      a.key->operands() != b.key->operands())
    return false;
  for (auto [p, q] : llvm::zip(a.key->indices(), b.key->indices()))
    if (!c.equalIndex(context, p, q))
      return false;
  return true;
}

bool SumForm::sameBox(const Piece &a, const Piece &b) const {
  if (a.lo.size() != b.lo.size())
    return false;
  for (unsigned i = 0; i < a.lo.size(); ++i)
    if (!c.equalIndex(context, a.lo[i], b.lo[i]) ||
        !c.equalIndex(context, a.hi[i], b.hi[i]))
      return false;
  return true;
}

/// One box in place of two that touch in one dimension and agree in all others;
/// both must have an extent >= 0 there, or the union would be another set.
bool SumForm::mergePair(Piece &a, const Piece &b) {
  if (!sameKey(a, b))
    return false;
  if (sameBox(a, b)) {
    if (op == ScalarOp::AddI || real()) {
      usedReal |= real();
      a.coefficient += b.coefficient;
      return true;
    }
    return isIdempotent(op);
  }
  if (a.coefficient != b.coefficient)
    return false;
  int touching = -1;
  bool after = false;
  for (unsigned i = 0; i < a.lo.size(); ++i) {
    if (c.equalIndex(context, a.lo[i], b.lo[i]) &&
        c.equalIndex(context, a.hi[i], b.hi[i]))
      continue;
    if (touching >= 0)
      return false;
    if (c.equalIndex(context, a.hi[i], b.lo[i]))
      after = true;
    else if (!c.equalIndex(context, b.hi[i], a.lo[i]))
      return false;
    touching = i;
  }
  if (touching < 0 || !context.nonneg(a.hi[touching] - a.lo[touching]) ||
      !context.nonneg(b.hi[touching] - b.lo[touching]))
    return false;
  if (after)
    a.hi[touching] = b.hi[touching];
  else
    a.lo[touching] = b.lo[touching];
  return true;
}

/// Integers count modulo 2^width.
static bool sameCoefficient(const Fraction &a, const Fraction &b,
                            ScalarType type) {
  if (type.isFloat())
    return a == b;
  DynamicAPInt modulus(1);
  for (unsigned i = 0; i < type.width(); ++i)
    modulus *= 2;
  return mod(a.num - b.num, modulus) == 0;
}

void SumForm::merge() {
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = 0; i < pieces.size() && !changed; ++i)
      for (unsigned j = i + 1; j < pieces.size() && !changed; ++j)
        if (mergePair(pieces[i], pieces[j])) {
          pieces.erase(pieces.begin() + j);
          changed = true;
        }
  }
  if (op == ScalarOp::AddI || real())
    llvm::erase_if(pieces, [](const Piece &p) {
      return sameCoefficient(p.coefficient, Fraction(0, 1), p.body->type());
    });
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// A piece of the same box whose body is equal by any rung.
bool SumForm::samePiece(const Piece &a, const Piece &b, unsigned depth) const {
  if (a.vars.size() != b.vars.size() || a.body->type() != b.body->type() ||
      !sameCoefficient(a.coefficient, b.coefficient, a.body->type()) ||
      !sameBox(a, b))
    return false;
  if (sameKey(a, b))
    return true;
  TermSubst subst;
  for (unsigned i = 0; i < a.vars.size(); ++i)
    subst.index.set(b.vars[i], a.vars[i]);
  IndexContext inside = insideOf(a);
  Guard other;
  for (GuardAtom g : b.guard)
    other.push_back({inside.substitute(g.poly, subst.index), g.isEquality});
  IndexContext underA = inside.assume(a.guard), underB = inside.assume(other);
  for (GuardAtom g : other)
    if (!c.proveGuard(underA, g))
      return false;
  for (GuardAtom g : a.guard)
    if (!c.proveGuard(underB, g))
      return false;
  return c.equal(underA, a.body, terms.substitute(b.body, subst, underA),
                 depth + 1);
}

bool SumForm::matches(SumForm &other, unsigned depth) {
  if (overflow || other.overflow || pieces.size() != other.pieces.size())
    return false;
  llvm::SmallVector<bool, 16> used(other.pieces.size(), false);
  // Equal keys first, so that no piece is given away to a merely equal one.
  llvm::SmallVector<unsigned, 8> open;
  for (unsigned i = 0; i < pieces.size(); ++i) {
    bool found = false;
    for (unsigned j = 0; j < other.pieces.size() && !found; ++j) {
      const Piece &a = pieces[i], &b = other.pieces[j];
      if (used[j] || !sameKey(a, b) || !sameBox(a, b) ||
          !sameCoefficient(a.coefficient, b.coefficient, a.body->type()))
        continue;
      used[j] = found = true;
    }
    if (!found)
      open.push_back(i);
  }
  for (unsigned i : open) {
    bool found = false;
    for (unsigned j = 0; j < other.pieces.size() && !found; ++j)
      if (!used[j] && samePiece(pieces[i], other.pieces[j], depth))
        used[j] = found = true;
    if (!found)
      return false;
  }
  return true;
}

/// What a reader calls the class that reordering needs.
static const char *reorderingClass(ScalarOp op) {
  return op == ScalarOp::MaxNumF || op == ScalarOp::MinNumF ? "nsz" : "reassoc";
}

bool Comparer::Impl::bySums(const IndexContext &context, const Term *a,
                            const Term *b, unsigned depth) {
  auto op = sumOp(a);
  bool free = op && mayReorder(*op, options);
  if (!free) {
    // Without an assumption, by the flags of the source.
    if (op && SumForm::mayRegroup(*op, a) &&
        compareSums(context, *op, a, b, depth, SumRules::Flags))
      return true;
    op = sumOp(b);
    free = op && mayReorder(*op, options);
  }
  if (free && compareSums(context, *op, a, b, depth, SumRules::Order))
    return true;
  if (!options.real || !a->type().isFloat())
    return false;
  return compareSums(context, ScalarOp::AddF, a, b, depth, SumRules::Real) ||
         compareSums(context, ScalarOp::AddF, a, b, depth,
                     SumRules::Distribute);
}

bool Comparer::Impl::compareSums(const IndexContext &context, ScalarOp op,
                                 const Term *a, const Term *b, unsigned depth,
                                 SumRules rules) {
  NamingOff off(terms);
  // Inner folds stay closed at first: the verdict should name only the sums
  // that had to be taken apart.
  for (unsigned nest : {1u, 3u}) {
    Mark start = mark();
    SumForm s(*this, context, op, nest, rules, /*isTarget=*/false);
    SumForm t(*this, context, op, nest, rules, /*isTarget=*/true);
    s.flatten(a);
    t.sourceNsz = s.allNsz;
    t.flatten(b);
    if (s.isTrivial(a) && t.isTrivial(b))
      return false;
    llvm::SmallVector<Piece, 8> all(s.pieces);
    all.append(t.pieces.begin(), t.pieces.end());
    s.absorb(all);
    t.absorb(all);
    s.merge();
    t.merge();
    bool zeroAgrees = s.positiveZero == t.positiveZero;
    bool zeroMatters = !options.nsz && !options.real &&
                       !(rules == SumRules::Flags && s.allNsz);
    if ((zeroAgrees || !zeroMatters) && s.matches(t, depth)) {
      usedSums = true;
      if (rules == SumRules::Flags)
        freePicks.append(s.picks.begin(), s.picks.end());
      else if (s.usedReal || t.usedReal)
        recordSums("real", s, t);
      else if (!isOrderFree(op))
        recordSums(reorderingClass(op), s, t);
      if (!zeroAgrees && rules != SumRules::Flags)
        assume({"nsz", "a zero term of the sum was dropped"});
      return true;
    }
    rollBack(start);
    if (s.folds + t.folds == 0)
      return false; // nothing deeper to open
  }
  return false;
}

void Comparer::Impl::recordSums(llvm::StringRef kind, const SumForm &s,
                                const SumForm &t) {
  std::string detail = "sum";
  auto locations = s.locations;
  for (const std::string &l : t.locations)
    if (!llvm::is_contained(locations, l))
      locations.push_back(l);
  for (unsigned i = 0; i < locations.size(); ++i)
    detail += (i ? ", " : " at ") + locations[i];
  detail += ", " + std::to_string(s.pieces.size()) + " term" +
            (s.pieces.size() == 1 ? "" : "s");
  assume({kind.str(), detail});
}
