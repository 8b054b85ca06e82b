//===- Compare.cpp - Refinement of elements -------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Entry points, poison, and the bookkeeping of a comparison.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Refine/Compare.h"
#include "ComparerImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/thread.h"

#include <algorithm>

using namespace panpipe::tv;

ScalarOracle::~ScalarOracle() = default;

/// Networks of thousands of layers nest that many openings when the innermost
/// layer differs: the proof runs on a stack of its own (pages are used as
/// touched).
static constexpr unsigned kStackBytes = 1u << 30;

Comparer::Impl::Impl(TermContext &terms, const CompareOptions &options)
    : terms(terms), options(options), oracle(options.indexOracle) {
  if (!oracle) {
    ownOracle = makePresburgerOracle();
    oracle = ownOracle.get();
  }
}

Comparer::Comparer(TermContext &terms, const CompareOptions &options)
    : impl(std::make_unique<Impl>(terms, options)) {}
Comparer::~Comparer() = default;
const ProofStats &Comparer::stats() const { return impl->stats; }
llvm::ArrayRef<uint32_t> Comparer::freePicks() const { return impl->freePicks; }

//===----------------------------------------------------------------------===//
// Bookkeeping
//===----------------------------------------------------------------------===//

void Comparer::Impl::rollBack(Mark m) {
  trail.residuals.resize(m.residuals);
  trail.assumptions.resize(m.assumptions);
  for (size_t i = m.choices; i < trail.choices.size(); ++i)
    choices.erase(trail.choices[i]);
  trail.choices.resize(m.choices);
  for (size_t i = m.picks; i < trail.picks.size(); ++i)
    copiedPicks.erase(trail.picks[i]);
  trail.picks.resize(m.picks);
}

void Comparer::Impl::assume(Assumption a) {
  trail.assumptions.push_back(allAssumptions.size());
  allAssumptions.push_back(std::move(a));
}

/// Remembers the deepest failure: it is nearest to the cause.
bool Comparer::Impl::fail(unsigned depth,
                          llvm::function_ref<std::string()> text) {
  if (culprit.empty() || depth > culpritDepth) {
    culprit = text();
    culpritDepth = depth;
  }
  return false;
}

void Comparer::Impl::startPass(bool scalars) {
  rollBack({0, 0, 0, 0});
  scalarsOn = scalars;
  ++pass;
  culprit.clear();
  culpritDepth = 0;
  steps = 0;
  cellsLeft = options.maxCells;
  usedCells = usedSums = usedScalars = hitLimit = false;
}

CompareResult Comparer::Impl::run(llvm::function_ref<bool()> proof) {
  trail = Trail();
  ++stats.obligations;
  unsigned queriesBefore = oracle->queries;
  bool ok = false;
  llvm::thread worker(std::optional<unsigned>(kStackBytes), [&] {
    for (bool scalars : {false, true}) {
      startPass(scalars);
      if ((ok = proof()))
        return;
    }
  });
  worker.join();
  stats.queries += oracle->queries - queriesBefore;
  stats.nodes = terms.numTerms();

  CompareResult result;
  if (!ok) {
    rollBack({0, 0, 0, 0});
    result.culprit = hitLimit ? "gave up after " + std::to_string(steps) +
                                    " steps; deepest open pair: " + culprit
                              : culprit;
    return result;
  }
  // Choices stay bound: later results must agree with them.
  llvm::DenseSet<unsigned> seen;
  for (unsigned i : trail.residuals)
    if (seen.insert(i).second)
      result.residuals.push_back(allResiduals[i]);
  for (unsigned i : trail.assumptions) {
    const Assumption &a = allAssumptions[i];
    if (llvm::none_of(result.assumptions, [&](const Assumption &b) {
          return a.kind == b.kind && a.detail == b.detail;
        }))
      result.assumptions.push_back(a);
  }
  result.kind = result.residuals.empty() ? CompareResult::Kind::Proved
                                         : CompareResult::Kind::Residual;
  if (usedSums)
    ++stats.sums;
  else if (usedCells)
    ++stats.cells;
  else if (!usedScalars)
    ++stats.congruence;
  return result;
}

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

static bool isOrFold(const Term *t) {
  return t->kind() == TermKind::App &&
         t->closure()->kind == Closure::Kind::Fold &&
         t->closure()->op == ScalarOp::OrI && t->type().isBoolean();
}

/// target => source; remembered like equality, under the same renaming.
bool Comparer::Impl::poisonImplied(const IndexContext &outer,
                                   const Term *target, const Term *source,
                                   unsigned depth) {
  if (target == source || target->isFalse() || source->isTrue())
    return true;
  if (++steps > options.maxSteps || depth > options.maxOpenDepth) {
    hitLimit = true;
    return false;
  }
  IndexContext context = simplifyPair(outer, target, source, depth);
  if (target == source || target->isFalse() || source->isTrue())
    return true;
  PairKey key{{target, source}, context.key()};
  auto it = impliedMemo.find(key);
  if (it != impliedMemo.end() && (it->second.ok || it->second.pass == pass))
    return it->second.ok;
  Mark before = mark();
  unsigned uses = choiceUses;
  Proof proof;
  proof.ok = implies(context, target, source, depth);
  proof.pass = pass;
  // Proofs that rest on something are not remembered; failures are.
  bool plain = uses == choiceUses && !hitLimit &&
               (!proof.ok || (trail.residuals.size() == before.residuals &&
                              trail.assumptions.size() == before.assumptions &&
                              trail.picks.size() == before.picks));
  if (plain)
    impliedMemo[key] = proof;
  return proof.ok;
}

/// The parts of nested disjunctions; `seen` holds the disjunctions, too.
static void disjuncts(const Term *t, llvm::SmallVectorImpl<const Term *> &parts,
                      llvm::SmallPtrSetImpl<const Term *> &seen) {
  if (!seen.insert(t).second)
    return;
  if (!t->is(ScalarOp::OrI))
    return parts.push_back(t);
  for (const Term *o : t->operands())
    disjuncts(o, parts, seen);
}

/// One step of the structure; each is an implication of the kind named beside
/// it.
bool Comparer::Impl::implies(const IndexContext &context, const Term *target,
                             const Term *source, unsigned depth) {
  // (p or q) => s needs both.
  if (target->is(ScalarOp::OrI))
    return poisonImplied(context, target->operands()[0], source, depth) &&
           poisonImplied(context, target->operands()[1], source, depth);
  // t => (p or q) if it implies one. Most failures are expensive, so the
  // likely ones come first.
  if (source->is(ScalarOp::OrI)) {
    llvm::SmallVector<const Term *, 8> parts;
    llvm::SmallPtrSet<const Term *, 8> seen;
    disjuncts(source, parts, seen);
    if (seen.contains(target))
      return true;
    std::stable_partition(parts.begin(), parts.end(), [&](const Term *s) {
      return s->shapeHash() == target->shapeHash();
    });
    for (const Term *s : parts)
      if (poisonImplied(context, target, s, depth))
        return true;
  }
  if (target->is(ScalarOp::AndI))
    for (const Term *t : target->operands())
      if (poisonImplied(context, t, source, depth))
        return true;
  const Term *both[] = {target, source};
  if (target->kind() == TermKind::Ite || source->kind() == TermKind::Ite)
    return forEachCell(
        context, both,
        [&](const IndexContext &c, llvm::ArrayRef<const Term *> x) {
          return poisonImplied(c, x[0], x[1], depth);
        });
  if (isOrFold(target)) {
    // Some point poisons the target: show that the same point poisons the
    // source's fold, or that any such point implies the source.
    llvm::SmallVector<IndexTerm, 4> vars;
    for (unsigned i = 0; i < target->closure()->extents.size(); ++i)
      vars.push_back(openVar(depth, i));
    OpenedFold t = openFold(terms, target, vars, context);
    bool sameDomain = false;
    if (isOrFold(source) && source->closure()->extents.size() == vars.size()) {
      auto extents = foldExtents(terms, source, context);
      sameDomain = true;
      for (auto [p, q] : llvm::zip(extents, t.extents))
        sameDomain &= equalIndex(context, p, q);
      if (sameDomain) {
        OpenedFold s = openFoldAt(terms, source, vars, context, t.inside);
        for (GuardAtom g : s.guard)
          sameDomain &= proveGuard(t.inside, g);
        sameDomain = sameDomain && poisonImplied(t.inside, t.bodies[0],
                                                 s.bodies[0], depth + 1);
      }
    }
    return (sameDomain ||
            poisonImplied(t.inside, t.bodies[0], source, depth + 1)) &&
           poisonImplied(context, t.inits[0], source, depth);
  }
  // Names are opened; what is left is compared as a value.
  NamingOff off(terms);
  const Term *t = terms.unfold(target, context);
  const Term *u = terms.unfold(source, context);
  if (t || u)
    return poisonImplied(context, t ? t : target, u ? u : source, depth);
  if (isOrFold(source))
    return impliesSomePoint(context, target, source, depth);
  if (source->is(ScalarOp::OrI))
    return false;
  return equal(context, source, target, depth);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

bool Comparer::Impl::refines(const IndexContext &context, Element s, Element t,
                             unsigned depth) {
  if (s == t || s.poison->isTrue())
    return true;
  Mark start = mark();
  if (poisonImplied(context, t.poison, s.poison, depth) &&
      equal(context, s.value, t.value, depth))
    return true;
  rollBack(start);
  // Together: where the source is poison, values may differ.
  // Where bits of NaNs are read, only a result may be another NaN.
  if (s.poison->isFalse() && t.poison->isFalse() &&
      !(terms.nanBitsAreRead && s.value->type().isFloat()))
    return false;
  const Term *all[] = {s.value, s.poison, t.value, t.poison};
  if (forEachCell(context, all,
                  [&](const IndexContext &c, llvm::ArrayRef<const Term *> x) {
                    Element cs{x[0], x[1]}, ct{x[2], x[3]};
                    if (cs.poison->isTrue())
                      return true;
                    Mark m = mark();
                    if (poisonImplied(c, ct.poison, cs.poison, depth) &&
                        equal(c, cs.value, ct.value, depth))
                      return true;
                    rollBack(m);
                    return byScalars(c, cs, ct, depth);
                  }))
    return true;
  rollBack(start);
  return false;
}

CompareResult Comparer::compareElements(const IndexContext &context,
                                        Element source, Element target) {
  return impl->run([&] { return impl->refines(context, source, target, 0); });
}

CompareResult Comparer::compareTensors(const SymTensor &source,
                                       const SymTensor &target) {
  CompareResult bad;
  if (source.type != target.type || source.rank() != target.rank()) {
    bad.culprit = "results have different types";
    return bad;
  }
  IndexContext top = impl->terms.emptyContext();
  for (auto [d, p] : llvm::enumerate(source.shape))
    if (!impl->equalIndex(top, p, target.shape[d])) {
      bad.culprit = "size of dimension " + std::to_string(d) + " is " +
                    p.str() + " in the source and " + target.shape[d].str() +
                    " in the target";
      return bad;
    }
  return compareElements(ownContext(impl->terms, source.shape), source.element,
                         target.element);
}

CompareResult Comparer::proveFalse(const IndexContext &context,
                                   const Term *condition) {
  const Term *no = impl->terms.mkBool(false);
  return impl->run(
      [&] { return impl->poisonImplied(context, condition, no, 0); });
}

CompareResult Comparer::proveImplied(const IndexContext &context,
                                     const Term *condition,
                                     const Term *excuse) {
  return impl->run(
      [&] { return impl->poisonImplied(context, condition, excuse, 0); });
}

CompareResult panpipe::tv::compareElements(TermContext &terms,
                                           const IndexContext &context,
                                           Element source, Element target,
                                           const CompareOptions &options) {
  return Comparer(terms, options).compareElements(context, source, target);
}
