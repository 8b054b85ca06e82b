//===- ComparePoint.cpp - A condition at some point of a domain -----------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// target => (some point of a domain has p): one point for which target => p is
/// enough. It is read off the indices of the target: a condition at element
/// (n + 4, l) of a batch needs the source's at point (n + 4, l), which is found
/// in the larger box. Short constant domains are searched besides.
///
//===----------------------------------------------------------------------===//

#include "ComparerImpl.h"

using namespace panpipe::tv;

namespace {
/// Guesses the point; nothing rests on the guess.
class PointMatcher {
public:
  PointMatcher(TermContext &terms, const IndexContext &context,
               llvm::ArrayRef<IndexTerm> vars)
      : terms(terms), context(context), vars(vars) {}

  void match(const Term *target, const Term *source);
  /// Indices that nothing determines are 0.
  llvm::SmallVector<IndexTerm, 4> point() const;

private:
  void match(IndexTerm target, IndexTerm source);

  TermContext &terms;
  const IndexContext &context;
  llvm::ArrayRef<IndexTerm> vars;
  IndexSubst known;
  llvm::DenseSet<std::pair<const Term *, const Term *>> seen;
};
} // namespace

/// source = ±v + rest for one variable that is still open.
void PointMatcher::match(IndexTerm target, IndexTerm source) {
  source = context.substitute(source, known);
  const IndexAtom *open = nullptr;
  for (IndexTerm v : vars) {
    if (!source->hasLeaf(v->asAtom()))
      continue;
    if (open)
      return;
    open = v->asAtom();
  }
  if (!open)
    return;
  DynamicAPInt sign = source->coefficientOf(open);
  if (sign != 1 && sign != -1)
    return;
  IndexTerm factor = terms.index().constant(sign);
  IndexTerm rest = source - open->term * factor;
  if (!rest->hasLeaf(open))
    known.set(open, (target - rest) * factor);
}

void PointMatcher::match(const Term *target, const Term *source) {
  if (target == source || !seen.insert({target, source}).second)
    return;
  auto isNamed = [](const Term *t) {
    return t->kind() == TermKind::App &&
           t->closure()->kind == Closure::Kind::Map;
  };
  if (isNamed(target) != isNamed(source) ||
      (isNamed(target) && target->closure() != source->closure())) {
    const Term *t = terms.unfold(target, context);
    const Term *s = terms.unfold(source, context);
    return match(t ? t : target, s ? s : source);
  }
  if (target->kind() != source->kind() || target->type() != source->type() ||
      target->indices().size() != source->indices().size() ||
      target->operands().size() != source->operands().size() ||
      target->guard().size() != source->guard().size())
    return;
  for (auto [p, q] : llvm::zip(target->indices(), source->indices()))
    match(p, q);
  for (auto [p, q] : llvm::zip(target->operands(), source->operands()))
    match(p, q);
  for (auto [p, q] : llvm::zip(target->guard(), source->guard()))
    match(p.poly, q.poly);
}

llvm::SmallVector<IndexTerm, 4> PointMatcher::point() const {
  llvm::SmallVector<IndexTerm, 4> result;
  for (IndexTerm v : vars) {
    IndexTerm at = known.lookup(v->asAtom());
    result.push_back(at ? at : terms.index().constant(0));
  }
  return result;
}

/// target => the body of the source's fold at `point`, which is in its domain.
bool Comparer::Impl::impliesAt(const IndexContext &context, const Term *target,
                               const Term *source,
                               llvm::ArrayRef<IndexTerm> point,
                               unsigned depth) {
  for (auto [p, e] : llvm::zip(point, foldExtents(terms, source, context)))
    if (!proveGuard(context, geZero(p)) ||
        !proveGuard(context, geZero(e - 1 - p)))
      return false;
  OpenedFold open = openFoldAt(terms, source, point, context, context);
  for (GuardAtom g : open.guard)
    if (!proveGuard(context, g))
      return false;
  return poisonImplied(context, target, open.bodies[0], depth + 1);
}

bool Comparer::Impl::impliesSomePoint(const IndexContext &context,
                                      const Term *target, const Term *source,
                                      unsigned depth) {
  llvm::SmallVector<IndexTerm, 4> vars, extents;
  extents = foldExtents(terms, source, context);
  for (unsigned i = 0; i < extents.size(); ++i)
    vars.push_back(openVar(depth, i));
  OpenedFold open = openFold(terms, source, vars, context);
  PointMatcher matcher(terms, open.inside, vars);
  {
    NamingOff off(terms);
    matcher.match(target, open.bodies[0]);
  }
  Mark start = mark();
  if (impliesAt(context, target, source, matcher.point(), depth))
    return true;
  rollBack(start);
  return impliesShort(context, target, source, extents, depth);
}

/// One of the points of a short constant domain.
bool Comparer::Impl::impliesShort(const IndexContext &context,
                                  const Term *target, const Term *source,
                                  llvm::ArrayRef<IndexTerm> sizes,
                                  unsigned depth) {
  constexpr int64_t maxPoints = 64;
  llvm::SmallVector<int64_t, 4> extents;
  int64_t count = 1;
  for (IndexTerm e : sizes) {
    std::optional<int64_t> extent = e.constantInt64();
    if (!extent || *extent < 1 || *extent > maxPoints ||
        (count *= *extent) > maxPoints)
      return false;
    extents.push_back(*extent);
  }
  for (int64_t number = 0; number < count; ++number) {
    llvm::SmallVector<IndexTerm, 4> point(extents.size());
    int64_t rest = number;
    for (unsigned i = extents.size(); i-- > 0; rest /= extents[i])
      point[i] = terms.index().constant(rest % extents[i]);
    Mark start = mark();
    if (impliesAt(context, target, source, point, depth))
      return true;
    rollBack(start);
  }
  return false;
}
