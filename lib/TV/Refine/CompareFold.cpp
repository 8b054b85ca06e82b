//===- CompareFold.cpp - Equality of applications -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two applications are equal if their keys are the same and their arguments
/// equal; else both folds are opened at common points (validation-tensors 4.4).
///
//===----------------------------------------------------------------------===//

#include "ComparerImpl.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

bool Comparer::Impl::equalArguments(const IndexContext &context, const Term *a,
                                    const Term *b, unsigned depth) {
  for (auto [p, q] : llvm::zip(a->indices(), b->indices()))
    if (!equalIndex(context, p, q))
      return false;
  for (auto [p, q] : llvm::zip(a->operands(), b->operands()))
    if (!equal(context, p, q, depth))
      return false;
  return true;
}

bool Comparer::Impl::equalApps(const IndexContext &context, const Term *a,
                               const Term *b, unsigned depth) {
  const Closure *ca = a->closure(), *cb = b->closure();
  if (ca == cb) {
    Mark start = mark();
    if (equalArguments(context, a, b, depth))
      return true;
    rollBack(start);
  }
  if (ca->kind != cb->kind)
    return false;
  if (ca->kind == Closure::Kind::Map)
    return false; // unfolded by the caller
  if (ca->kind == Closure::Kind::Opaque)
    return false;
  return openBoth(context, a, b, depth);
}

namespace {
/// Points of two domains that enumerate the same index space in the same order:
/// a common refinement of both lists of extents.
struct Alignment {
  llvm::SmallVector<IndexTerm, 4> extents; ///< of the common variables
  /// How many of them, in a row, make each dimension of a and b.
  llvm::SmallVector<unsigned, 4> groupsA, groupsB;
};
} // namespace

/// Splits from the outermost dimension inwards: where one extent is a multiple
/// of the other, the larger variable is written as (hi, lo) with v = hi·n + lo.
/// Mixed radix keeps the lexicographic order.
static std::optional<Alignment> align(llvm::ArrayRef<IndexTerm> a,
                                      llvm::ArrayRef<IndexTerm> b,
                                      const IndexContext &context) {
  Alignment result;
  unsigned i = 0, j = 0, inA = 0, inB = 0;
  IndexTerm restA = a.empty() ? IndexTerm() : a[0];
  IndexTerm restB = b.empty() ? IndexTerm() : b[0];
  auto next = [](llvm::ArrayRef<IndexTerm> list, unsigned &at, unsigned &count,
                 llvm::SmallVectorImpl<unsigned> &groups, IndexTerm &rest) {
    groups.push_back(count);
    count = 0;
    rest = ++at < list.size() ? list[at] : IndexTerm();
  };
  while (i < a.size() && j < b.size()) {
    ++inA;
    ++inB;
    if (restA == restB || context.provablyEqual(restA, restB)) {
      result.extents.push_back(restA);
      next(a, i, inA, result.groupsA, restA);
      next(b, j, inB, result.groupsB, restB);
      continue;
    }
    auto divide = [&](IndexTerm big, IndexTerm small) {
      if (!IndexManager::isDivisor(small) || small.constantInt64() == 1)
        return IndexTerm();
      auto [q, r] = splitByDivisor(big, small);
      return r.isZero() && context.nonneg(q) ? q : IndexTerm();
    };
    if (IndexTerm q = divide(restA, restB)) {
      result.extents.push_back(restB);
      restA = q;
      next(b, j, inB, result.groupsB, restB);
    } else if (IndexTerm q = divide(restB, restA)) {
      result.extents.push_back(restA);
      restB = q;
      next(a, i, inA, result.groupsA, restA);
    } else {
      return std::nullopt;
    }
  }
  if (i != a.size() || j != b.size())
    return std::nullopt;
  return result;
}

/// The variables of each group in mixed radix.
static llvm::SmallVector<IndexTerm, 4>
pointsOf(IndexManager &m, llvm::ArrayRef<unsigned> groups,
         llvm::ArrayRef<IndexTerm> vars, llvm::ArrayRef<IndexTerm> extents) {
  llvm::SmallVector<IndexTerm, 4> points;
  unsigned at = 0;
  for (unsigned size : groups) {
    IndexTerm p = m.constant(0);
    for (unsigned k = 0; k < size; ++k, ++at)
      p = p * extents[at] + vars[at];
    points.push_back(p);
  }
  return points;
}

/// Opens both at the same points in the same order: equal extents, each guard
/// from the other's, equal initial values outside, equal bodies inside. Then
/// both folds do the same steps.
bool Comparer::Impl::openBoth(const IndexContext &context, const Term *a,
                              const Term *b, unsigned depth) {
  const Closure *ca = a->closure(), *cb = b->closure();
  if (ca->op != cb->op || ca->bodies.size() != cb->bodies.size() ||
      ca->result != cb->result ||
      (ca->kind == Closure::Kind::Fold &&
       !attrsRefine(ca->attrs, cb->attrs, a, b)))
    return false;
  for (auto [p, q] : llvm::zip(ca->bodies, cb->bodies))
    if (p->type() != q->type())
      return false;
  auto extentsA = foldExtents(terms, a, context);
  auto extentsB = foldExtents(terms, b, context);
  auto common = align(extentsA, extentsB, context);
  if (!common) {
    if (extentsA.size() != extentsB.size())
      return false;
    // Equal for reasons that only the oracle sees.
    common = Alignment();
    for (auto [p, q] : llvm::zip(extentsA, extentsB)) {
      if (!equalIndex(context, p, q))
        return false;
      common->extents.push_back(p);
      common->groupsA.push_back(1);
      common->groupsB.push_back(1);
    }
  }
  llvm::SmallVector<IndexTerm, 4> vars;
  IndexContext inside = context;
  for (auto [i, e] : llvm::enumerate(common->extents)) {
    vars.push_back(openVar(depth, i));
    inside = inside.withExtent(vars.back(), e);
  }
  IndexManager &m = terms.index();
  OpenedFold oa =
      openFoldAt(terms, a, pointsOf(m, common->groupsA, vars, common->extents),
                 context, inside);
  OpenedFold ob =
      openFoldAt(terms, b, pointsOf(m, common->groupsB, vars, common->extents),
                 context, inside);
  for (GuardAtom g : ob.guard)
    if (!proveGuard(oa.inside, g))
      return false;
  for (GuardAtom g : oa.guard)
    if (!proveGuard(ob.inside, g))
      return false;
  for (auto [p, q] : llvm::zip(oa.inits, ob.inits))
    if (!equal(context, p, q, depth + 1))
      return false;
  for (auto [p, q] : llvm::zip(oa.bodies, ob.bodies))
    if (!equal(oa.inside, p, q, depth + 1))
      return false;
  return true;
}
