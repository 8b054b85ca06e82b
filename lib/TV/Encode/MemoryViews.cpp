//===- MemoryViews.cpp - Views of blocks ----------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each view operation composes both directions of the view: forwards it
/// substitutes, backwards it computes on the inverse of its source.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Encode/Memory.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

MemView panpipe::tv::wholeView(TermContext &terms, unsigned block,
                               llvm::ArrayRef<IndexTerm> shape) {
  MemView view;
  view.block = block;
  view.shape.assign(shape.begin(), shape.end());
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    view.forward.push_back(terms.ownIndex(dim));
    view.inverse.push_back(terms.ownIndex(dim));
  }
  return view;
}

/// The forward map of `source` at `at`, a function of the new view's indices.
static IndexList compose(TermContext &terms, const MemView &source,
                         llvm::ArrayRef<IndexTerm> at,
                         const IndexContext &context) {
  IndexSubst subst;
  for (auto [dim, index] : llvm::enumerate(at))
    subst.set(terms.ownIndex(dim), index);
  IndexList forward;
  for (IndexTerm term : source.forward)
    forward.push_back(context.substitute(term, subst));
  return forward;
}

static bool addAtom(Guard &guard, GuardAtom atom, const IndexContext &context) {
  auto known = context.decide(atom);
  if (known != true)
    guard.push_back(atom);
  return known != false;
}

/// The indices of the block that `view` addresses, as far as they are known.
static IndexContext blockContext(TermContext &terms, const MemView &view,
                                 llvm::ArrayRef<IndexTerm> blockShape) {
  return ownContext(terms, blockShape).assume(view.inside);
}

std::optional<MemView> panpipe::tv::subView(
    TermContext &terms, const MemView &source,
    llvm::ArrayRef<IndexTerm> offsets, llvm::ArrayRef<IndexTerm> sizes,
    llvm::ArrayRef<IndexTerm> strides, llvm::ArrayRef<bool> dropped,
    llvm::ArrayRef<IndexTerm> blockShape) {
  MemView view;
  view.block = source.block;
  view.whole = false;
  view.inside = source.inside;
  IndexContext where = blockContext(terms, source, blockShape);
  IndexList at;
  for (unsigned dim = 0; dim < source.shape.size(); ++dim) {
    IndexTerm old = source.inverse[dim] - offsets[dim];
    if (dropped[dim]) {
      addAtom(view.inside, eqZero(old), where);
      at.push_back(offsets[dim]);
      continue;
    }
    at.push_back(offsets[dim] +
                 strides[dim] * terms.ownIndex(view.shape.size()));
    std::optional<int64_t> stride = strides[dim].constantInt64();
    if (!stride || *stride == 0) {
      // One element along this dimension, whatever the stride.
      if (sizes[dim].constantInt64() != 1)
        return std::nullopt;
      addAtom(view.inside, eqZero(old), where);
      view.inverse.push_back(terms.index().constant(0));
      view.shape.push_back(sizes[dim]);
      continue;
    }
    IndexTerm steps = *stride > 0 ? old : -old;
    int64_t length = std::abs(*stride);
    IndexTerm index = steps;
    if (length != 1) {
      index = where.floorDiv(steps, terms.index().constant(length));
      addAtom(view.inside, eqZero(steps - index * length), where);
    }
    addAtom(view.inside, geZero(index), where);
    addAtom(view.inside, geZero(sizes[dim] - 1 - index), where);
    view.inverse.push_back(index);
    view.shape.push_back(sizes[dim]);
  }
  view.forward = compose(terms, source, at, ownContext(terms, view.shape));
  return view;
}

MemView panpipe::tv::transposedView(TermContext &terms, const MemView &source,
                                    llvm::ArrayRef<int64_t> permutation) {
  MemView view = source;
  view.whole = false;
  IndexList at(permutation.size());
  for (auto [dim, from] : llvm::enumerate(permutation)) {
    view.shape[dim] = source.shape[from];
    view.inverse[dim] = source.inverse[from];
    at[from] = terms.ownIndex(dim);
  }
  view.forward = compose(terms, source, at, ownContext(terms, view.shape));
  return view;
}

MemView panpipe::tv::collapsedView(TermContext &terms, const MemView &source,
                                   Reassociation groups) {
  MemView view;
  view.block = source.block;
  view.whole = false;
  view.inside = source.inside;
  IndexTerm one = terms.index().constant(1);
  for (const auto &group : groups) {
    IndexTerm size = one, linear = terms.index().constant(0);
    for (int64_t dim : group) {
      size = size * source.shape[dim];
      linear = linear * source.shape[dim] + source.inverse[dim];
    }
    view.shape.push_back(terms.index().dimFor(size));
    view.inverse.push_back(linear);
  }
  IndexContext context = ownContext(terms, view.shape);
  IndexList at(source.shape.size(), terms.index().constant(0));
  for (auto [number, group] : llvm::enumerate(groups)) {
    IndexTerm rest = terms.ownIndex(number);
    for (unsigned k = group.size(); k-- > 0;) {
      IndexTerm extent = source.shape[group[k]];
      at[group[k]] = k == 0 ? rest : context.mod(rest, extent);
      if (k != 0)
        rest = context.floorDiv(rest, extent);
    }
  }
  view.forward = compose(terms, source, at, context);
  return view;
}

std::optional<MemView>
panpipe::tv::expandedView(TermContext &terms, const MemView &source,
                          Reassociation groups, llvm::ArrayRef<IndexTerm> shape,
                          llvm::ArrayRef<IndexTerm> blockShape) {
  MemView view;
  view.block = source.block;
  view.whole = false;
  view.inside = source.inside;
  view.shape.assign(shape.begin(), shape.end());
  // An index of the view exists, so its sizes are positive.
  IndexContext where = blockContext(terms, source, blockShape);
  view.inverse.resize(shape.size());
  IndexList at;
  for (auto [number, group] : llvm::enumerate(groups)) {
    IndexTerm rest = source.inverse[number];
    IndexTerm linear = terms.index().constant(0);
    for (int64_t dim : group)
      linear = linear * shape[dim] + terms.ownIndex(dim);
    at.push_back(linear);
    for (unsigned k = group.size(); k-- > 1;) {
      IndexTerm extent = shape[group[k]];
      if (!IndexManager::isDivisor(extent))
        return std::nullopt;
      where = where.withPositiveDims(extent);
      if (!where.nonneg(extent - 1))
        return std::nullopt;
      view.inverse[group[k]] = where.mod(rest, extent);
      rest = where.floorDiv(rest, extent);
    }
    if (!group.empty())
      view.inverse[group.front()] = rest;
  }
  if (llvm::any_of(view.inverse, [](IndexTerm t) { return !t; }))
    for (IndexTerm &index : view.inverse)
      if (!index) // dimensions without a group have size 1
        index = terms.index().constant(0);
  view.forward = compose(terms, source, at, ownContext(terms, view.shape));
  return view;
}
