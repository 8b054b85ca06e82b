//===- LoopRules.cpp - Closed forms of loops ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules for one tensor (or block, or scalar) that a loop changes, from
/// next = guard ? update : before at iteration t. Each names its condition.
///
//===----------------------------------------------------------------------===//

#include "LoopSummary.h"

#include "panpipe/TV/Term/FoldDomain.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

//===----------------------------------------------------------------------===//
// Reads of the state of other iterations
//===----------------------------------------------------------------------===//

namespace {
/// Looks for a base in terms and closures.
class Mention {
public:
  explicit Mention(const TensorBase *base) : base(base) {}
  bool in(const Term *term) {
    if (!term->hasState() || !seen.insert(term).second)
      return false;
    if (term->base() == base)
      return true;
    if (term->base())
      for (const TensorBase::Operand &o : term->base()->operands)
        if (in(o.element.value) || in(o.element.poison))
          return true;
    if (const Closure *closure = term->closure())
      for (auto list : {ArrayRef(closure->bodies), ArrayRef(closure->inits)})
        for (const Term *part : list)
          if (in(part))
            return true;
    return llvm::any_of(term->operands(), [&](const Term *o) { return in(o); });
  }

private:
  const TensorBase *base;
  llvm::DenseSet<const Term *> seen;
};
} // namespace

bool LoopSummary::mentions(const Term *term, const TensorBase *base) {
  return Mention(base).in(term);
}

/// Replaces reads of the loop's state by what they read. Null where that is
/// not known.
class LoopSummary::Replacer {
public:
  Replacer(LoopSummary &loop, ArrayRef<Own> own) : loop(loop), own(own) {}

  const Term *run(const Term *term, const IndexContext &context) {
    if (!term->hasState())
      return term;
    auto [it, isNew] = memo.try_emplace({term, context.key()}, nullptr);
    if (!isNew)
      return it->second;
    const Term *result = rewrite(term, context);
    memo[{term, context.key()}] = result;
    return result;
  }

private:
  const Term *rewrite(const Term *term, const IndexContext &context);
  const Term *rewriteIte(const Term *term, const IndexContext &context);
  const Term *read(const Term *term, const IndexContext &context);

  LoopSummary &loop;
  ArrayRef<Own> own;
  llvm::DenseMap<std::pair<const Term *, const void *>, const Term *> memo;
};

/// The two lists are equal wherever the context holds.
static bool sameIndices(ArrayRef<IndexTerm> a, ArrayRef<IndexTerm> b,
                        const IndexContext &context) {
  Guard facts = context.facts();
  return llvm::all_of(llvm::zip_equal(a, b), [&](auto pair) {
    auto [p, q] = pair;
    if (p == q || context.provablyEqual(p, q))
      return true;
    GuardAtom equal = eqZero(p - q).normalized();
    return llvm::any_of(facts, [&](const GuardAtom &fact) {
      return fact.normalized() == equal;
    });
  });
}

const Term *LoopSummary::Replacer::read(const Term *term,
                                        const IndexContext &context) {
  Slot *slot = loop.slotOf(term->base());
  if (!slot) {
    // A loop around this one; its reads are left alone.
    return term->base()->kind == TensorBase::Kind::State ? term : nullptr;
  }
  bool isValue = term->kind() == TermKind::Read;
  auto part = [&](Element e) { return isValue ? e.value : e.poison; };
  if (slot->changed) {
    Element before = loop.before(*slot);
    bool isOwn = sameIndices(term->indices(), before.value->indices(), context);
    for (const Own &o : own)
      if (o.slot == slot && isOwn)
        return part(o.by);
    if (slot->atStart)
      return part(*slot->atStart);
    if (!loop.isUnwritten(*slot, term->indices(), context))
      return nullptr;
  }
  return part(loop.initAt(*slot, term->indices(), context));
}

const Term *LoopSummary::Replacer::rewriteIte(const Term *term,
                                              const IndexContext &context) {
  IndexContext yesContext = context.assume(term->guard());
  if (yesContext.isContradictory())
    return run(term->operands()[1], context);
  IndexContext noContext = context;
  if (term->guard().size() == 1 && !term->guard()[0].isEquality)
    noContext = context.assume(geZero(-term->guard()[0].poly - 1));
  const Term *yes = run(term->operands()[0], yesContext);
  const Term *no = run(term->operands()[1], noContext);
  if (!yes || !no)
    return nullptr;
  return loop.terms.mkIte(term->guard(), yes, no, context);
}

const Term *LoopSummary::Replacer::rewrite(const Term *term,
                                           const IndexContext &context) {
  TermContext &terms = loop.terms;
  if (term->base())
    return read(term, context);
  if (term->kind() == TermKind::Ite)
    return rewriteIte(term, context);
  if (const Closure *closure = term->closure()) {
    bool inside = false;
    for (const Slot &slot : loop.slots)
      for (auto list : {ArrayRef(closure->bodies), ArrayRef(closure->inits)})
        for (const Term *part : list)
          inside |= part->hasState() && loop.mentions(part, slot.base);
    if (inside) {
      const Term *unfolded = terms.unfold(term, context);
      return unfolded ? run(unfolded, context) : nullptr;
    }
  }
  SmallVector<const Term *, 4> operands;
  for (const Term *operand : term->operands()) {
    const Term *replaced = run(operand, context);
    if (!replaced)
      return nullptr;
    operands.push_back(replaced);
  }
  if (term->kind() == TermKind::Op)
    return terms.mkOp(term->op(), term->attrs(), term->type(), operands);
  if (term->kind() == TermKind::App)
    return terms.mkApp(term->closure(), term->indices(), operands);
  return nullptr;
}

std::optional<Element> LoopSummary::replace(Element element, ArrayRef<Own> own,
                                            const IndexContext &context) {
  Replacer replacer(*this, own);
  const Term *value = replacer.run(element.value, context);
  const Term *poison = value ? replacer.run(element.poison, context) : nullptr;
  if (!poison)
    return std::nullopt;
  return Element{value, poison};
}

Element LoopSummary::initAt(const Slot &slot, ArrayRef<IndexTerm> at,
                            const IndexContext &context) {
  return readElement(terms, slot.init, at, context);
}

/// No iteration before t writes element `at`.
bool LoopSummary::isUnwritten(const Slot &slot, ArrayRef<IndexTerm> at,
                              const IndexContext &context) {
  IndexTerm earlier = terms.index().freshVar();
  IndexSubst subst;
  subst.set(t, earlier);
  for (auto [dim, index] : llvm::enumerate(at))
    subst.set(terms.ownIndex(dim), index);
  IndexContext where = context.withExtent(earlier, spec.trips);
  Guard guard = {geZero(t - 1 - earlier)};
  for (GuardAtom atom : slot.guard) {
    atom.poly = where.substitute(atom.poly, subst);
    if (where.decide(atom) == false)
      return true;
    guard.push_back(atom.normalized());
  }
  if (where.assume(guard).isContradictory())
    return true;
  return e.shared.oracle && e.shared.oracle->isEmpty(where, guard) == true;
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

std::optional<Element> tv::asContribution(TermContext &terms, Element step,
                                          ArrayRef<const Term *> accs,
                                          unsigned own,
                                          const IndexContext &context,
                                          FoldSpec &spec) {
  const Term *value = step.value, *self = accs[own];
  if (value->kind() != TermKind::Op || value->operands().size() != 2)
    return std::nullopt;
  unsigned position = value->operands()[0] == self ? 0 : 1;
  const Term *other = value->operands()[1 - position];
  if (value->operands()[position] != self || other->hasElemParams() ||
      other->type() != value->type() ||
      (position == 1 && !isCommutative(value->op(), value->attrs())))
    return std::nullopt;
  // Poison must be "acc is poison, or something that knows nothing of acc".
  auto withPoison = [&](bool poison) {
    SmallVector<const Term *> replaced(accs);
    replaced[own + 1] = terms.mkBool(poison);
    TermSubst subst;
    subst.accs = replaced;
    return terms.substitute(step.poison, subst, context);
  };
  const Term *rest = withPoison(false);
  if (rest->hasElemParams() || !withPoison(true)->isTrue())
    return std::nullopt;
  spec.op = value->op();
  spec.attrs = value->attrs();
  return Element{other, rest};
}

/// The domain of a fold application opened inside of another domain: the points
/// of both, outer ones first. Nothing if its extents move with the outer ones.
static std::optional<OpenedFold> openWithin(TermContext &terms, const Term *app,
                                            const FoldSpec &outer,
                                            const IndexContext &within) {
  if (app->kind() != TermKind::App ||
      app->closure()->kind != Closure::Kind::Fold)
    return std::nullopt;
  SmallVector<IndexTerm, 4> vars;
  for (unsigned k = 0; k < app->closure()->extents.size(); ++k)
    vars.push_back(terms.index().freshVar());
  OpenedFold open = openFold(terms, app, vars, within);
  for (IndexTerm extent : open.extents)
    for (IndexTerm var : outer.vars)
      if (extent->hasLeaf(var->asAtom()))
        return std::nullopt;
  return open;
}

static FoldSpec concatenated(FoldSpec outer, const OpenedFold &inner) {
  outer.vars.append(inner.vars.begin(), inner.vars.end());
  outer.extents.append(inner.extents.begin(), inner.extents.end());
  outer.guard.append(inner.guard.begin(), inner.guard.end());
  return outer;
}

/// mkFold; where the body is itself a fold of this order-free operation from
/// its identity, over both domains.
static const Term *foldOver(TermContext &terms, const IndexContext &context,
                            const FoldSpec &spec, const Term *body,
                            const Term *init) {
  auto identity = identityOf(spec.op, body->type());
  if (isOrderFree(spec.op) && identity)
    if (auto open = openWithin(terms, body, spec, foldContext(context, spec)))
      if (body->closure()->op == spec.op &&
          body->closure()->attrs == spec.attrs &&
          open->inits[0] == terms.mkConst(body->type(), *identity))
        return mkFold(terms, context, concatenated(spec, *open),
                      open->bodies[0], init);
  return mkFold(terms, context, spec, body, init);
}

/// A reduction that starts from the accumulator: its points follow those of the
/// iterations before, so both are one domain, in order.
std::optional<Element>
LoopSummary::foldConcatenated(const IndexContext &context, const FoldSpec &fold,
                              Element step, Element init) {
  IndexContext within = foldContext(context, fold);
  auto open = openWithin(terms, step.value, fold, within);
  if (!open || open->inits[0] != terms.mkAcc(step.value->type(), 0) ||
      open->bodies[0]->hasElemParams())
    return std::nullopt;
  auto withPoison = [&](bool poison) {
    SmallVector<const Term *> accs = {open->inits[0], terms.mkBool(poison)};
    TermSubst subst;
    subst.accs = accs;
    return terms.substitute(step.poison, subst, within);
  };
  const Term *own = withPoison(false);
  if (own->hasElemParams() || !withPoison(true)->isTrue())
    return std::nullopt;
  FoldSpec poison = fold, nested = concatenated(fold, *open);
  poison.op = ScalarOp::OrI;
  nested.op = step.value->closure()->op;
  nested.attrs = step.value->closure()->attrs;
  return Element{mkFold(terms, context, nested, open->bodies[0], init.value),
                 foldOver(terms, context, poison, own, init.poison)};
}

/// The state after `trips` iterations of step, a function of Acc 0 and Acc 1.
/// In `context`; empty loops give `init` by the meaning of folds.
std::optional<Element> LoopSummary::foldStep(const IndexContext &context,
                                             Element step, Element init,
                                             IndexTerm trips) {
  FoldSpec fold;
  fold.location = toText(spec.op->getLoc());
  fold.vars.push_back(t);
  fold.extents.push_back(trips);
  const Term *acc = terms.mkAcc(step.value->type(), 0);
  const Term *accPoison = terms.mkAcc(ScalarType::boolean(), 1);
  IndexContext within = foldContext(context, fold);
  FoldSpec kind = fold;
  if (auto own =
          asContribution(terms, step, {acc, accPoison}, 0, within, kind)) {
    FoldSpec poison = fold;
    poison.op = ScalarOp::OrI;
    return Element{foldOver(terms, context, kind, own->value, init.value),
                   foldOver(terms, context, poison, own->poison, init.poison)};
  }
  if (auto nested = foldConcatenated(context, fold, step, init))
    return nested;
  auto last = mkStepFold(terms, context, fold, {step.value, step.poison},
                         {init.value, init.poison});
  return Element{last[0], last[1]};
}

/// `some` if the loop runs at all.
Element LoopSummary::afterTrips(Element some, Element none,
                                const IndexContext &context) {
  return terms.mkIte(geZero(spec.trips - 1), some, none, context);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

bool LoopSummary::foldScalarGroup(ArrayRef<Slot *> group, IndexTerm trips,
                                  SmallVectorImpl<Element> &results) {
  SmallVector<Own> own;
  for (auto [k, slot] : llvm::enumerate(group))
    own.push_back({slot,
                   {terms.mkAcc(slot->init.type, 2 * k),
                    terms.mkAcc(ScalarType::boolean(), 2 * k + 1)}});
  SmallVector<const Term *> steps, inits;
  for (Slot *slot : group) {
    std::optional<Element> step = replace(slot->next, own, *inside);
    if (!step)
      return fail("a carried scalar depends on what other iterations wrote");
    steps.append({step->value, step->poison});
    inits.append({slot->init.element.value, slot->init.element.poison});
  }
  if (group.size() == 1) {
    results.push_back(*foldStep(e.current, {steps[0], steps[1]},
                                {inits[0], inits[1]}, trips));
    return true;
  }
  FoldSpec fold;
  fold.location = toText(spec.op->getLoc());
  fold.vars.push_back(t);
  fold.extents.push_back(trips);
  auto last = mkStepFold(terms, e.current, fold, steps, inits);
  for (unsigned k = 0; k < group.size(); ++k)
    results.push_back({last[2 * k], last[2 * k + 1]});
  return true;
}

/// Carried scalars: a fold over the iterations, all that need each other
/// together.
bool LoopSummary::foldScalars() {
  SmallVector<SmallVector<Slot *>> groups;
  SmallVector<Slot *> together;
  for (Slot &slot : slots) {
    if (slot.kind != Slot::Kind::Scalar || !slot.changed)
      continue;
    bool alone = true;
    for (Slot &other : slots)
      if (&other != &slot && other.changed &&
          (mentions(slot.next.value, other.base) ||
           mentions(slot.next.poison, other.base)))
        alone = false;
    if (alone)
      groups.push_back({&slot});
    else
      together.push_back(&slot);
  }
  // Those that depend on others are folded with all others.
  if (!together.empty()) {
    for (auto &group : groups)
      together.append(group.begin(), group.end());
    groups = {together};
  }
  for (ArrayRef<Slot *> group : groups) {
    SmallVector<Element> results, starts;
    if (!foldScalarGroup(group, spec.trips, results))
      return false;
    IndexTerm number = t;
    IndexTerm outerT = t;
    // The value at the start of iteration t: the fold over those before.
    t = terms.index().freshVar();
    SmallVector<Element> saved;
    IndexSubst rename;
    rename.set(outerT, t);
    for (Slot *slot : group) {
      saved.push_back(slot->next);
      TermSubst subst;
      subst.index = rename;
      slot->next = terms.substitute(slot->next, subst,
                                    inside->withExtent(t, spec.trips));
    }
    IndexContext outerInside = *inside;
    inside = inside->withExtent(t, spec.trips);
    IndexContext outerCurrent = e.current;
    e.current = outerInside;
    bool ok = foldScalarGroup(group, number, starts);
    e.current = outerCurrent;
    inside = outerInside;
    t = outerT;
    for (auto [k, slot] : llvm::enumerate(group)) {
      slot->next = saved[k];
      slot->result = slot->init;
      slot->result.element =
          afterTrips(results[k], slot->init.element, e.current);
    }
    if (!ok)
      return false;
    for (auto [k, slot] : llvm::enumerate(group))
      slot->atStart = starts[k];
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The only iteration in which `guard` can hold, as a function of the rest:
/// an equation k·t + rest = 0, or bounds c·t + a <= Y <= c·t + b that are less
/// than c apart, which leaves floor((Y - a) / c).
static IndexTerm onlyIteration(ArrayRef<GuardAtom> guard, const IndexAtom *t,
                               const IndexContext &context) {
  for (const GuardAtom &atom : guard) {
    auto split = splitLinear(atom.poly, t);
    if (!atom.isEquality || !split || split->coefficient.isZero())
      continue;
    IndexTerm k = split->coefficient, rest = split->rest;
    if (k.isConstant() && *k.constant() < 0) {
      k = -k;
      rest = -rest;
    }
    if (IndexManager::isDivisor(k) && context.nonneg(k - 1))
      return context.floorDiv(-rest, k);
  }
  for (const GuardAtom &low : guard)
    for (const GuardAtom &high : guard) {
      if (low.isEquality || high.isEquality)
        continue;
      auto p = splitLinear(low.poly, t), q = splitLinear(high.poly, t);
      if (!p || !q || p->coefficient.isZero() ||
          p->coefficient != -q->coefficient)
        continue;
      IndexTerm c = q->coefficient; // low: rest - c·t, high: c·t + rest
      if (!IndexManager::isDivisor(c) || !context.nonneg(c - 1) ||
          !context.nonneg(c - 1 - (p->rest + q->rest)))
        continue;
      return context.floorDiv(p->rest, c);
    }
  return IndexTerm();
}

/// At most one iteration writes an element: it found the initial contents
/// there.
bool LoopSummary::oneWriter(Slot &slot, bool &applies) {
  applies = false;
  IndexContext context = ownContext(terms, slot.init.shape);
  IndexTerm writer = onlyIteration(slot.guard, t->asAtom(), context);
  if (!writer)
    return false;
  applies = true;
  IndexContext within = context.withExtent(t, spec.trips).assume(slot.guard);
  IndexList at;
  for (unsigned dim = 0; dim < slot.init.rank(); ++dim)
    at.push_back(terms.ownIndex(dim));
  Own own{&slot, initAt(slot, at, within)};
  std::optional<Element> update = replace(slot.update, own, within);
  if (!update)
    return fail("an iteration reads what another one may have written");
  Guard guard = {geZero(writer), geZero(spec.trips - 1 - writer)};
  IndexContext some = context.assume(guard);
  TermSubst subst;
  subst.index.set(t, writer);
  for (GuardAtom atom : slot.guard) {
    atom.poly = some.substitute(atom.poly, subst.index);
    guard.push_back(atom.normalized());
  }
  some = some.assume(guard);
  Element last = terms.substitute(*update, subst, some);
  slot.result = slot.init;
  slot.result.element = terms.mkIte(guard, last, slot.init.element, context);
  return true;
}

/// Every iteration writes the same elements and reads none of them: the last
/// one counts.
bool LoopSummary::lastIteration(Slot &slot) {
  for (const GuardAtom &atom : slot.guard)
    if (atom.poly->hasLeaf(t->asAtom()))
      return false;
  if (mentions(slot.update.value, slot.base) ||
      mentions(slot.update.poison, slot.base))
    return false;
  IndexContext context = ownContext(terms, slot.init.shape);
  IndexContext within = context.withExtent(t, spec.trips).assume(slot.guard);
  std::optional<Element> update = replace(slot.update, {}, within);
  if (!update)
    return fail("an iteration reads what another one may have written");
  Guard guard(slot.guard.begin(), slot.guard.end());
  guard.push_back(geZero(spec.trips - 1));
  TermSubst subst;
  subst.index.set(t, spec.trips - 1);
  Element last = terms.substitute(*update, subst, context.assume(guard));
  slot.result = slot.init;
  slot.result.element = terms.mkIte(guard, last, slot.init.element, context);
  return true;
}

/// Each element depends on itself only: a fold over the iterations.
bool LoopSummary::accumulate(Slot &slot) {
  bool fixed = llvm::none_of(slot.guard, [&](const GuardAtom &atom) {
    return atom.poly->hasLeaf(t->asAtom());
  });
  IndexContext context = ownContext(terms, slot.init.shape);
  if (fixed)
    context = context.assume(slot.guard);
  IndexContext within = context.withExtent(t, spec.trips);
  Own own{
      &slot,
      {terms.mkAcc(slot.init.type, 0), terms.mkAcc(ScalarType::boolean(), 1)}};
  std::optional<Element> step =
      replace(fixed ? slot.update : slot.next, own, within);
  if (!step)
    return fail("an iteration reads what another one may have written");
  IndexList at;
  for (unsigned dim = 0; dim < slot.init.rank(); ++dim)
    at.push_back(terms.ownIndex(dim));
  Element init = initAt(slot, at, context);
  std::optional<Element> folded = foldStep(context, *step, init, spec.trips);
  if (!folded)
    return fail("it accumulates in a way that has no closed form");
  slot.result = slot.init;
  Element result = afterTrips(*folded, slot.init.element, context);
  slot.result.element = fixed
                            ? terms.mkIte(slot.guard, result, slot.init.element,
                                          ownContext(terms, slot.init.shape))
                            : result;
  return true;
}

bool LoopSummary::summarise(Slot &slot) {
  bool applies = false;
  if (oneWriter(slot, applies))
    return true;
  if (applies)
    return false;
  if (spec.parallel && slot.kind == Slot::Kind::Tensor)
    e.noteConflicts(spec.op);
  return lastIteration(slot) || accumulate(slot);
}

//===----------------------------------------------------------------------===//
// Undefined behaviour
//===----------------------------------------------------------------------===//

/// Some iteration is undefined: a fold over the iterations.
bool LoopSummary::closeConditions() {
  for (UBCondition &ub : conditions) {
    std::optional<Element> closed =
        replace({ub.condition, terms.mkBool(false)}, {}, *inside);
    if (!closed)
      return fail("whether it is defined depends on what other iterations "
                  "wrote");
    ub.condition = closed->value;
  }
  e.foldUB(conditions, t, spec.trips);
  return true;
}
