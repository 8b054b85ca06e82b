//===- TermRewrite.cpp - Substitution and rebuilding ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Substitution rewrites arguments and never goes under a binder. Guards are
/// decided again in the context of the place where the result is used, each
/// branch under what its guard says.
///
//===----------------------------------------------------------------------===//

#include "TermContextImpl.h"
#include "panpipe/TV/Term/FoldDomain.h"
#include "panpipe/TV/Term/Term.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

namespace panpipe::tv {
/// One substitution (or, with `force`, one rebuilding).
class TermRewriter {
public:
  TermRewriter(TermContext &terms, const TermSubst &subst, bool force)
      : terms(terms), subst(subst), force(force) {}
  using Memo = llvm::DenseMap<const Term *, const Term *>;

  const Term *run(const Term *t, const IndexContext &context, Memo &memo) {
    if (!touches(t))
      return t;
    auto it = memo.find(t);
    if (it != memo.end())
      return it->second;
    const Term *result = rewrite(t, context, memo);
    memo[t] = result;
    return result;
  }

private:
  bool touches(const Term *t) const {
    if (t->hasElemParams() &&
        (!subst.elemParams.empty() || !subst.accs.empty()))
      return true;
    if (force)
      return !t->leaves().empty();
    return llvm::any_of(t->leaves(), [&](const IndexAtom *a) {
      return bool(subst.index.lookup(a));
    });
  }
  IndexTerm rewrite(IndexTerm p, const IndexContext &context) const {
    return force ? context.rebuild(p) : context.substitute(p, subst.index);
  }
  const Term *rewrite(const Term *t, const IndexContext &context, Memo &memo);
  const Term *rewriteIte(const Term *t, const IndexContext &context,
                         Memo &memo);

  TermContext &terms;
  const TermSubst &subst;
  bool force;
};
} // namespace panpipe::tv

const Term *TermRewriter::rewrite(const Term *t, const IndexContext &context,
                                  Memo &memo) {
  if (t->kind() == TermKind::Ite)
    return rewriteIte(t, context, memo);
  if (t->kind() == TermKind::ElemParam && t->symbol() < subst.elemParams.size())
    return subst.elemParams[t->symbol()];
  if (t->kind() == TermKind::Acc && t->symbol() < subst.accs.size())
    return subst.accs[t->symbol()];
  llvm::SmallVector<IndexTerm, 8> indices;
  llvm::SmallVector<const Term *, 4> operands;
  bool changed = false;
  for (IndexTerm i : t->indices()) {
    indices.push_back(rewrite(i, context));
    changed |= indices.back() != i;
  }
  for (const Term *o : t->operands()) {
    operands.push_back(run(o, context, memo));
    changed |= operands.back() != o;
  }
  if (!changed)
    return t;
  switch (t->kind()) {
  case TermKind::Read:
    return terms.mkRead(t->base(), indices);
  case TermKind::PoisonRead:
    return terms.mkPoisonRead(t->base(), indices);
  case TermKind::IndexValue:
    return terms.mkIndexValue(t->type(), indices[0]);
  case TermKind::Op:
    return terms.mkOp(t->op(), t->attrs(), t->type(), operands);
  case TermKind::App:
    return terms.mkApp(t->closure(), indices, operands);
  default:
    return t;
  }
}

const Term *TermRewriter::rewriteIte(const Term *t, const IndexContext &context,
                                     Memo &memo) {
  Guard guard;
  for (GuardAtom g : t->guard()) {
    g.poly = rewrite(g.poly, context);
    auto known = context.decide(g);
    if (known == true)
      continue;
    if (known == false)
      return run(t->operands()[1], context, memo);
    guard.push_back(g);
  }
  if (guard.empty())
    return run(t->operands()[0], context, memo);
  IndexContext inside = context.assume(guard);
  if (inside.isContradictory())
    return run(t->operands()[1], context, memo);
  Memo thenMemo;
  const Term *thenTerm = run(t->operands()[0], inside, thenMemo);
  const Term *elseTerm = nullptr;
  if (guard.size() == 1 && !guard[0].isEquality) {
    IndexContext outside = context.assume(geZero(-guard[0].poly - 1));
    Memo elseMemo;
    elseTerm = run(t->operands()[1], outside, elseMemo);
  } else {
    elseTerm = run(t->operands()[1], context, memo);
  }
  return terms.mkIte(guard, thenTerm, elseTerm, context);
}

const Term *TermContext::substitute(const Term *term, const TermSubst &subst,
                                    const IndexContext &context) {
  TermRewriter::Memo memo;
  return TermRewriter(*this, subst, false).run(term, context, memo);
}

const Term *TermContext::rebuild(const Term *term,
                                 const IndexContext &context) {
  TermSubst none;
  TermRewriter::Memo memo;
  return TermRewriter(*this, none, true).run(term, context, memo);
}

const Term *TermContext::unfold(const Term *app, const IndexContext &context) {
  if (app->kind() != TermKind::App ||
      app->closure()->kind != Closure::Kind::Map)
    return nullptr;
  TermSubst subst;
  for (auto [i, arg] : llvm::enumerate(app->indices()))
    subst.index.set(index().param(i), arg);
  subst.elemParams = app->operands();
  return substitute(app->closure()->body(), subst, context);
}

//===----------------------------------------------------------------------===//
// Lifting
//===----------------------------------------------------------------------===//

bool Lifter::isBound(const IndexAtom *a) const {
  if (a->kind == AtomKind::FloorDiv)
    return isBound(a->num) || isBound(a->den);
  return llvm::is_contained(bound, a);
}
bool Lifter::isBound(IndexTerm p) const {
  return llvm::any_of(p->leaves(), [&](const IndexAtom *a) {
    return llvm::is_contained(bound, a);
  });
}
bool Lifter::isBound(const Term *t) const {
  return llvm::any_of(t->leaves(), [&](const IndexAtom *a) {
    return llvm::is_contained(bound, a);
  });
}

/// One parameter for all polynomials that differ by sign and a constant only:
/// the first one is the argument, the others are ±parameter + c in the key. An
/// offset of the whole (a slice, a microbatch) does not show; without this, a
/// stack of padded layers has one more argument per layer and guard.
IndexTerm Lifter::param(IndexTerm p) {
  IndexManager &m = terms.index();
  if (p.isConstant()) {
    IndexTerm &slot = params[p];
    if (!slot) {
      slot = m.param(indexArgs.size());
      indexArgs.push_back(p);
    }
    return slot;
  }
  // p = sign·form + c, and the argument is a = s·form + d for this form. So
  // p = sign·s·(a - d) + c.
  IndexTerm c = m.constant(p->constantPart());
  IndexTerm form = p - c;
  bool negative = form->summands().front().coefficient < 0;
  if (negative)
    form = -form;
  auto [it, isNew] = params.try_emplace(form);
  if (isNew) {
    it->second = m.param(indexArgs.size());
    indexArgs.push_back(p);
    return it->second;
  }
  IndexTerm a = it->second;
  IndexTerm argument = indexArgs[a->asAtom()->number];
  IndexTerm d = m.constant(argument->constantPart());
  bool argumentNegative = (argument - d) != form;
  return (negative == argumentNegative ? a - d : d - a) + c;
}

const Term *Lifter::elemParam(const Term *t) {
  const Term *&slot = elems[t];
  if (!slot) {
    slot = terms.mkElemParam(t->type(), elemArgs.size());
    elemArgs.push_back(t);
  }
  return slot;
}

/// Splits p into a part free of the bound atoms, which becomes one parameter
/// (none if it is 0), and the rest, whose free factors become parameters.
IndexTerm Lifter::lift(IndexTerm p) {
  if (named || !isBound(p))
    return param(p);
  IndexManager &m = terms.index();
  llvm::SmallVector<IndexSummand, 6> freePart;
  IndexTerm result = m.constant(0);
  for (const IndexSummand &s : p->summands()) {
    llvm::SmallVector<const IndexAtom *, 4> factors;
    bool any = false;
    for (const IndexAtom *a : s.monomial->atoms)
      any |= isBound(a);
    if (!any) {
      freePart.push_back(s);
      continue;
    }
    IndexTerm product = m.constant(s.coefficient);
    for (const IndexAtom *a : s.monomial->atoms) {
      if (a->kind == AtomKind::FloorDiv && isBound(a)) {
        bool dimsOnly = llvm::all_of(a->den->leaves(), [](const IndexAtom *x) {
          return x->kind == AtomKind::Dim;
        });
        product = product *
                  m.rawFloorDiv(lift(a->num), dimsOnly ? a->den : lift(a->den));
      } else if (isBound(a) || a->kind == AtomKind::Dim) {
        product = product * a->term;
      } else {
        factors.push_back(a);
      }
    }
    if (!factors.empty())
      product =
          product * param(m.fromMonomial(m.monomial(factors), DynamicAPInt(1)));
    result = result + product;
  }
  IndexTerm f = m.fromSummands(std::move(freePart));
  return f.isZero() ? result : result + param(f);
}

/// Sees only what depends on the bound atoms: offsets, strides of outer
/// variables and the order of creation must not decide the order of operands.
uint64_t Lifter::boundKey(IndexTerm p) {
  uint64_t key = 0;
  for (const IndexSummand &s : p->summands()) {
    uint64_t h = hashOf(s.coefficient);
    bool any = false;
    for (const IndexAtom *a : s.monomial->atoms) {
      if (!isBound(a)) {
        if (a->kind == AtomKind::Dim)
          h += mixHash(3, a->number);
        continue;
      }
      any = true;
      h += a->kind == AtomKind::FloorDiv
               ? mixHash(boundKey(a->num), a->den->structuralHash())
               : mixHash(5, a->number);
    }
    if (any)
      key += mixHash(7, h); // a sum: the order of summands is no matter
  }
  return key;
}

uint64_t Lifter::boundKey(const Term *t) {
  if (!isBound(t))
    return mixHash(11, t->isConst() ? t->shapeHash() : hashOf(t->type()));
  auto it = keys.find(t);
  if (it != keys.end())
    return it->second;
  uint64_t h = mixHash(unsigned(t->kind()), hashOf(t->type()));
  h = mixHash(h, t->base() ? t->base()->id : 0);
  h = mixHash(h, t->closure() ? closureShape(*t->closure()) : 0);
  h = mixHash(h, mixHash(unsigned(t->op()), hashOf(t->attrs())));
  for (IndexTerm i : t->indices())
    h = mixHash(h, boundKey(i));
  for (GuardAtom g : t->guard())
    h = mixHash(h, boundKey(g.poly) * 2 + g.isEquality);
  llvm::SmallVector<uint64_t, 4> children;
  for (const Term *o : t->operands())
    children.push_back(boundKey(o));
  if (t->kind() == TermKind::Op && isCommutative(t->op(), t->attrs()) &&
      children[0] > children[1])
    std::swap(children[0], children[1]);
  for (uint64_t c : children)
    h = mixHash(h, c);
  keys[t] = h;
  return h;
}

uint64_t panpipe::tv::occurrenceKey(TermContext &terms, const Term *term,
                                    const IndexAtom *var) {
  // Named as Bound 0 whatever its number.
  TermSubst subst;
  IndexTerm b = terms.index().bound(0);
  subst.index.set(var, b);
  return Lifter(terms, {b->asAtom()}, false)
      .boundKey(terms.substitute(term, subst, terms.emptyContext()));
}

const Term *Lifter::liftOp(const Term *t) {
  llvm::SmallVector<const Term *, 4> operands(t->operands());
  if (!named && isCommutative(t->op(), t->attrs()) &&
      boundKey(operands[0]) > boundKey(operands[1]))
    std::swap(operands[0], operands[1]);
  for (const Term *&o : operands)
    o = lift(o);
  return terms.mkRawOp(t->op(), t->attrs(), t->type(), operands);
}

const Term *Lifter::lift(const Term *t) {
  if (t->isConst())
    return t;
  auto it = memo.find(t);
  if (it != memo.end())
    return it->second;
  const Term *result = nullptr;
  llvm::SmallVector<IndexTerm, 8> indices;
  llvm::SmallVector<const Term *, 4> operands;
  if (t->kind() == TermKind::IndexValue) {
    result = terms.mkIndexValue(t->type(), lift(t->indices()[0]));
  } else if (t->kind() == TermKind::Acc && !named) {
    result = t; // bound by the step closure that is being made
  } else if (t->kind() == TermKind::ElemParam || t->kind() == TermKind::Acc ||
             (!named && !isBound(t) && !t->hasElemParams())) {
    result = elemParam(t);
  } else if (t->kind() == TermKind::Op) {
    result = liftOp(t);
  } else if (t->kind() == TermKind::Ite) {
    Guard guard;
    for (GuardAtom g : t->guard())
      guard.push_back(lift(g));
    result = terms.mkIte(guard, lift(t->operands()[0]), lift(t->operands()[1]),
                         terms.emptyContext());
  } else {
    for (IndexTerm i : t->indices())
      indices.push_back(lift(i));
    for (const Term *o : t->operands())
      operands.push_back(lift(o));
    switch (t->kind()) {
    case TermKind::Read:
      result = terms.mkRead(t->base(), indices);
      break;
    case TermKind::PoisonRead:
      result = terms.mkPoisonRead(t->base(), indices);
      break;
    case TermKind::App:
      result = terms.mkApp(t->closure(), indices, operands);
      break;
    default: // Symbol
      result = t;
    }
  }
  memo[t] = result;
  return result;
}

const Term *TermContext::nameTerm(const Term *term) {
  if (term->depth() == 0 && term->kind() != TermKind::Ite)
    return term;
  Lifter lifter(*this, {}, /*named=*/true);
  Closure c;
  c.kind = Closure::Kind::Map;
  c.type = term->type();
  c.bodies.push_back(lifter.lift(term));
  c.numIndexParams = lifter.indexArgs.size();
  for (const Term *a : lifter.elemArgs)
    c.elemParams.push_back(a->type());
  return mkApp(internClosure(std::move(c)), lifter.indexArgs, lifter.elemArgs);
}
