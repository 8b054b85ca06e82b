//===- PresburgerOracle.cpp - Index queries with libMLIR ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Emptiness of a conjunction over the integers. The library is exact but has
/// no time limit, so queries with many divisions are refused. A product of
/// variables becomes one more variable: then only emptiness is conclusive.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Refine/Compare.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/PresburgerSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace panpipe::tv;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;

namespace {

class PresburgerOracle : public IndexOracle {
public:
  explicit PresburgerOracle(unsigned maxDivisions)
      : maxDivisions(maxDivisions) {}
  std::optional<bool> isEmpty(const IndexContext &context,
                              llvm::ArrayRef<GuardAtom> guard) override;

private:
  unsigned maxDivisions;
};

/// One query: columns for atoms and products, constraints.
class Query {
public:
  Query(const IndexContext &context, unsigned maxDivisions)
      : context(context), maxDivisions(maxDivisions) {}

  bool collect(llvm::ArrayRef<GuardAtom> guard);
  std::optional<bool> solve();

private:
  void addAtom(const IndexAtom *a);
  void addPoly(IndexTerm p);
  void addMonomial(const IndexMonomial *m);
  llvm::SmallVector<llvm::DynamicAPInt, 8> row(IndexTerm p) const;

  const IndexContext &context;
  unsigned maxDivisions;
  llvm::SmallVector<GuardAtom, 16> constraints;
  llvm::SetVector<const IndexAtom *> atoms;     ///< not divisions
  llvm::SetVector<const IndexAtom *> divisions; ///< inner ones first
  llvm::SetVector<const IndexMonomial *> products;
};

} // namespace

void Query::addAtom(const IndexAtom *a) {
  if (a->kind != AtomKind::FloorDiv) {
    atoms.insert(a);
    return;
  }
  if (divisions.contains(a))
    return;
  addPoly(a->num);
  addPoly(a->den);
  divisions.insert(a);
}

void Query::addMonomial(const IndexMonomial *m) {
  if (m->atoms.size() == 1)
    addAtom(m->atoms[0]);
  else if (m->atoms.size() > 1)
    products.insert(m);
}

void Query::addPoly(IndexTerm p) {
  for (const IndexSummand &s : p->summands())
    addMonomial(s.monomial);
}

/// Takes the guard and every fact and range that shares an atom with it.
bool Query::collect(llvm::ArrayRef<GuardAtom> guard) {
  for (GuardAtom g : guard) {
    constraints.push_back(g);
    addPoly(g.poly);
  }
  Guard facts = context.facts();
  llvm::SmallVector<bool, 8> taken(facts.size(), false);
  unsigned ranged = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (; ranged < atoms.size(); ++ranged) {
      const IndexAtom *a = atoms[ranged];
      auto [lo, hi] = context.range(a);
      llvm::SmallVector<IndexTerm, 2> bounds;
      if (lo)
        bounds = {a->term - lo, hi - a->term};
      if (a->kind == AtomKind::Dim)
        bounds.push_back(context.isPositiveDim(a) ? a->term - 1 : a->term);
      if (a->definition)
        bounds.append({a->term - a->definition, a->definition - a->term});
      for (IndexTerm b : bounds) {
        constraints.push_back(geZero(b));
        addPoly(b);
      }
    }
    for (unsigned i = 0; i < facts.size(); ++i) {
      if (taken[i] || llvm::none_of(facts[i].poly->leaves(),
                                    [&](auto *a) { return atoms.contains(a); }))
        continue;
      taken[i] = changed = true;
      constraints.push_back(facts[i]);
      addPoly(facts[i].poly);
    }
  }
  return divisions.size() <= maxDivisions && atoms.size() <= 24 &&
         constraints.size() <= 96;
}

llvm::SmallVector<llvm::DynamicAPInt, 8> Query::row(IndexTerm p) const {
  unsigned n = atoms.size() + products.size() + divisions.size();
  llvm::SmallVector<llvm::DynamicAPInt, 8> r(n + 1, llvm::DynamicAPInt(0));
  for (const IndexSummand &s : p->summands()) {
    const auto &list = s.monomial->atoms;
    unsigned column = n;
    if (list.size() > 1) {
      column =
          atoms.size() + llvm::find(products, s.monomial) - products.begin();
    } else if (list.size() == 1 && list[0]->kind == AtomKind::FloorDiv) {
      column = atoms.size() + products.size() +
               (llvm::find(divisions, list[0]) - divisions.begin());
    } else if (list.size() == 1) {
      column = llvm::find(atoms, list[0]) - atoms.begin();
    }
    r[column] += s.coefficient;
  }
  return r;
}

std::optional<bool> Query::solve() {
  unsigned n = atoms.size() + products.size() + divisions.size();
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(n));
  for (GuardAtom g : constraints) {
    if (g.isEquality)
      set.addEquality(row(g.poly));
    else
      set.addInequality(row(g.poly));
  }
  // q = floor(e / d): 0 <= e - d·q <= d - 1. A symbolic d times q is a product,
  // so the fact is stated but not enough to find a solution.
  bool exact = products.empty();
  for (const IndexAtom *a : divisions) {
    if (!a->den.isConstant()) {
      exact = false;
      continue;
    }
    IndexTerm rest = a->num - a->den * a->term;
    set.addInequality(row(rest));
    set.addInequality(row(a->den - 1 - rest));
  }
  if (set.isIntegerEmpty())
    return true;
  if (exact)
    return false;
  return std::nullopt;
}

std::optional<bool> PresburgerOracle::isEmpty(const IndexContext &context,
                                              llvm::ArrayRef<GuardAtom> guard) {
  Query query(context, maxDivisions);
  if (!query.collect(guard))
    return std::nullopt;
  ++queries;
  return query.solve();
}

std::unique_ptr<IndexOracle>
panpipe::tv::makePresburgerOracle(unsigned maxDivisions) {
  return std::make_unique<PresburgerOracle>(maxDivisions);
}
