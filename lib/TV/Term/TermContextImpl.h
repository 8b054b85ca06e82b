//===- TermContextImpl.h - Tables of the term graph -------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Internal to lib/TV/Term: interning tables, sorting keys, lifting.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_TERM_TERMCONTEXTIMPL_H
#define PANPIPE_LIB_TV_TERM_TERMCONTEXTIMPL_H

#include "IndexManagerImpl.h"
#include "panpipe/TV/Term/Closure.h"
#include "panpipe/TV/Term/Term.h"

#include "llvm/Support/Allocator.h"

#include <deque>

namespace panpipe::tv {

/// A value is named when it is this high or this large (3.3). Decided by the
/// structure of the value alone, so that both sides name alike.
constexpr unsigned kMaxHeight = 8, kMaxSize = 48;

uint64_t hashOf(const llvm::APInt &value);
uint64_t hashOf(ScalarType type);
uint64_t hashOf(const ScalarAttrs &attrs);
/// The key of sorting (shape); see Term::shapeHash.
uint64_t closureShape(const Closure &closure);

struct TermContext::Impl {
  llvm::BumpPtrAllocator arena;
  /// Never destroyed one by one except for wide constants, hence the deque.
  std::deque<Term> terms;
  std::deque<Closure> closures;
  std::deque<TensorBase> bases;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const Term *, 1>> table;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const Closure *, 1>> closureTable;
  unsigned nextSymbol = 0;

  /// Numbers the base and keeps it.
  const TensorBase *add(TensorBase base) {
    base.id = bases.size();
    bases.push_back(std::move(base));
    return &bases.back();
  }

  template <typename T> llvm::ArrayRef<T> copy(llvm::ArrayRef<T> list) {
    if (list.empty())
      return {};
    T *mem = arena.Allocate<T>(list.size());
    std::uninitialized_copy(list.begin(), list.end(), mem);
    return {mem, list.size()};
  }
};

/// Closes terms over a set of bound atoms: lifts every part that is free of
/// them into numbered parameters (4.3). With `named`, nothing is bound and only
/// index polynomials are lifted (3.3).
class Lifter {
public:
  Lifter(TermContext &terms, llvm::ArrayRef<const IndexAtom *> bound,
         bool named)
      : terms(terms), bound(bound.begin(), bound.end()), named(named) {}

  const Term *lift(const Term *term);
  IndexTerm lift(IndexTerm p);
  GuardAtom lift(GuardAtom g) { return {lift(g.poly), g.isEquality}; }

  llvm::SmallVector<IndexTerm, 8> indexArgs;
  llvm::SmallVector<const Term *, 4> elemArgs;

  /// Sees only what depends on the bound atoms.
  uint64_t boundKey(const Term *term);

private:
  bool isBound(IndexTerm p) const;
  bool isBound(const IndexAtom *atom) const;
  bool isBound(const Term *term) const;
  IndexTerm param(IndexTerm p);
  const Term *elemParam(const Term *term);
  const Term *liftOp(const Term *term);
  uint64_t boundKey(IndexTerm p);

  TermContext &terms;
  llvm::SmallVector<const IndexAtom *, 8> bound;
  bool named;
  llvm::DenseMap<IndexTerm, IndexTerm> params;
  llvm::DenseMap<const Term *, const Term *> elems, memo;
  llvm::DenseMap<const Term *, uint64_t> keys;
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_TERM_TERMCONTEXTIMPL_H
