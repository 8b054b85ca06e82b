//===- Conflicts.cpp - Do parallel iterations conflict? -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A parallel loop is executed in order. That is what it means only if no two
/// iterations touch an element that one of them writes: proved here, or else
/// printed as an assumption.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

/// Remembers one access: at polynomial indices exactly, else the whole view.
void Encoder::record(const SymMemRef &memref, ArrayRef<Element> at,
                     bool writes) {
  if (!accesses)
    return;
  IndexSubst subst;
  bool exact = at.size() == memref.shape().size();
  for (auto [number, index] : llvm::enumerate(at)) {
    std::optional<IndexTerm> poly = accessPolynomial(index.value);
    exact &= poly.has_value();
    if (poly)
      subst.set(terms().ownIndex(number), *poly);
  }
  for (const SymMemRef::Choice &choice : memref.choices) {
    AccessRecord access{choice.view.block, writes, choice.view.inside, current};
    if (exact && !at.empty()) {
      access.where.clear();
      for (auto [number, forward] : llvm::enumerate(choice.view.forward))
        access.where.push_back(eqZero(terms().ownIndex(number) -
                                      current.substitute(forward, subst))
                                   .normalized());
    }
    accesses->push_back(std::move(access));
  }
}

namespace {
/// One access, with the variables of its iteration renamed.
struct Renamed {
  Guard where;
  IndexContext context;
};
} // namespace

/// Every variable made since `first` belongs to the iteration.
static Renamed renameSince(IndexManager &index,
                           const Encoder::AccessRecord &access, unsigned first,
                           IndexTerm t, IndexTerm by, IndexContext outside) {
  IndexSubst subst;
  subst.set(t, by);
  SmallVector<std::pair<IndexTerm, IndexTerm>> renamed;
  for (IndexTerm var : access.context.rangedVars()) {
    const IndexAtom *atom = var->asAtom();
    if (atom->kind != AtomKind::Var || var == t || atom->number < first)
      continue;
    renamed.push_back({var, index.freshVar()});
    subst.set(var, renamed.back().second);
  }
  for (auto [var, fresh] : renamed) {
    auto [low, high] = access.context.range(var->asAtom());
    if (low && high)
      outside = outside.withRange(fresh, outside.substitute(low, subst),
                                  outside.substitute(high, subst));
  }
  Renamed result{{}, outside};
  for (GuardAtom atom : access.context.facts()) {
    atom.poly = outside.substitute(atom.poly, subst);
    result.where.push_back(atom.normalized());
  }
  for (GuardAtom atom : access.where) {
    atom.poly = outside.substitute(atom.poly, subst);
    result.where.push_back(atom.normalized());
  }
  return result;
}

bool Encoder::areIndependent(ArrayRef<std::vector<AccessRecord>> iterations,
                             IndexTerm t, IndexTerm trips,
                             unsigned firstLocalBlock) {
  IndexManager &index = terms().index();
  auto isEmpty = [&](IndexContext context, ArrayRef<GuardAtom> guard) {
    for (const GuardAtom &atom : guard)
      if (context.decide(atom) == false)
        return true;
    IndexContext all = context.assume(guard);
    return all.isContradictory() ||
           (shared.oracle && shared.oracle->isEmpty(context, guard) == true);
  };
  auto apart = [&](const AccessRecord &a, const AccessRecord &b) {
    if (a.block != b.block || a.block >= firstLocalBlock ||
        (!a.writes && !b.writes))
      return true;
    IndexContext context =
        ownContext(terms(), blocks[a.block].shape).assume(current.facts());
    Guard guard;
    if (!t) {
      guard.append(a.where.begin(), a.where.end());
      guard.append(b.where.begin(), b.where.end());
      return isEmpty(context, guard);
    }
    IndexTerm other = index.freshVar();
    context = context.withExtent(t, trips).withExtent(other, trips);
    unsigned first = t->asAtom()->number;
    Renamed x = renameSince(index, a, first, t, t, context);
    Renamed y = renameSince(index, b, first, t, other, x.context);
    guard.push_back(geZero(other - t - 1));
    guard.append(x.where.begin(), x.where.end());
    guard.append(y.where.begin(), y.where.end());
    return isEmpty(y.context, guard);
  };
  if (t) {
    for (const AccessRecord &a : iterations[0])
      for (const AccessRecord &b : iterations[0])
        if (!apart(a, b))
          return false;
    return true;
  }
  for (unsigned i = 0; i < iterations.size(); ++i)
    for (unsigned j = i + 1; j < iterations.size(); ++j)
      for (const AccessRecord &a : iterations[i])
        for (const AccessRecord &b : iterations[j])
          if (!apart(a, b))
            return false;
  return true;
}

void Encoder::noteConflicts(Operation *op) {
  assumeNote("parallel-order", "iterations of " + op->getName().getStringRef() +
                                   " do not conflict, or run in order");
}
