//===- FoldDomain.cpp - Normal form of fold domains -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rules on domains, each with its argument. All but flip and the sorting of
/// variables keep the lexicographic order of the points, so they are valid for
/// float sums in strict order.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/FoldDomain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace panpipe::tv;

static void collect(const Term *t, llvm::SmallVectorImpl<IndexTerm> &out,
                    llvm::SmallPtrSetImpl<const Term *> &seen) {
  if (t->leaves().empty() || !seen.insert(t).second)
    return;
  out.append(t->indices().begin(), t->indices().end());
  for (GuardAtom g : t->guard())
    out.push_back(g.poly);
  for (const Term *o : t->operands())
    collect(o, out, seen);
}

void panpipe::tv::collectIndexTerms(const Term *term,
                                    llvm::SmallVectorImpl<IndexTerm> &out) {
  llvm::SmallPtrSet<const Term *, 16> seen;
  collect(term, out, seen);
}

bool panpipe::tv::isIdempotent(ScalarOp op) {
  switch (op) {
  case ScalarOp::AndI:
  case ScalarOp::OrI:
  case ScalarOp::MinSI:
  case ScalarOp::MaxSI:
  case ScalarOp::MinUI:
  case ScalarOp::MaxUI:
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
    return true;
  default:
    return false;
  }
}

std::optional<LinearSplit> panpipe::tv::splitLinear(IndexTerm p,
                                                    const IndexAtom *v) {
  IndexManager &m = p->manager();
  llvm::SmallVector<IndexSummand, 4> coefficient, rest;
  for (const IndexSummand &s : p->summands()) {
    llvm::SmallVector<const IndexAtom *, 4> others;
    unsigned count = 0;
    for (const IndexAtom *a : s.monomial->atoms) {
      if (a == v) {
        ++count;
        continue;
      }
      if (a->kind == AtomKind::FloorDiv &&
          (a->num->hasLeaf(v) || a->den->hasLeaf(v)))
        return std::nullopt;
      others.push_back(a);
    }
    if (count > 1)
      return std::nullopt;
    if (count == 1)
      coefficient.push_back({m.monomial(others), s.coefficient});
    else
      rest.push_back(s);
  }
  return LinearSplit{m.fromSummands(std::move(coefficient)),
                     m.fromSummands(std::move(rest))};
}

//===----------------------------------------------------------------------===//
// Digits
//===----------------------------------------------------------------------===//

/// The divisors of v's divisions; false if one has more than v in its
/// numerator.
static bool collectDivisors(IndexTerm p, const IndexAtom *v,
                            llvm::SmallVectorImpl<IndexTerm> &divisors) {
  for (const IndexSummand &s : p->summands())
    for (const IndexAtom *a : s.monomial->atoms) {
      if (a->kind != AtomKind::FloorDiv)
        continue;
      if (a->den->hasLeaf(v))
        return false;
      if (!a->num->hasLeaf(v))
        continue;
      if (a->num == v->term) {
        if (!llvm::is_contained(divisors, a->den))
          divisors.push_back(a->den);
        continue;
      }
      // v beside something else: refuse. Only inside nested divisions: go on.
      for (const IndexSummand &t : a->num->summands())
        if (t.monomial->contains(v))
          return false;
      if (!collectDivisors(a->num, v, divisors))
        return false;
    }
  return true;
}

std::optional<Digits> panpipe::tv::digitsOf(IndexManager &m,
                                            const IndexContext &context,
                                            const IndexAtom *v,
                                            IndexTerm extent,
                                            llvm::ArrayRef<IndexTerm> polys) {
  llvm::SmallVector<IndexTerm, 4> divisors;
  for (IndexTerm p : polys)
    if (p->hasDivision() && p->hasLeaf(v) && !collectDivisors(p, v, divisors))
      return std::nullopt;
  if (divisors.empty())
    return std::nullopt;
  // d1 | d2 | ... | dk: sort by degree and size, then check.
  auto weight = [](IndexTerm d) {
    const IndexSummand &s = d->summands()[0];
    return std::make_pair(s.monomial->atoms.size(), s.coefficient);
  };
  for (IndexTerm d : divisors)
    if (!IndexManager::isDivisor(d) || !context.nonneg(d - 1))
      return std::nullopt;
  llvm::sort(divisors,
             [&](IndexTerm a, IndexTerm b) { return weight(a) < weight(b); });
  Digits result;
  llvm::SmallVector<IndexTerm, 4> chain{m.constant(1)}, sizes;
  for (IndexTerm d : divisors) {
    auto [q, r] = splitByDivisor(d, chain.back());
    if (!r.isZero())
      return std::nullopt;
    sizes.push_back(q);
    chain.push_back(d);
  }
  auto [top, rest] = splitByDivisor(extent, chain.back());
  if (!rest.isZero()) {
    // dk does not divide E: one guard, and constants only.
    if (!extent.isConstant() || !chain.back().isConstant())
      return std::nullopt;
    top =
        m.constant(llvm::ceilDiv(*extent.constant(), *chain.back().constant()));
  }
  sizes.push_back(top);
  result.linear = m.constant(0);
  for (unsigned i = sizes.size(); i-- > 0;) {
    IndexTerm w = m.freshVar();
    result.vars.push_back(w);
    result.extents.push_back(sizes[i]);
    result.linear = result.linear + chain[i] * w;
  }
  if (!rest.isZero())
    result.guard.push_back(geZero(extent - 1 - result.linear));
  return result;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

bool FoldNormalizer::isIdentity(const Term *t) const {
  // Under nsz an addition may flip the sign of a zero accumulator: then adding
  // the identity is not nothing.
  // op(identity, x) is x up to the bits of a NaN.
  if (!t->isConst() || spec.attrs.fastMath != FMF_none ||
      (terms.nanBitsAreRead && t->type().isFloat()))
    return false;
  auto identity = identityOf(spec.op, t->type());
  return identity && *identity == t->bits();
}

llvm::SmallVector<IndexTerm, 16> FoldNormalizer::polys(const Term *body) const {
  llvm::SmallVector<IndexTerm, 16> result;
  collectIndexTerms(body, result);
  for (const GuardAtom &g : spec.guard)
    result.push_back(g.poly);
  return result;
}

/// Rewrites body and guard where all of the domain is known.
void FoldNormalizer::apply(const TermSubst &subst, const Term *&body) {
  FoldSpec ranges = spec;
  ranges.guard.clear();
  IndexContext inside = foldContext(context, ranges);
  for (GuardAtom &g : spec.guard) {
    g.poly = inside.substitute(g.poly, subst.index);
    g = g.normalized();
  }
  body = terms.substitute(body, subst, inside.assume(spec.guard));
}

/// A variable of extent 1 is 0.
bool FoldNormalizer::dropUnit(const Term *&body) {
  for (unsigned i = 0; i < spec.vars.size(); ++i) {
    if (spec.extents[i].constantInt64() != 1)
      continue;
    TermSubst subst;
    subst.index.set(spec.vars[i], terms.index().constant(0));
    spec.vars.erase(spec.vars.begin() + i);
    spec.extents.erase(spec.extents.begin() + i);
    apply(subst, body);
    return true;
  }
  return false;
}

/// Drops guards that the ranges and the other guards prove.
bool FoldNormalizer::dropDecidedGuards() {
  for (unsigned i = 0; i < spec.guard.size(); ++i) {
    FoldSpec others = spec;
    others.guard.erase(others.guard.begin() + i);
    if (foldContext(context, others).decide(spec.guard[i]) == true) {
      spec.guard = others.guard;
      return true;
    }
  }
  return false;
}

/// No point satisfies the guard, or an extent is 0.
bool FoldNormalizer::isEmpty() const {
  for (IndexTerm e : spec.extents)
    if (context.nonneg(-e))
      return true;
  return !spec.guard.empty() && foldContext(context, spec).isContradictory();
}

/// v = mixed radix: the order of the digits is the order of v.
bool FoldNormalizer::splitDigits(const Term *&body) {
  auto all = polys(body);
  FoldSpec ranges = spec;
  ranges.guard.clear();
  IndexContext inside = foldContext(context, ranges);
  for (unsigned i = 0; i < spec.vars.size(); ++i) {
    auto digits = digitsOf(terms.index(), inside, spec.vars[i]->asAtom(),
                           spec.extents[i], all);
    if (!digits)
      continue;
    TermSubst subst;
    subst.index.set(spec.vars[i], digits->linear);
    spec.vars.erase(spec.vars.begin() + i);
    spec.extents.erase(spec.extents.begin() + i);
    spec.vars.insert(spec.vars.begin() + i, digits->vars.begin(),
                     digits->vars.end());
    spec.extents.insert(spec.extents.begin() + i, digits->extents.begin(),
                        digits->extents.end());
    spec.guard.append(digits->guard.begin(), digits->guard.end());
    apply(subst, body);
    return true;
  }
  return false;
}

/// acc := op(acc, g ? h : identity) does nothing where g is false.
bool FoldNormalizer::hoistGuard(const Term *&body) {
  if (body->kind() != TermKind::Ite)
    return false;
  if (isIdentity(body->operands()[1])) {
    spec.guard.append(body->guard().begin(), body->guard().end());
    body = body->operands()[0];
  } else if (isIdentity(body->operands()[0]) && body->guard().size() == 1 &&
             !body->guard()[0].isEquality) {
    spec.guard.push_back(geZero(-body->guard()[0].poly - 1));
    body = body->operands()[1];
  } else {
    return false;
  }
  apply(TermSubst(), body);
  return true;
}

/// A guard on one variable, linear with coefficient 1 or -1 and free otherwise,
/// becomes its range: v <= c gives extent c + 1 if 0 <= c + 1 <= E; v >= c
/// gives v = w + c with extent E - c if 0 <= c <= E. Both keep the order.
bool FoldNormalizer::shrinkBy(const GuardAtom &g, unsigned at,
                              const Term *&body) {
  auto split = splitLinear(g.poly, spec.vars[at]->asAtom());
  if (!split)
    return false;
  auto k = split->coefficient.constantInt64();
  for (IndexTerm v : spec.vars)
    if (split->rest->hasLeaf(v->asAtom()))
      return false;
  IndexTerm e = spec.extents[at];
  if (g.isEquality) {
    // v = c: the one point, if 0 <= c < E.
    if (k != 1 && k != -1)
      return false;
    IndexTerm c = k == 1 ? -split->rest : split->rest;
    if (!context.nonneg(c) || !context.nonneg(e - 1 - c))
      return false;
    TermSubst subst;
    subst.index.set(spec.vars[at], c);
    spec.vars.erase(spec.vars.begin() + at);
    spec.extents.erase(spec.extents.begin() + at);
    spec.guard.erase(llvm::find(spec.guard, g));
    apply(subst, body);
    return true;
  }
  if (k == -1) { // v <= rest
    IndexTerm extent = split->rest + 1;
    if (!context.nonneg(e - extent) || !context.nonneg(extent))
      return false;
    spec.extents[at] = extent;
    spec.guard.erase(llvm::find(spec.guard, g));
    apply(TermSubst(), body);
    return true;
  }
  if (k != 1)
    return false;
  IndexTerm c = -split->rest; // v >= c
  if (!context.nonneg(c) || !context.nonneg(e - c))
    return false;
  IndexTerm w = terms.index().freshVar();
  TermSubst subst;
  subst.index.set(spec.vars[at], w + c);
  spec.vars[at] = w;
  spec.extents[at] = e - c;
  spec.guard.erase(llvm::find(spec.guard, g));
  apply(subst, body);
  return true;
}

bool FoldNormalizer::shrink(const Term *&body) {
  for (const GuardAtom &g : Guard(spec.guard))
    for (unsigned i = 0; i < spec.vars.size(); ++i)
      if (g.poly->hasLeaf(spec.vars[i]->asAtom()) && shrinkBy(g, i, body))
        return true;
  return false;
}

/// Neighbours i (outer), j (inner) that occur only as i·Ej + j are one variable
/// r < Ei·Ej: (i, j) -> i·Ej + j is the lexicographic order. Extents must be
/// >= 0 before they are multiplied: (-3)·(-3) is 9 points, not none.
bool FoldNormalizer::fusePair(unsigned outer, unsigned inner,
                              const Term *&body) {
  const IndexAtom *vi = spec.vars[outer]->asAtom();
  const IndexAtom *vj = spec.vars[inner]->asAtom();
  IndexTerm ei = spec.extents[outer], ej = spec.extents[inner];
  if (!body->hasLeaf(vi) || !body->hasLeaf(vj) || !context.nonneg(ei) ||
      !context.nonneg(ej))
    return false;
  for (IndexTerm p : polys(body)) {
    auto a = splitLinear(p, vi), b = splitLinear(p, vj);
    if (!a || !b || a->coefficient->hasLeaf(vj) ||
        a->coefficient != b->coefficient * ej)
      return false;
  }
  IndexTerm r = terms.index().freshVar();
  TermSubst subst;
  subst.index.set(vi, terms.index().constant(0));
  subst.index.set(vj, r);
  spec.vars[outer] = r;
  spec.extents[outer] = ei * ej;
  spec.vars.erase(spec.vars.begin() + inner);
  spec.extents.erase(spec.extents.begin() + inner);
  apply(subst, body);
  return true;
}

bool FoldNormalizer::fuse(const Term *&body) {
  unsigned n = spec.vars.size();
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j)
      if (i != j && (anyOrder || j == i + 1) && fusePair(i, j, body))
        return true;
  return false;
}

/// Order-free: a variable that occurs with negative coefficients only runs the
/// other way.
bool FoldNormalizer::flip(const Term *&body) {
  llvm::SmallVector<IndexTerm, 16> all;
  collectIndexTerms(body, all);
  for (unsigned i = 0; i < spec.vars.size(); ++i) {
    const IndexAtom *v = spec.vars[i]->asAtom();
    bool negative = false, other = false;
    for (IndexTerm p : all) {
      if (!p->hasLeaf(v))
        continue;
      auto split = splitLinear(p, v);
      if (split && context.nonneg(-split->coefficient - 1))
        negative = true;
      else
        other = true;
    }
    if (!negative || other)
      continue;
    IndexTerm w = terms.index().freshVar();
    TermSubst subst;
    subst.index.set(spec.vars[i], spec.extents[i] - 1 - w);
    spec.vars[i] = w;
    apply(subst, body);
    return true;
  }
  return false;
}

/// Idempotent operations: a variable that occurs nowhere only repeats, once at
/// least.
bool FoldNormalizer::dropUnused(const Term *&body) {
  if (!isIdempotent(spec.op))
    return false;
  auto all = polys(body);
  for (unsigned i = 0; i < spec.vars.size(); ++i) {
    const IndexAtom *v = spec.vars[i]->asAtom();
    if (!context.nonneg(spec.extents[i] - 1) ||
        llvm::any_of(all, [&](IndexTerm p) { return p->hasLeaf(v); }))
      continue;
    spec.vars.erase(spec.vars.begin() + i);
    spec.extents.erase(spec.extents.begin() + i);
    return true;
  }
  return false;
}

/// Order-free: by extent, then by occurrence. Ties keep their order.
void FoldNormalizer::sortVariables(const Term *body) {
  struct Entry {
    IndexTerm var, extent;
    uint64_t key;
    unsigned at;
  };
  llvm::SmallVector<Entry, 4> entries;
  for (auto [v, e] : llvm::zip(spec.vars, spec.extents))
    entries.push_back({v, e, occurrenceKey(terms, body, v->asAtom()),
                       unsigned(entries.size())});
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    if (int c = compareStructurally(a.extent, b.extent))
      return c < 0;
    return a.key != b.key ? a.key < b.key : a.at < b.at;
  });
  for (auto [i, e] : llvm::enumerate(entries)) {
    spec.vars[i] = e.var;
    spec.extents[i] = e.extent;
  }
}

const Term *FoldNormalizer::normalize(const Term *body) {
  for (GuardAtom &g : spec.guard)
    g = g.normalized();
  for (unsigned step = 0; step < 100; ++step) {
    if (isIdentity(body) || isEmpty())
      return nullptr;
    if (dropUnit(body) || dropDecidedGuards() || splitDigits(body) ||
        hoistGuard(body) || shrink(body) || dropUnused(body))
      continue;
    if (anyOrder && flip(body))
      continue;
    if (!fuse(body))
      break;
  }
  if (anyOrder)
    sortVariables(body);
  return body;
}

const Term *FoldNormalizer::run(const Term *body, const Term *init) {
  const Term *h = normalize(body);
  if (!h)
    return init;
  ScalarType type = h->type();
  auto combine = [&](const Term *z, const Term *x) {
    return isIdentity(z) ? x : terms.mkOp(spec.op, spec.attrs, type, {z, x});
  };
  if (spec.vars.empty()) {
    const Term *once = combine(init, h);
    return spec.guard.empty() ? once
                              : terms.mkIte(spec.guard, once, init, context);
  }
  auto identity = identityOf(spec.op, type);
  if (!anyOrder || !identity || spec.attrs.fastMath != FMF_none)
    return closeFold(terms, context, spec, h, init);
  // Order-free: the initial value comes out.
  return combine(
      init, closeFold(terms, context, spec, h, terms.mkConst(type, *identity)));
}
