//===- IndexDivision.cpp - Floor divisions in normal form -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// floor(e / d) under a context (validation-tensors 2.3). Each rule is an
/// identity for d >= 1, so a wrong normal form could only come from a wrong
/// sign proof. Substitution rebuilds the divisions it touches.
///
//===----------------------------------------------------------------------===//

#include "IndexManagerImpl.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

std::pair<IndexTerm, IndexTerm> panpipe::tv::splitByDivisor(IndexTerm e,
                                                            IndexTerm d) {
  IndexManager &m = e->manager();
  llvm::SmallVector<IndexSummand, 6> q, r;
  if (auto c = d.constant()) {
    // Summand by summand: c_i = d·floor(c_i/d) + (c_i mod d).
    for (const IndexSummand &s : e->summands()) {
      DynamicAPInt high = floorDiv(s.coefficient, *c);
      DynamicAPInt low = s.coefficient - high * *c;
      if (high != 0)
        q.push_back({s.monomial, high});
      if (low != 0)
        r.push_back({s.monomial, low});
    }
    return {m.fromSummands(std::move(q)), m.fromSummands(std::move(r))};
  }
  if (d->summands().size() != 1)
    return {m.constant(0), e};
  const IndexSummand &div = d->summands()[0];
  for (const IndexSummand &s : e->summands()) {
    llvm::SmallVector<const IndexAtom *, 4> left(
        llvm::ArrayRef(s.monomial->atoms));
    bool divides = mod(s.coefficient, abs(div.coefficient)) == 0;
    for (const IndexAtom *a : div.monomial->atoms) {
      auto it = llvm::find(left, a);
      if (it == left.end()) {
        divides = false;
        break;
      }
      left.erase(it);
    }
    if (divides)
      q.push_back({m.monomial(left), s.coefficient / div.coefficient});
    else
      r.push_back(s);
  }
  return {m.fromSummands(std::move(q)), m.fromSummands(std::move(r))};
}

namespace {
class Divider {
public:
  Divider(const IndexContext &context, IndexTerm d)
      : context(context), manager(context.manager()), d(d) {}
  IndexTerm run(IndexTerm e);

private:
  bool inRange(IndexTerm r, IndexTerm bound) const {
    return context.nonneg(r) && context.nonneg(bound - 1 - r);
  }
  IndexTerm symmetric(IndexTerm r, IndexTerm q);
  IndexTerm commonDivisor(IndexTerm r, IndexTerm q);
  IndexTerm commonDims(IndexTerm r, IndexTerm q);

  const IndexContext &context;
  IndexManager &manager;
  IndexTerm d;
};
} // namespace

/// Rule 2: remainders in (-d/2, d/2] instead; the same identity.
IndexTerm Divider::symmetric(IndexTerm r, IndexTerm q) {
  DynamicAPInt c = *d.constant();
  llvm::SmallVector<IndexSummand, 6> moved, rest;
  for (const IndexSummand &s : r->summands()) {
    if (!s.monomial->atoms.empty() && 2 * s.coefficient > c) {
      moved.push_back({s.monomial, DynamicAPInt(1)});
      rest.push_back({s.monomial, s.coefficient - c});
    } else {
      rest.push_back(s);
    }
  }
  if (moved.empty())
    return {};
  IndexTerm r2 = manager.fromSummands(std::move(rest));
  if (!inRange(r2, d))
    return {};
  return q + manager.fromSummands(std::move(moved));
}

/// Rule 3: g divides d, r = g·r1 + r0 with 0 <= r0 <= g - 1. Then
/// floor(r / d) = floor(floor(r / g) / (d / g)) = floor(r1 / (d / g)).
IndexTerm Divider::commonDivisor(IndexTerm r, IndexTerm q) {
  DynamicAPInt c = *d.constant();
  if (c > (int64_t(1) << 40))
    return {};
  int64_t n = int64_t(c);
  llvm::SmallVector<int64_t, 16> divisors;
  for (int64_t g = 2; g * g <= n; ++g)
    if (n % g == 0) {
      divisors.push_back(g);
      if (g != n / g)
        divisors.push_back(n / g);
    }
  llvm::sort(divisors, std::greater<int64_t>());
  for (int64_t g : divisors) {
    llvm::SmallVector<IndexSummand, 6> big, small;
    bool hasVariable = false;
    for (const IndexSummand &s : r->summands()) {
      if (s.monomial->atoms.empty()) {
        DynamicAPInt high = floorDiv(s.coefficient, DynamicAPInt(g));
        big.push_back({s.monomial, high});
        small.push_back({s.monomial, s.coefficient - high * g});
      } else if (s.coefficient % g == 0) {
        big.push_back({s.monomial, s.coefficient / g});
        hasVariable = true;
      } else {
        small.push_back(s);
      }
    }
    if (!hasVariable)
      continue;
    if (inRange(manager.fromSummands(std::move(small)), manager.constant(g)))
      return q + context.floorDiv(manager.fromSummands(std::move(big)),
                                  manager.constant(n / g));
  }
  return {};
}

/// Rule 3 for a product of dims: every proper sub-product as g.
IndexTerm Divider::commonDims(IndexTerm r, IndexTerm q) {
  const IndexSummand &s = d->summands()[0];
  unsigned n = s.monomial->atoms.size();
  if (n > 8)
    return {};
  for (unsigned mask = (1u << n) - 2; mask >= 1 && n > 0; --mask) {
    llvm::SmallVector<const IndexAtom *, 4> in, out;
    for (unsigned i = 0; i < n; ++i)
      (mask >> i & 1 ? in : out).push_back(s.monomial->atoms[i]);
    IndexTerm g = manager.fromMonomial(manager.monomial(in), DynamicAPInt(1));
    IndexTerm h = manager.fromMonomial(manager.monomial(out), s.coefficient);
    auto [r1, r0] = splitByDivisor(r, g);
    if (!r1.isConstant() && inRange(r0, g))
      return q + context.floorDiv(r1, h);
  }
  return {};
}

IndexTerm Divider::run(IndexTerm e) {
  // Rule 0.
  auto c = d.constant();
  if (c && *c == 1)
    return e;
  // Rule 1: e = d·q + r.
  auto [q, r] = splitByDivisor(e, d);
  if (r.isZero() || inRange(r, d))
    return q;
  if (c && r.isConstant())
    return q; // splitByDivisor left 0 <= r < d
  if (c) {
    if (IndexTerm t = symmetric(r, q))
      return t;
    if (IndexTerm t = commonDivisor(r, q))
      return t;
  } else if (IndexManager::isDivisor(d)) {
    if (IndexTerm t = commonDims(r, q))
      return t;
  }
  // Rule 4: floor(floor(x / a) / d) = floor(x / (a·d)).
  if (const IndexAtom *a = r->asAtom())
    if (a->kind == AtomKind::FloorDiv && IndexManager::isDivisor(a->den) &&
        IndexManager::isDivisor(d))
      return q + context.floorDiv(a->num, a->den * d);
  return q + manager.rawFloorDiv(r, d);
}

IndexTerm IndexContext::floorDiv(IndexTerm e, IndexTerm d) const {
  auto &cache = manager().impl->divisionCache;
  std::pair<std::pair<const IndexPoly *, const IndexPoly *>, const void *> key{
      {e.get(), d.get()}, node};
  auto it = cache.find(key);
  if (it != cache.end())
    return it->second;
  IndexTerm result = Divider(*this, d).run(e);
  cache[key] = result;
  return result;
}

IndexTerm IndexContext::mod(IndexTerm e, IndexTerm d) const {
  return e - d * floorDiv(e, d);
}
IndexTerm IndexContext::ceilDiv(IndexTerm e, IndexTerm d) const {
  return floorDiv(e + d - 1, d);
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace {
/// Rebuilds a polynomial; `force` rebuilds untouched divisions too.
struct Rebuilder {
  const IndexContext &context;
  const IndexSubst &subst;
  bool force;

  IndexTerm run(IndexTerm p) const {
    if (!subst.touches(p) && !(force && p->hasDivision()))
      return p;
    IndexManager &m = context.manager();
    llvm::SmallVector<IndexSummand, 8> plain;
    IndexTerm sum = m.constant(0);
    for (const IndexSummand &s : p->summands()) {
      llvm::SmallVector<const IndexAtom *, 4> kept;
      llvm::SmallVector<IndexTerm, 2> replaced;
      for (const IndexAtom *a : s.monomial->atoms) {
        IndexTerm by = atom(a);
        if (!by)
          kept.push_back(a);
        else
          replaced.push_back(by);
      }
      if (replaced.empty()) {
        plain.push_back(s);
        continue;
      }
      IndexTerm product = m.fromMonomial(m.monomial(kept), s.coefficient);
      for (IndexTerm t : replaced)
        product = product * t;
      sum = sum + product;
    }
    return sum + m.fromSummands(std::move(plain));
  }

  /// The replacement of an atom; null if it stays.
  IndexTerm atom(const IndexAtom *a) const {
    if (a->kind != AtomKind::FloorDiv)
      return subst.lookup(a);
    if (!force && !subst.touches(a->num) && !subst.touches(a->den))
      return {};
    return context.floorDiv(run(a->num), run(a->den));
  }
};
} // namespace

IndexTerm IndexContext::substitute(IndexTerm p, const IndexSubst &subst) const {
  return Rebuilder{*this, subst, false}.run(p);
}

IndexTerm IndexContext::rebuild(IndexTerm p) const {
  IndexSubst single;
  for (const IndexAtom *a : p->leaves()) {
    auto [lo, hi] = range(a);
    if (lo && lo == hi)
      single.set(a, lo);
  }
  return Rebuilder{*this, single, true}.run(p);
}
