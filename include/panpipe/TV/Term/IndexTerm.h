//===- IndexTerm.h - Index polynomials and their contexts -------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An index is an exact integer polynomial whose only non-linear atom is a
/// floor division. Polynomials are interned: equal normal forms are equal
/// pointers. What is known of the atoms lives in an immutable IndexContext; a
/// term that was simplified in a context equals the original only in that
/// context. The mathematics is in docs/TV/Terms.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_TERM_INDEXTERM_H
#define PANPIPE_TV_TERM_INDEXTERM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace panpipe::tv {

using llvm::DynamicAPInt;

class IndexManager;
class IndexPoly;

enum class AtomKind : uint8_t {
  Var,     ///< output index, loop counter, variable of an opened fold
  Bound,   ///< bound variable of a closure
  Param,   ///< index parameter of a closure
  Dim,     ///< a dynamic size, >= 0; >= 1 only where a context says so
  Int,     ///< any other integer symbol; no sign
  FloorDiv ///< floor(num / den), den >= 1
};

/// A polynomial, by pointer. Null when default constructed. Arithmetic needs no
/// context: +, -, * are exact on polynomials.
class IndexTerm {
public:
  IndexTerm() = default;
  explicit IndexTerm(const IndexPoly *poly) : poly(poly) {}

  explicit operator bool() const { return poly != nullptr; }
  bool operator==(IndexTerm o) const { return poly == o.poly; }
  bool operator!=(IndexTerm o) const { return poly != o.poly; }

  IndexTerm operator+(IndexTerm o) const;
  IndexTerm operator-(IndexTerm o) const;
  IndexTerm operator*(IndexTerm o) const;
  IndexTerm operator+(int64_t o) const;
  IndexTerm operator-(int64_t o) const;
  IndexTerm operator*(int64_t o) const;
  IndexTerm operator-() const;

  bool isConstant() const;
  bool isZero() const;
  /// The value of a constant; nothing otherwise.
  std::optional<DynamicAPInt> constant() const;
  std::optional<int64_t> constantInt64() const;
  /// True for a single atom with coefficient 1.
  bool isAtom() const;
  bool isAtom(AtomKind kind) const;

  const IndexPoly &operator*() const { return *poly; }
  const IndexPoly *operator->() const { return poly; }
  const IndexPoly *get() const { return poly; }
  std::string str() const;

private:
  const IndexPoly *poly = nullptr;
};

/// One atom; interned, numbered in order of creation.
struct IndexAtom {
  AtomKind kind;
  unsigned number;      ///< of its kind: Var 3, Param 1, …
  unsigned id;          ///< in order of creation, over all kinds
  IndexTerm num, den;   ///< of a FloorDiv
  std::string name;     ///< of a Dim or Int, for messages
  IndexTerm definition; ///< of an opaque Dim: what it stands for, or null
  IndexTerm term;       ///< the atom as a polynomial
};

/// A product of atoms, sorted; the empty product is 1. Interned.
struct IndexMonomial {
  llvm::SmallVector<const IndexAtom *, 2> atoms;
  unsigned id;
  bool contains(const IndexAtom *atom) const;
};

struct IndexSummand {
  const IndexMonomial *monomial;
  DynamicAPInt coefficient; ///< never 0
};

/// The interned polynomial. Summands are sorted structurally (not by address).
class IndexPoly {
public:
  llvm::ArrayRef<IndexSummand> summands() const { return terms; }
  unsigned id() const { return number; }
  IndexManager &manager() const { return *owner; }
  /// All atoms that occur, inside divisions too, without the divisions
  /// themselves, in structural order. Of closed terms only Dims.
  llvm::ArrayRef<const IndexAtom *> leaves() const { return leafAtoms; }
  bool hasLeaf(const IndexAtom *atom) const;
  bool hasLeafOfKind(AtomKind kind) const {
    return kinds & (1u << unsigned(kind));
  }
  bool hasDivision() const {
    return kinds & (1u << unsigned(AtomKind::FloorDiv));
  }
  DynamicAPInt constantPart() const;
  /// Coefficient of the summand that is exactly `atom`, 0 if there is none.
  DynamicAPInt coefficientOf(const IndexAtom *atom) const;
  /// The atom of a polynomial that is just one atom, else null.
  const IndexAtom *asAtom() const;
  /// Structural hash; the same in every run.
  uint64_t structuralHash() const { return hash; }

private:
  friend class IndexManager;
  llvm::SmallVector<IndexSummand, 3> terms;
  llvm::SmallVector<const IndexAtom *, 4> leafAtoms;
  IndexManager *owner = nullptr;
  unsigned number = 0;
  unsigned kinds = 0;
  uint64_t hash = 0;
};

/// A total order of polynomials that does not depend on the order of creation
/// (divisions aside): negative, zero, positive.
int compareStructurally(IndexTerm a, IndexTerm b);

/// `poly >= 0`, or `poly == 0` where `isEquality`.
struct GuardAtom {
  IndexTerm poly;
  bool isEquality = false;

  bool operator==(const GuardAtom &o) const {
    return poly == o.poly && isEquality == o.isEquality;
  }
  bool operator!=(const GuardAtom &o) const { return !(*this == o); }
  /// Divides by the common divisor of the coefficients, rounding the constant
  /// down (exact over the integers), and fixes the sign of equalities.
  GuardAtom normalized() const;
  std::string str() const;
};
inline GuardAtom geZero(IndexTerm p) { return GuardAtom{p, false}; }
inline GuardAtom eqZero(IndexTerm p) { return GuardAtom{p, true}; }
/// A conjunction.
using Guard = llvm::SmallVector<GuardAtom, 4>;

/// Replaces atoms (Var, Bound, Param, Int, Dim) by polynomials, all at once.
class IndexSubst {
public:
  void set(const IndexAtom *atom, IndexTerm by) { map[atom] = by; }
  void set(IndexTerm atom, IndexTerm by) { map[atom->asAtom()] = by; }
  IndexTerm lookup(const IndexAtom *atom) const { return map.lookup(atom); }
  bool touches(IndexTerm p) const;
  bool empty() const { return map.empty(); }

private:
  llvm::DenseMap<const IndexAtom *, IndexTerm> map;
};

namespace detail {
struct ContextNode;
} // namespace detail

/// Immutable facts: ranges of variables, guards, dims known to be >= 1.
/// Extending makes a new context; equal histories are equal pointers. Cheap to
/// copy; lives as long as its IndexManager.
class IndexContext {
public:
  /// lo <= var <= hi. A later range replaces an earlier one.
  IndexContext withRange(IndexTerm var, IndexTerm lo, IndexTerm hi) const;
  /// 0 <= var <= extent - 1.
  IndexContext withExtent(IndexTerm var, IndexTerm extent) const;
  /// Every dim of the product `dims` is >= 1.
  IndexContext withPositiveDims(IndexTerm dims) const;
  /// Tightens a range where the atom mentions one variable linearly with
  /// constant bounds; lists the fact otherwise.
  IndexContext assume(GuardAtom atom) const;
  IndexContext assume(llvm::ArrayRef<GuardAtom> guard) const;

  /// Sound, incomplete sign test: true means p >= 0 wherever the context holds.
  bool nonneg(IndexTerm p) const;
  bool isZero(IndexTerm p) const;
  bool provablyEqual(IndexTerm a, IndexTerm b) const { return isZero(a - b); }
  bool provablyDifferent(IndexTerm a, IndexTerm b) const;
  /// True: always holds. False: never holds. Nothing: not known.
  std::optional<bool> decide(GuardAtom atom) const;
  /// A range is visibly empty, or a fact visibly contradicts the ranges.
  bool isContradictory() const;

  /// floor(e / d) in normal form; d >= 1 must hold in this context (a constant
  /// or a product of dims is expected; see isDivisor).
  IndexTerm floorDiv(IndexTerm e, IndexTerm d) const;
  IndexTerm mod(IndexTerm e, IndexTerm d) const;
  IndexTerm ceilDiv(IndexTerm e, IndexTerm d) const;
  /// Replaces atoms and rebuilds every division that is touched, here.
  IndexTerm substitute(IndexTerm p, const IndexSubst &subst) const;
  /// Rebuilds every division of `p`, and replaces variables that can have only
  /// one value by it.
  IndexTerm rebuild(IndexTerm p) const;

  /// Range of a variable: {lo, hi}, null where unknown.
  std::pair<IndexTerm, IndexTerm> range(const IndexAtom *var) const;
  bool isPositiveDim(const IndexAtom *dim) const;
  /// Every variable with a range, in order of first mention.
  llvm::SmallVector<IndexTerm, 8> rangedVars() const;
  /// The listed facts (ranges apart), oldest first.
  Guard facts() const;
  /// The part of this context that concerns the given variables: their ranges
  /// (and those of the variables these mention) and no facts.
  IndexContext rangesOnly(llvm::ArrayRef<const IndexAtom *> vars) const;
  /// True if facts are listed.
  bool hasFacts() const;
  IndexManager &manager() const;
  const void *key() const { return node; }
  bool operator==(const IndexContext &o) const { return node == o.node; }
  std::string str() const;

private:
  friend class IndexManager;
  explicit IndexContext(const detail::ContextNode *node) : node(node) {}
  const detail::ContextNode *node;
};

/// Owns atoms, polynomials and contexts.
class IndexManager {
public:
  IndexManager();
  ~IndexManager();
  IndexManager(const IndexManager &) = delete;
  IndexManager &operator=(const IndexManager &) = delete;

  IndexTerm constant(int64_t value);
  IndexTerm constant(const DynamicAPInt &value);
  IndexTerm var(unsigned number) { return atom(AtomKind::Var, number); }
  IndexTerm bound(unsigned number) { return atom(AtomKind::Bound, number); }
  IndexTerm param(unsigned number) { return atom(AtomKind::Param, number); }
  /// A variable that occurs nowhere yet.
  IndexTerm freshVar() { return var(nextVar++); }
  /// A new symbol each time; keep the result.
  IndexTerm freshDim(llvm::StringRef name);
  IndexTerm freshInt(llvm::StringRef name);
  /// A dim that stands for `size`: `size` itself if it is a constant or a
  /// product of dims, else a Dim interned by its defining polynomial.
  IndexTerm dimFor(IndexTerm size);
  /// FloorDiv(e, d) as it stands, without simplification (keys of closures).
  IndexTerm rawFloorDiv(IndexTerm e, IndexTerm d);
  /// A positive constant, or a product of dims with positive coefficient.
  static bool isDivisor(IndexTerm d);
  IndexContext emptyContext() const;

  /// For normal forms; `summands` need not be sorted or merged.
  IndexTerm fromSummands(llvm::SmallVectorImpl<IndexSummand> &&summands);
  const IndexMonomial *monomial(llvm::ArrayRef<const IndexAtom *> atoms);
  IndexTerm fromMonomial(const IndexMonomial *m, const DynamicAPInt &c);
  /// Numbers of variables below this are never made by freshVar.
  static constexpr unsigned kFirstFreshVar = 1u << 20;

private:
  friend class IndexContext;
  IndexTerm atom(AtomKind kind, unsigned number);
  struct Impl;
  std::unique_ptr<Impl> impl;
  unsigned nextVar = kFirstFreshVar;
};

/// Splits e = d·q + r summand by summand (2.3 rule 1): for a constant divisor
/// each coefficient is divided with remainder in [0, d-1]; for a product of
/// dims the monomials it divides go to q. An identity for every d >= 1.
std::pair<IndexTerm, IndexTerm> splitByDivisor(IndexTerm e, IndexTerm d);

/// Decides what ranges cannot: conjunctions of linear facts over the integers.
/// Pluggable: Presburger in process, or a solver.
class IndexOracle {
public:
  virtual ~IndexOracle();
  /// Has `guard` no integer solution in `context`? True and false are proofs;
  /// nothing means unknown.
  virtual std::optional<bool> isEmpty(const IndexContext &context,
                                      llvm::ArrayRef<GuardAtom> guard) = 0;
  unsigned queries = 0;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, IndexTerm p);

} // namespace panpipe::tv

namespace llvm {
template <> struct DenseMapInfo<panpipe::tv::IndexTerm> {
  using Base = DenseMapInfo<const panpipe::tv::IndexPoly *>;
  static panpipe::tv::IndexTerm getEmptyKey() {
    return panpipe::tv::IndexTerm(Base::getEmptyKey());
  }
  static panpipe::tv::IndexTerm getTombstoneKey() {
    return panpipe::tv::IndexTerm(Base::getTombstoneKey());
  }
  static unsigned getHashValue(panpipe::tv::IndexTerm p) {
    return Base::getHashValue(p.get());
  }
  static bool isEqual(panpipe::tv::IndexTerm a, panpipe::tv::IndexTerm b) {
    return a == b;
  }
};
} // namespace llvm

#endif // PANPIPE_TV_TERM_INDEXTERM_H
