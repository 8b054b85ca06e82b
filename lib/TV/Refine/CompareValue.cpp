//===- CompareValue.cpp - Equality of values ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The ladder for one pair of values: congruence, digits, structural descent,
/// cells, unfolding of names, sums, scalars (validation-tensors 5).
///
//===----------------------------------------------------------------------===//

#include "ComparerImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace panpipe::tv;

/// Variables of memoised pairs; below IndexManager::kFirstFreshVar, above the
/// own indices of tensors.
static constexpr unsigned kCanonicalVar = 1u << 12;
static constexpr unsigned kOpenVar = 1u << 13;
static constexpr unsigned kGeneralVar = kOpenVar + 1500 * 32;

IndexTerm Comparer::Impl::openVar(unsigned depth, unsigned i) {
  // Numbers wrap only after thousands of nested openings without renaming.
  return terms.index().var(kOpenVar + (depth % 1500) * 32 + i);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

bool Comparer::Impl::equalIndex(const IndexContext &context, IndexTerm p,
                                IndexTerm q) {
  if (p == q || context.isZero(p - q))
    return true;
  if ((p - q).isConstant() || context.provablyDifferent(p, q))
    return false;
  return oracle->isEmpty(context, {geZero(p - q - 1)}) == true &&
         oracle->isEmpty(context, {geZero(q - p - 1)}) == true;
}

bool Comparer::Impl::proveGuard(const IndexContext &context, GuardAtom g) {
  auto known = context.decide(g);
  if (known)
    return *known;
  if (oracle->isEmpty(context, {geZero(-g.poly - 1)}) != true)
    return false;
  return !g.isEquality ||
         oracle->isEmpty(context, {geZero(g.poly - 1)}) == true;
}

bool Comparer::Impl::isEmptyCell(const IndexContext &context) {
  if (context.isContradictory())
    return true;
  if (!context.hasFacts())
    return false;
  Guard facts = context.facts();
  return oracle->isEmpty(context, facts) == true;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// The first guard atom outside closures.
static const GuardAtom *firstGuard(const Term *t,
                                   llvm::SmallPtrSetImpl<const Term *> &seen) {
  if (!seen.insert(t).second)
    return nullptr;
  if (t->kind() == TermKind::Ite)
    return &t->guard().front();
  for (const Term *o : t->operands())
    if (const GuardAtom *g = firstGuard(o, seen))
      return g;
  return nullptr;
}

bool Comparer::Impl::forEachCell(
    const IndexContext &context, llvm::ArrayRef<const Term *> list,
    llvm::function_ref<bool(const IndexContext &, llvm::ArrayRef<const Term *>)>
        proof) {
  llvm::SmallVector<const Term *, 4> here;
  for (const Term *t : list)
    here.push_back(terms.rebuild(t, context));
  const GuardAtom *open = nullptr;
  llvm::SmallPtrSet<const Term *, 16> seen;
  for (const Term *t : here)
    if ((open = firstGuard(t, seen)))
      break;
  if (!open)
    return proof(context, here);
  if (cellsLeft == 0) {
    hitLimit = true;
    return false;
  }
  --cellsLeft;
  usedCells = true;
  GuardAtom g = *open;
  // g or not g; an equality has two negations.
  llvm::SmallVector<GuardAtom, 3> cases{g, geZero(-g.poly - 1)};
  if (g.isEquality)
    cases.push_back(geZero(g.poly - 1));
  for (GuardAtom c : cases) {
    IndexContext cell = context.assume(c);
    // A guard that the context cannot decide is a fact it does not see in the
    // negated case of a conjunction: without progress, give up.
    if (cell == context)
      return false;
    if (isEmptyCell(cell))
      continue;
    if (!forEachCell(cell, here, proof))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

namespace {
/// Variables in order of occurrence.
void occurrences(const Term *t, llvm::SmallVectorImpl<const IndexAtom *> &vars,
                 llvm::SmallPtrSetImpl<const void *> &seen) {
  if (t->leaves().empty() || !seen.insert(t).second)
    return;
  auto add = [&](IndexTerm p) {
    for (const IndexAtom *a : p->leaves())
      if (seen.insert(a).second)
        vars.push_back(a);
  };
  for (IndexTerm p : t->indices())
    add(p);
  for (GuardAtom g : t->guard())
    add(g.poly);
  for (const Term *o : t->operands())
    occurrences(o, vars, seen);
}
} // namespace

/// Variables that occur only together, in one linear form L (an output index
/// plus a window offset, say), become one variable w: both terms are functions
/// of w, so it is enough to compare them for every w between the bounds of L.
/// Without this a stack of layers collects one more window variable per layer.
bool Comparer::Impl::generalize(IndexContext &context, const Term *&a,
                                const Term *&b, unsigned number) {
  llvm::SmallVector<IndexTerm, 16> polys;
  collectIndexTerms(a, polys);
  collectIndexTerms(b, polys);
  IndexManager &m = terms.index();
  for (IndexTerm p : polys) {
    if (p->hasDivision() || p->leaves().size() < 2)
      continue;
    IndexTerm form = p - m.constant(p->constantPart());
    if (form->summands().front().coefficient < 0)
      form = -form;
    const IndexAtom *pivot = nullptr;
    bool bounded = true;
    IndexTerm lo = m.constant(0), hi = lo;
    for (const IndexSummand &s : form->summands()) {
      const IndexAtom *v = s.monomial->atoms[0];
      auto [l, h] = context.range(v);
      if (s.monomial->atoms.size() != 1 || v->kind != AtomKind::Var || !l ||
          !l.isConstant() || !h.isConstant()) {
        bounded = false;
        break;
      }
      IndexTerm k = m.constant(s.coefficient);
      bool up = s.coefficient > 0;
      lo = lo + k * (up ? l : h);
      hi = hi + k * (up ? h : l);
      if (s.coefficient == 1)
        pivot = v;
    }
    if (!bounded || !pivot)
      continue;
    IndexTerm w = m.var(number);
    IndexSubst subst;
    subst.set(pivot, w - (form - pivot->term));
    auto free = [&](IndexTerm q) {
      return llvm::none_of(form->leaves(),
                           [&](const IndexAtom *v) { return q->hasLeaf(v); });
    };
    // Divisions come out as they may here; the terms are rebuilt below.
    IndexContext inside = context.withRange(w, lo, hi);
    if (!llvm::all_of(polys, [&](IndexTerm q) {
          return free(inside.substitute(q, subst));
        }))
      continue;
    llvm::SmallVector<const IndexAtom *, 8> kept{w->asAtom()};
    for (IndexTerm q : polys)
      for (const IndexAtom *v : q->leaves())
        if (!form->hasLeaf(v))
          kept.push_back(v);
    IndexContext next = context.withRange(w, lo, hi).rangesOnly(kept);
    for (GuardAtom f : context.facts()) {
      f.poly = inside.substitute(f.poly, subst);
      if (free(f.poly))
        next = next.assume(f);
    }
    TermSubst all;
    all.index = subst;
    a = terms.substitute(a, all, next);
    b = terms.substitute(b, all, next);
    context = next;
    return true;
  }
  return false;
}

/// The same pair with other names of variables is the same question: variables
/// are renamed in order of occurrence. Facts on other variables are dropped.
IndexContext Comparer::Impl::canonicalize(const IndexContext &context,
                                          const Term *&a, const Term *&b) {
  llvm::SmallVector<const IndexAtom *, 8> vars;
  llvm::SmallPtrSet<const void *, 16> seen;
  occurrences(a, vars, seen);
  occurrences(b, vars, seen);
  auto dimsOnly = [](IndexTerm t) {
    return llvm::all_of(t->leaves(), [](const IndexAtom *x) {
      return x->kind == AtomKind::Dim;
    });
  };
  TermSubst subst;
  IndexContext renamed = terms.emptyContext();
  auto keepDims = [&](IndexTerm t) {
    for (const IndexAtom *d : t->leaves())
      if (d->kind == AtomKind::Dim && context.isPositiveDim(d))
        renamed = renamed.withPositiveDims(d->term);
  };
  unsigned next = 0;
  for (const IndexAtom *v : vars) {
    if (v->kind == AtomKind::Dim)
      keepDims(v->term);
    auto [lo, hi] = context.range(v);
    if (v->kind != AtomKind::Var) {
      if (lo)
        return context;
      continue;
    }
    if (!lo || !dimsOnly(lo) || !dimsOnly(hi))
      return context;
    if (lo == hi) { // a unit dimension
      subst.index.set(v, lo);
      continue;
    }
    // Ranges begin at 0, so that offsets do not tell layers apart.
    IndexTerm w = terms.index().var(kCanonicalVar + next++);
    IndexTerm shift = lo.isConstant() ? lo : terms.index().constant(0);
    renamed = renamed.withRange(w, lo - shift, hi - shift);
    keepDims(lo);
    keepDims(hi);
    subst.index.set(v, w + shift);
  }
  Guard facts;
  for (GuardAtom f : context.facts()) {
    bool known = llvm::all_of(f.poly->leaves(), [&](const IndexAtom *l) {
      return l->kind != AtomKind::Var || subst.index.lookup(l);
    });
    if (known)
      facts.push_back({renamed.substitute(f.poly, subst.index), f.isEquality});
  }
  llvm::sort(facts, [](const GuardAtom &x, const GuardAtom &y) {
    if (int c = compareStructurally(x.poly, y.poly))
      return c < 0;
    return x.isEquality < y.isEquality;
  });
  renamed = renamed.assume(facts);
  a = terms.substitute(a, subst, renamed);
  b = terms.substitute(b, subst, renamed);
  return renamed;
}

IndexContext Comparer::Impl::simplifyPair(const IndexContext &outer,
                                          const Term *&a, const Term *&b,
                                          unsigned depth) {
  IndexContext context = outer;
  unsigned general = kGeneralVar + (depth % 1500) * 32;
  for (unsigned n = 0; depth > 0 && n < 32 && a != b; ++n)
    if (!generalize(context, a, b, general + n))
      break;
  return canonicalize(context, a, b);
}

bool Comparer::Impl::equal(const IndexContext &outer, const Term *a,
                           const Term *b, unsigned depth) {
  if (a == b)
    return true;
  if (a->type() != b->type())
    return false;
  if (++steps > options.maxSteps) {
    hitLimit = true;
    return false;
  }
  if (a->kind() == TermKind::Read) {
    // The source leaves this element open: any value will do, at this read.
    if (a->base()->kind == TensorBase::Kind::Unspecified)
      return true;
    if (a->base()->kind == TensorBase::Kind::Choice)
      return chooseFor(a, b);
  }
  if (a->isConst() && b->isConst())
    return a->type().isFloat() && isNaN(a->type(), a->bits()) &&
           isNaN(b->type(), b->bits()) && !terms.nanBitsAreRead;

  IndexContext local = simplifyPair(outer, a, b, depth);
  if (a == b)
    return true;
  PairKey key{{a, b}, local.key()};
  auto it = equalMemo.find(key);
  // Failures hold at any depth: none is remembered when a limit was met.
  if (it != equalMemo.end() && (it->second.ok || it->second.pass == pass)) {
    for (auto [from, to] : it->second.picks)
      if (!copies(from, to))
        return false;
    trail.residuals.append(it->second.residuals.begin(),
                           it->second.residuals.end());
    trail.assumptions.append(it->second.assumptions.begin(),
                             it->second.assumptions.end());
    return it->second.ok;
  }
  Mark start = mark();
  unsigned uses = choiceUses;
  bool ok = equalUncached(local, a, b, depth);
  Proof proof;
  proof.ok = ok;
  proof.pass = pass;
  if (ok) {
    proof.residuals.append(trail.residuals.begin() + start.residuals,
                           trail.residuals.end());
    proof.assumptions.append(trail.assumptions.begin() + start.assumptions,
                             trail.assumptions.end());
    for (size_t i = start.picks; i < trail.picks.size(); ++i)
      proof.picks.push_back(
          {trail.picks[i], copiedPicks.lookup(trail.picks[i])});
  } else {
    rollBack(start);
  }
  if (uses == choiceUses && !hitLimit)
    equalMemo[key] = proof;
  return ok;
}

bool Comparer::Impl::equalUncached(const IndexContext &context, const Term *a,
                                   const Term *b, unsigned depth) {
  if (depth > options.maxOpenDepth) {
    hitLimit = true;
    return false;
  }
  bool applied = false;
  bool ok = byDigits(context, a, b, depth, applied);
  if (applied)
    return ok;
  Mark start = mark();
  if (descend(context, a, b, depth))
    return true;
  rollBack(start);
  // Guards of either side: split, then compare what is left in each cell.
  llvm::SmallPtrSet<const Term *, 16> seen;
  if (firstGuard(a, seen) || firstGuard(b, seen)) {
    const Term *both[] = {a, b};
    return forEachCell(
        context, both,
        [&](const IndexContext &c, llvm::ArrayRef<const Term *> x) {
          return equal(c, x[0], x[1], depth);
        });
  }
  ok = unfoldAndCompare(context, a, b, depth, applied);
  if (applied && ok)
    return true;
  rollBack(start);
  // These take any NaN for any other.
  if (terms.nanBitsAreRead && a->type().isFloat())
    return false;
  if (bySums(context, a, b, depth))
    return true;
  rollBack(start);
  if (applied)
    return false; // the unfolded pair tried the scalars already
  const Term *no = terms.mkBool(false);
  if (byScalars(context, {a, no}, {b, no}, depth))
    return true;
  rollBack(start);
  return fail(depth, [&] {
    return "source " + terms.print(a, 5) + "\ntarget " + terms.print(b, 5) +
           "\nfor " + context.str();
  });
}

/// A variable whose divisions form a chain becomes digits, on both sides at
/// once; the pair over the digits is equivalent.
bool Comparer::Impl::byDigits(const IndexContext &context, const Term *a,
                              const Term *b, unsigned depth, bool &applied) {
  llvm::SmallVector<IndexTerm, 16> polys;
  collectIndexTerms(a, polys);
  collectIndexTerms(b, polys);
  if (llvm::none_of(polys, [](IndexTerm p) { return p->hasDivision(); }))
    return false;
  llvm::SmallVector<const IndexAtom *, 8> vars;
  llvm::SmallPtrSet<const void *, 16> seen;
  occurrences(a, vars, seen);
  occurrences(b, vars, seen);
  for (const IndexAtom *v : vars) {
    auto [lo, hi] = context.range(v);
    if (v->kind != AtomKind::Var || !lo || !lo.isZero())
      continue;
    // Facts and ranges that mention v would have to be rewritten too.
    bool mentioned = llvm::any_of(context.facts(), [&](const GuardAtom &f) {
      return f.poly->hasLeaf(v);
    });
    for (const IndexAtom *w : vars) {
      auto [l, h] = context.range(w);
      mentioned |= l && (l->hasLeaf(v) || h->hasLeaf(v));
    }
    if (mentioned)
      continue;
    auto digits = digitsOf(terms.index(), context, v, hi + 1, polys);
    if (!digits)
      continue;
    IndexContext inside = context;
    for (auto [w, e] : llvm::zip(digits->vars, digits->extents))
      inside = inside.withExtent(w, e);
    inside = inside.assume(digits->guard);
    TermSubst subst;
    subst.index.set(v, digits->linear);
    applied = true;
    return equal(inside, terms.substitute(a, subst, inside),
                 terms.substitute(b, subst, inside), depth);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Structural descent
//===----------------------------------------------------------------------===//

bool Comparer::Impl::descend(const IndexContext &context, const Term *a,
                             const Term *b, unsigned depth) {
  // An index against a number.
  if ((a->kind() == TermKind::IndexValue && b->isConst()) ||
      (b->kind() == TermKind::IndexValue && a->isConst())) {
    const Term *value = a->isConst() ? b : a, *number = a->isConst() ? a : b;
    return equalIndex(context, value->indices()[0],
                      terms.index().constant(DynamicAPInt(number->bits())));
  }
  if (a->kind() != b->kind())
    return false;
  switch (a->kind()) {
  case TermKind::Read:
  case TermKind::PoisonRead:
    return equalReads(context, a, b, depth);
  case TermKind::IndexValue:
    return equalIndex(context, a->indices()[0], b->indices()[0]);
  case TermKind::Op:
    return equalOps(context, a, b, depth);
  case TermKind::App:
    return equalApps(context, a, b, depth);
  default:
    return false;
  }
}

bool Comparer::Impl::equalReads(const IndexContext &context, const Term *a,
                                const Term *b, unsigned depth) {
  if (a->base() != b->base() && !sameOpaque(a->base(), b->base(), depth))
    return false;
  for (auto [p, q] : llvm::zip(a->indices(), b->indices()))
    if (!equalIndex(context, p, q))
      return false;
  return true;
}

/// The same unknown function of tensors that refine each other element by
/// element.
bool Comparer::Impl::sameOpaque(const TensorBase *a, const TensorBase *b,
                                unsigned depth) {
  if (a->kind != TensorBase::Kind::Opaque ||
      b->kind != TensorBase::Kind::Opaque || a->name != b->name ||
      a->result != b->result || a->type != b->type || a->rank != b->rank ||
      a->operands.size() != b->operands.size())
    return false;
  for (auto [x, y] : llvm::zip(a->operands, b->operands)) {
    if (x.type != y.type || x.shape != y.shape ||
        !refines(ownContext(terms, x.shape), x.element, y.element, depth + 1))
      return false;
  }
  return true;
}

bool Comparer::Impl::copies(uint32_t source, uint32_t target) {
  auto [slot, isNew] = copiedPicks.try_emplace(source, target);
  if (isNew)
    trail.picks.push_back(source);
  return slot->second == target;
}

/// Fast-math flags of the source allow more results than none: the target may
/// have fewer of them.
bool Comparer::Impl::attrsRefine(const ScalarAttrs &s, const ScalarAttrs &t,
                                 const Term *a, const Term *b) {
  ScalarAttrs x = s, y = t;
  x.fastMath = y.fastMath = 0;
  x.pick = y.pick = 0;
  if (!(x == y) || (t.fastMath & ~s.fastMath) != 0)
    return false;
  if (s.pick == t.pick)
    return true;
  // An operation that shares its name with one of the target copies that one.
  if (s.pick <= options.targetPicks)
    return false;
  // Its execution must tell which of the target's it copies.
  if (t.pick) {
    llvm::SmallVector<IndexTerm, 8> vars;
    for (const IndexAtom *v : b->leaves())
      if (v->kind == AtomKind::Var)
        vars.push_back(v->term);
    if (!determines(a, vars))
      return false;
  }
  return copies(s.pick, t.pick);
}

bool Comparer::Impl::equalOps(const IndexContext &context, const Term *a,
                              const Term *b, unsigned depth) {
  if (a->op() != b->op() || a->operands().size() != b->operands().size() ||
      !attrsRefine(a->attrs(), b->attrs(), a, b))
    return false;
  auto pairwise = [&](bool swap) {
    llvm::SmallVector<const Term *, 4> x(a->operands()), y(b->operands());
    if (swap)
      std::swap(y[0], y[1]);
    for (auto [p, q] : llvm::zip(x, y))
      if (p->type() != q->type())
        return false;
    for (auto [p, q] : llvm::zip(x, y))
      if (!equal(context, p, q, depth))
        return false;
    return true;
  };
  Mark start = mark();
  bool commutes = isCommutative(a->op(), a->attrs());
  // Where the first operands cross, begin with the exchanged order.
  bool crossed = commutes && (a->operands()[0] == b->operands()[1] ||
                              a->operands()[1] == b->operands()[0]);
  if (pairwise(crossed))
    return true;
  rollBack(start);
  if (!commutes)
    return false;
  if (pairwise(!crossed))
    return true;
  rollBack(start);
  return false;
}

/// Source[idx] is unspecified: choose the function vars -> value once, if idx
/// are distinct variables and the value depends on nothing else; later reads
/// must agree with the choice.
bool Comparer::Impl::chooseFor(const Term *read, const Term *value) {
  ++choiceUses;
  llvm::SmallVector<IndexTerm, 4> vars;
  for (IndexTerm i : read->indices().drop_front(read->base()->elementRank)) {
    if (i.isConstant() && i.isZero()) {
      vars.push_back(i); // a unit dimension
      continue;
    }
    if (!i.isAtom(AtomKind::Var) || llvm::is_contained(vars, i))
      return false;
    vars.push_back(i);
  }
  auto it = choices.find(read->base());
  if (it != choices.end()) {
    TermSubst subst;
    for (auto [from, to] : llvm::zip(it->second.vars, vars)) {
      if (from.isConstant() != to.isConstant())
        return false;
      if (!from.isConstant() && from != to)
        subst.index.set(from, to);
    }
    return terms.substitute(it->second.value, subst, terms.emptyContext()) ==
           value;
  }
  for (const IndexAtom *l : value->leaves())
    if (l->kind == AtomKind::Var && !llvm::is_contained(vars, l->term))
      return false;
  choices[read->base()] = {vars, value};
  trail.choices.push_back(read->base());
  return true;
}

/// One level of names on the side(s) that have them: a name is the value of its
/// body.
bool Comparer::Impl::unfoldAndCompare(const IndexContext &context,
                                      const Term *a, const Term *b,
                                      unsigned depth, bool &applied) {
  NamingOff off(terms);
  const Term *x = terms.unfold(a, context), *y = terms.unfold(b, context);
  if (!x && !y)
    return false;
  applied = true;
  return equal(context, x ? x : a, y ? y : b, depth);
}
