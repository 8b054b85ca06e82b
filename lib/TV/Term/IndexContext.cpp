//===- IndexContext.cpp - Ranges, facts and the sign test -----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Contexts are chains of interned extensions. `nonneg` is the only thing that
/// the normal forms rest on: each of its steps is argued beside it.
///
//===----------------------------------------------------------------------===//

#include "IndexManagerImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace panpipe::tv;
using detail::ContextNode;

const ContextNode *IndexManager::Impl::intern(ContextNode node) {
  node.anyFacts =
      node.kind == ContextNode::Fact || (node.parent && node.parent->anyFacts);
  node.manager = node.parent->manager;
  uint64_t key = mixHash(uint64_t(node.kind), uint64_t(uintptr_t(node.parent)));
  key = mixHash(key, node.atom ? node.atom->id : 0);
  for (IndexTerm t : {node.lo, node.hi, node.fact.poly})
    key = mixHash(key, t ? t->id() : 0);
  key = mixHash(key, node.fact.isEquality);
  auto &bucket = nodeTable[key];
  for (const ContextNode *n : bucket)
    if (n->kind == node.kind && n->parent == node.parent &&
        n->atom == node.atom && n->lo == node.lo && n->hi == node.hi &&
        n->fact == node.fact)
      return n;
  nodes.push_back(node);
  bucket.push_back(&nodes.back());
  return &nodes.back();
}

IndexContext IndexManager::emptyContext() const {
  return IndexContext(&impl->nodes.front());
}
IndexManager &IndexContext::manager() const { return *node->manager; }
bool IndexContext::hasFacts() const { return node->anyFacts; }

//===----------------------------------------------------------------------===//
// Extending and looking up
//===----------------------------------------------------------------------===//

IndexContext IndexContext::withRange(IndexTerm var, IndexTerm lo,
                                     IndexTerm hi) const {
  const IndexAtom *atom = var->asAtom();
  assert(atom && "a range belongs to a variable");
  auto [oldLo, oldHi] = range(atom);
  if (oldLo == lo && oldHi == hi)
    return *this;
  ContextNode n;
  n.kind = ContextNode::Range;
  n.parent = node;
  n.atom = atom;
  n.lo = lo;
  n.hi = hi;
  return IndexContext(manager().impl->intern(n));
}

IndexContext IndexContext::withExtent(IndexTerm var, IndexTerm extent) const {
  return withRange(var, manager().constant(0), extent - 1)
      .withPositiveDims(extent);
}

IndexContext IndexContext::withPositiveDims(IndexTerm dims) const {
  // A product of dims >= 0 with positive coefficient is >= 1 only if every
  // factor is; of a sum nothing follows for the single dims.
  if (dims->summands().size() != 1)
    return *this;
  IndexContext result = *this;
  for (const IndexAtom *a : dims->summands()[0].monomial->atoms) {
    if (a->kind != AtomKind::Dim || result.isPositiveDim(a))
      continue;
    ContextNode n;
    n.kind = ContextNode::PositiveDim;
    n.parent = result.node;
    n.atom = a;
    result = IndexContext(manager().impl->intern(n));
  }
  return result;
}

std::pair<IndexTerm, IndexTerm>
IndexContext::range(const IndexAtom *var) const {
  for (const ContextNode *n = node; n; n = n->parent)
    if (n->kind == ContextNode::Range && n->atom == var)
      return {n->lo, n->hi};
  return {};
}

bool IndexContext::isPositiveDim(const IndexAtom *dim) const {
  for (const ContextNode *n = node; n; n = n->parent)
    if (n->kind == ContextNode::PositiveDim && n->atom == dim)
      return true;
  return false;
}

llvm::SmallVector<IndexTerm, 8> IndexContext::rangedVars() const {
  llvm::SmallVector<IndexTerm, 8> all, vars;
  for (const ContextNode *n = node; n; n = n->parent)
    if (n->kind == ContextNode::Range && n->atom->kind == AtomKind::Var)
      all.push_back(n->atom->term);
  for (IndexTerm v : llvm::reverse(all))
    if (!llvm::is_contained(vars, v))
      vars.push_back(v);
  return vars;
}

Guard IndexContext::facts() const {
  Guard result;
  for (const ContextNode *n = node; n && n->anyFacts; n = n->parent)
    if (n->kind == ContextNode::Fact)
      result.push_back(n->fact);
  std::reverse(result.begin(), result.end());
  return result;
}

IndexContext IndexContext::assume(GuardAtom guardAtom) const {
  GuardAtom g = guardAtom.normalized();
  if (decide(g) == true)
    return *this;
  // One variable, linear, constant bounds: tighten its range.
  auto leaves = g.poly->leaves();
  if (leaves.size() == 1 && !g.poly->hasDivision() &&
      leaves[0]->kind != AtomKind::Dim) {
    const IndexAtom *v = leaves[0];
    DynamicAPInt c = g.poly->coefficientOf(v), k = g.poly->constantPart();
    bool linear =
        g.poly - v->term * manager().constant(c) == manager().constant(k);
    auto [lo, hi] = range(v);
    if (linear && c != 0 && lo && lo.isConstant() && hi.isConstant()) {
      DynamicAPInt low = *lo.constant(), high = *hi.constant();
      // c·v + k >= 0: v >= ceil(-k/c) for c > 0, v <= floor(k/-c) for c < 0.
      // An equality is both; `normalized` made c divide k and c > 0.
      if (c > 0 || g.isEquality)
        low = std::max(low, llvm::ceilDiv(-k, c));
      if (c < 0)
        high = std::min(high, llvm::floorDiv(k, -c));
      else if (g.isEquality)
        high = std::min(high, llvm::floorDiv(-k, c));
      return withRange(v->term, manager().constant(low),
                       manager().constant(high));
    }
  }
  ContextNode n;
  n.kind = ContextNode::Fact;
  n.parent = node;
  n.fact = g;
  return IndexContext(manager().impl->intern(n));
}

IndexContext IndexContext::assume(llvm::ArrayRef<GuardAtom> guard) const {
  IndexContext result = *this;
  for (GuardAtom g : guard)
    result = result.assume(g);
  return result;
}

IndexContext
IndexContext::rangesOnly(llvm::ArrayRef<const IndexAtom *> vars) const {
  IndexContext result = manager().emptyContext();
  llvm::SmallVector<const IndexAtom *, 8> todo(vars.rbegin(), vars.rend());
  llvm::SmallPtrSet<const IndexAtom *, 8> done;
  while (!todo.empty()) {
    const IndexAtom *v = todo.pop_back_val();
    if (!done.insert(v).second)
      continue;
    if (v->kind == AtomKind::Dim && isPositiveDim(v))
      result = result.withPositiveDims(v->term);
    auto [lo, hi] = range(v);
    if (!lo)
      continue;
    result = result.withRange(v->term, lo, hi);
    for (IndexTerm t : {lo, hi})
      todo.append(t->leaves().begin(), t->leaves().end());
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The sign test (validation-tensors 2.4)
//===----------------------------------------------------------------------===//

namespace {
/// One query; depth counts nested bounds and nested uses of Euclid's facts.
class SignTest {
public:
  explicit SignTest(const IndexContext &context)
      : context(context), manager(context.manager()) {}
  bool nonneg(IndexTerm p, unsigned depth);

private:
  bool dimsNonneg(IndexTerm p) const;
  IndexTerm bound(IndexTerm p, bool upper, unsigned nesting) const;
  IndexTerm atomBound(const IndexAtom *a, bool upper, unsigned nesting) const;
  const IndexAtom *pickAtom(IndexTerm p) const;
  bool byFacts(IndexTerm p) const;
  bool byEuclid(IndexTerm p, unsigned depth);

  const IndexContext &context;
  IndexManager &manager;
};
} // namespace

/// Dims only: with s = s' + 1 for dims known to be >= 1 and s = s' otherwise,
/// s' >= 0, a polynomial with coefficients >= 0 in the s' is >= 0.
bool SignTest::dimsNonneg(IndexTerm p) const {
  llvm::SmallVector<IndexSummand, 8> expanded;
  for (const IndexSummand &s : p->summands()) {
    llvm::SmallVector<const IndexAtom *, 4> shifted, plain;
    for (const IndexAtom *a : s.monomial->atoms) {
      if (a->kind != AtomKind::Dim)
        return false;
      (context.isPositiveDim(a) ? shifted : plain).push_back(a);
    }
    if (shifted.size() > 10)
      return false;
    // The product of (s' + 1) over `shifted`: every subset once.
    for (unsigned mask = 0; mask < (1u << shifted.size()); ++mask) {
      llvm::SmallVector<const IndexAtom *, 4> atoms = plain;
      for (unsigned i = 0; i < shifted.size(); ++i)
        if (mask >> i & 1)
          atoms.push_back(shifted[i]);
      expanded.push_back({manager.monomial(atoms), s.coefficient});
    }
  }
  IndexTerm q = manager.fromSummands(std::move(expanded));
  return llvm::all_of(q->summands(),
                      [](const IndexSummand &s) { return s.coefficient >= 0; });
}

/// The next atom to bound: divisions first (their numerators hold variables),
/// then variables whose range mentions other variables.
const IndexAtom *SignTest::pickAtom(IndexTerm p) const {
  const IndexAtom *best = nullptr;
  unsigned bestRank = 0;
  for (const IndexSummand &s : p->summands())
    for (const IndexAtom *a : s.monomial->atoms) {
      if (a->kind == AtomKind::Dim)
        continue;
      unsigned rank = 1;
      if (a->kind == AtomKind::FloorDiv) {
        rank = 3;
      } else {
        auto [lo, hi] = context.range(a);
        auto onlyDims = [](IndexTerm t) {
          return llvm::all_of(t->leaves(), [](const IndexAtom *x) {
            return x->kind == AtomKind::Dim;
          });
        };
        if (lo && !(onlyDims(lo) && onlyDims(hi)))
          rank = 2;
      }
      if (rank > bestRank || (rank == bestRank && compareAtoms(best, a) < 0)) {
        best = a;
        bestRank = rank;
      }
    }
  return best;
}

/// floor is monotone, so a bound of the numerator gives one of the quotient.
IndexTerm SignTest::atomBound(const IndexAtom *a, bool upper,
                              unsigned nesting) const {
  auto [lo, hi] = context.range(a);
  if (lo)
    return upper ? hi : lo;
  if (a->kind != AtomKind::FloorDiv)
    return {};
  IndexTerm b = bound(a->num, upper, nesting + 1);
  if (!b)
    return {};
  auto d = a->den.constant();
  auto c = b.constant();
  if (d && c)
    return manager.constant(floorDiv(*c, *d));
  auto [q, r] = splitByDivisor(b, a->den);
  auto rest = r.constant();
  if (!rest)
    return {};
  if (*rest == 0)
    return q;
  // b = d·q + r. With r < 0 the quotient is at most q - 1, with r > 0 (and
  // d >= 1) it is at least q; a constant d has 0 <= r < d, so it is q.
  if (d)
    return q;
  if (upper)
    return *rest < 0 ? q - 1 : IndexTerm();
  return *rest > 0 ? q : IndexTerm();
}

/// A polynomial in dims that bounds p from below (above), or null: replaces one
/// atom after the other by its bound, which is sound when the sign of its
/// coefficient is known.
IndexTerm SignTest::bound(IndexTerm p, bool upper, unsigned nesting) const {
  if (nesting > 6)
    return {};
  for (unsigned step = 0; step < 12; ++step) {
    const IndexAtom *a = pickAtom(p);
    if (!a)
      return p;
    llvm::SmallVector<IndexSummand, 4> factor, rest;
    for (const IndexSummand &s : p->summands()) {
      if (!s.monomial->contains(a)) {
        rest.push_back(s);
        continue;
      }
      llvm::SmallVector<const IndexAtom *, 4> others;
      for (const IndexAtom *x : s.monomial->atoms) {
        if (x == a && others.size() + 1 == s.monomial->atoms.size() &&
            llvm::count(s.monomial->atoms, a) > 1)
          return {};
        if (x != a)
          others.push_back(x);
      }
      if (others.size() + 1 != s.monomial->atoms.size() ||
          llvm::any_of(others, [](const IndexAtom *x) {
            return x->kind != AtomKind::Dim;
          }))
        return {};
      factor.push_back({manager.monomial(others), s.coefficient});
    }
    IndexTerm k = manager.fromSummands(std::move(factor));
    bool up = upper;
    if (!dimsNonneg(k)) {
      if (!dimsNonneg(-k))
        return {};
      up = !upper;
    }
    IndexTerm b = atomBound(a, up, nesting);
    if (!b)
      return {};
    p = manager.fromSummands(std::move(rest)) + k * b;
  }
  return {};
}

/// p >= p - f for a fact f >= 0, and p >= p ± f for f = 0.
bool SignTest::byFacts(IndexTerm p) const {
  if (!context.hasFacts())
    return false;
  for (const GuardAtom &f : context.facts()) {
    if (f.poly == p)
      return true;
    bool shares = llvm::any_of(
        f.poly->leaves(), [&](const IndexAtom *a) { return p->hasLeaf(a); });
    if (!shares)
      continue;
    for (IndexTerm q : {p - f.poly, p + f.poly}) {
      IndexTerm b = bound(q, /*upper=*/false, 0);
      if (b && dimsNonneg(b))
        return true;
      if (!f.isEquality)
        break;
    }
  }
  return false;
}

/// If the coefficient of fd(e, d) in p is -k·d, then with M = e - d·fd(e, d) in
/// [0, d-1] we have p = rest + k·M, so p >= rest for k > 0 and
/// p >= rest + k·(d-1) for k < 0.
bool SignTest::byEuclid(IndexTerm p, unsigned depth) {
  if (depth >= 3 || !p->hasDivision())
    return false;
  llvm::SmallVector<const IndexAtom *, 4> divisions;
  for (const IndexSummand &s : p->summands())
    for (const IndexAtom *a : s.monomial->atoms)
      if (a->kind == AtomKind::FloorDiv && !llvm::is_contained(divisions, a))
        divisions.push_back(a);
  for (const IndexAtom *a : divisions) {
    llvm::SmallVector<IndexSummand, 4> factor;
    bool linear = true;
    for (const IndexSummand &s : p->summands()) {
      auto n = llvm::count(s.monomial->atoms, a);
      if (n == 0)
        continue;
      linear &= n == 1;
      llvm::SmallVector<const IndexAtom *, 4> others;
      for (const IndexAtom *x : s.monomial->atoms)
        if (x != a)
          others.push_back(x);
      factor.push_back({manager.monomial(others), s.coefficient});
    }
    if (!linear)
      continue;
    IndexTerm coefficient = manager.fromSummands(std::move(factor));
    auto [q, r] = splitByDivisor(coefficient, a->den);
    auto minusK = q.constant();
    if (!r.isZero() || !minusK || *minusK == 0)
      continue;
    DynamicAPInt k = -*minusK;
    IndexTerm kTerm = manager.constant(k);
    IndexTerm rest = p - kTerm * (a->num - a->den * a->term);
    if (k < 0)
      rest = rest + kTerm * (a->den - 1);
    if (nonneg(rest, depth + 1))
      return true;
  }
  return false;
}

bool SignTest::nonneg(IndexTerm p, unsigned depth) {
  if (auto c = p.constant())
    return *c >= 0;
  IndexTerm b = bound(p, /*upper=*/false, 0);
  if (b && dimsNonneg(b))
    return true;
  return byFacts(p) || byEuclid(p, depth);
}

bool IndexContext::nonneg(IndexTerm p) const {
  if (auto c = p.constant())
    return *c >= 0;
  auto &cache = manager().impl->nonnegCache;
  auto it = cache.find({p.get(), node});
  if (it != cache.end())
    return it->second;
  bool result = SignTest(*this).nonneg(p, 0);
  cache[{p.get(), node}] = result;
  return result;
}

bool IndexContext::isZero(IndexTerm p) const {
  return p.isZero() || (!p.isConstant() && nonneg(p) && nonneg(-p));
}

bool IndexContext::provablyDifferent(IndexTerm a, IndexTerm b) const {
  IndexTerm d = a - b;
  return nonneg(d - 1) || nonneg(-d - 1);
}

std::optional<bool> IndexContext::decide(GuardAtom g) const {
  if (g.isEquality) {
    if (isZero(g.poly))
      return true;
    if (g.normalized().poly.isConstant() || nonneg(g.poly - 1) ||
        nonneg(-g.poly - 1))
      return false;
    return std::nullopt;
  }
  if (nonneg(g.poly))
    return true;
  if (nonneg(-g.poly - 1))
    return false;
  return std::nullopt;
}

bool IndexContext::isContradictory() const {
  llvm::SmallPtrSet<const IndexAtom *, 8> seen;
  for (const ContextNode *n = node; n; n = n->parent) {
    if (n->kind == ContextNode::Range && seen.insert(n->atom).second &&
        nonneg(n->lo - n->hi - 1))
      return true;
    if (n->kind == ContextNode::Fact) {
      IndexTerm f = n->fact.poly;
      if (nonneg(-f - 1) || (n->fact.isEquality && nonneg(f - 1)))
        return true;
    }
  }
  return false;
}

std::string IndexContext::str() const {
  llvm::SmallVector<std::string, 8> lines;
  llvm::SmallPtrSet<const IndexAtom *, 8> seen;
  for (const ContextNode *n = node; n; n = n->parent) {
    if (n->kind == ContextNode::Range && seen.insert(n->atom).second)
      lines.push_back(n->lo.str() + " <= " + n->atom->term.str() +
                      " <= " + n->hi.str());
    if (n->kind == ContextNode::PositiveDim)
      lines.push_back(n->atom->term.str() + " >= 1");
    if (n->kind == ContextNode::Fact)
      lines.push_back(n->fact.str());
  }
  std::string s;
  for (auto &l : llvm::reverse(lines))
    s += (s.empty() ? "" : ", ") + l;
  return s;
}
