//===- IndexManagerImpl.h - Tables of the index terms -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Internal to lib/TV/Term: interning tables and small helpers.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_TERM_INDEXMANAGERIMPL_H
#define PANPIPE_LIB_TV_TERM_INDEXMANAGERIMPL_H

#include "panpipe/TV/Term/IndexTerm.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>

namespace panpipe::tv {

/// A 64-bit mix that is the same in every run (llvm::hash_code need not be).
inline uint64_t mixHash(uint64_t seed, uint64_t value) {
  uint64_t x =
      seed ^ (value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2));
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93ull;
  x ^= x >> 32;
  return x;
}
uint64_t hashOf(const DynamicAPInt &value);
int compareAtoms(const IndexAtom *a, const IndexAtom *b);
int compareMonomials(const IndexMonomial *a, const IndexMonomial *b);

namespace detail {
/// One extension of a context; interned, so equal histories are one node.
struct ContextNode {
  enum Kind : uint8_t { Root, Range, PositiveDim, Fact };
  Kind kind = Root;
  const ContextNode *parent = nullptr;
  const IndexAtom *atom = nullptr; ///< Range, PositiveDim
  IndexTerm lo, hi;                ///< Range
  GuardAtom fact;                  ///< Fact
  bool anyFacts = false;           ///< here or in an ancestor
  IndexManager *manager = nullptr;
};
} // namespace detail

struct IndexManager::Impl {
  std::deque<IndexAtom> atoms;
  std::deque<IndexMonomial> monomials;
  std::deque<IndexPoly> polys;
  std::deque<detail::ContextNode> nodes;
  llvm::DenseMap<std::pair<unsigned, unsigned>, const IndexAtom *> atomTable;
  llvm::DenseMap<std::pair<const IndexPoly *, const IndexPoly *>,
                 const IndexAtom *>
      divisions;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const IndexMonomial *, 1>>
      monomialTable;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const IndexPoly *, 1>> polyTable;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const detail::ContextNode *, 1>>
      nodeTable;
  llvm::DenseMap<const IndexPoly *, IndexTerm> opaqueDims;
  unsigned nextDim = 0, nextInt = 0;
  /// Answers of nonneg and floorDiv; keys hold all that they depend on.
  llvm::DenseMap<std::pair<const IndexPoly *, const void *>, bool> nonnegCache;
  llvm::DenseMap<
      std::pair<std::pair<const IndexPoly *, const IndexPoly *>, const void *>,
      IndexTerm>
      divisionCache;

  const detail::ContextNode *intern(detail::ContextNode node);
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_TERM_INDEXMANAGERIMPL_H
