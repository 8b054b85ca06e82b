//===- IndexPoly.cpp - Interned index polynomials -------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atoms, monomials and polynomials with exact coefficients; printing.
///
//===----------------------------------------------------------------------===//

#include "IndexManagerImpl.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace panpipe::tv;

IndexOracle::~IndexOracle() = default;

uint64_t panpipe::tv::hashOf(const DynamicAPInt &value) {
  if (value >= INT64_MIN && value <= INT64_MAX)
    return mixHash(17, uint64_t(int64_t(value)));
  // Rare: beyond 64 bits, fold the value in.
  DynamicAPInt modulus(int64_t(1) << 62);
  return mixHash(mixHash(23, uint64_t(int64_t(mod(value, modulus)))),
                 value < 0 ? 1 : 2);
}

int panpipe::tv::compareAtoms(const IndexAtom *a, const IndexAtom *b) {
  if (a == b)
    return 0;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  if (a->kind != AtomKind::FloorDiv)
    return a->number < b->number ? -1 : 1;
  if (int c = compareStructurally(a->den, b->den))
    return c;
  return compareStructurally(a->num, b->num);
}

int panpipe::tv::compareMonomials(const IndexMonomial *a,
                                  const IndexMonomial *b) {
  if (a == b)
    return 0;
  for (auto [x, y] : llvm::zip(a->atoms, b->atoms))
    if (int c = compareAtoms(x, y))
      return c;
  return a->atoms.size() < b->atoms.size() ? -1 : 1;
}

int panpipe::tv::compareStructurally(IndexTerm a, IndexTerm b) {
  if (a == b)
    return 0;
  // Constants last: terms that differ by an offset keep their order when both
  // are shifted.
  auto x = a->summands(), y = b->summands();
  DynamicAPInt cx = a->constantPart(), cy = b->constantPart();
  if (cx != 0)
    x = x.drop_front();
  if (cy != 0)
    y = y.drop_front();
  for (auto [s, t] : llvm::zip(x, y)) {
    if (int c = compareMonomials(s.monomial, t.monomial))
      return c;
    if (s.coefficient != t.coefficient)
      return s.coefficient < t.coefficient ? -1 : 1;
  }
  if (x.size() != y.size())
    return x.size() < y.size() ? -1 : 1;
  return cx < cy ? -1 : 1;
}

bool IndexMonomial::contains(const IndexAtom *atom) const {
  return llvm::is_contained(atoms, atom);
}

bool IndexPoly::hasLeaf(const IndexAtom *atom) const {
  return llvm::is_contained(leafAtoms, atom);
}

DynamicAPInt IndexPoly::constantPart() const {
  // The empty monomial sorts first.
  if (!terms.empty() && terms.front().monomial->atoms.empty())
    return terms.front().coefficient;
  return DynamicAPInt(0);
}

DynamicAPInt IndexPoly::coefficientOf(const IndexAtom *atom) const {
  for (const IndexSummand &s : terms)
    if (s.monomial->atoms.size() == 1 && s.monomial->atoms[0] == atom)
      return s.coefficient;
  return DynamicAPInt(0);
}

const IndexAtom *IndexPoly::asAtom() const {
  if (terms.size() != 1 || terms[0].monomial->atoms.size() != 1 ||
      terms[0].coefficient != 1)
    return nullptr;
  return terms[0].monomial->atoms[0];
}

//===----------------------------------------------------------------------===//
// Interning
//===----------------------------------------------------------------------===//

IndexManager::IndexManager() : impl(std::make_unique<Impl>()) {
  monomial({}); // id 0
  impl->nodes.emplace_back();
  impl->nodes.back().manager = this;
}
IndexManager::~IndexManager() = default;

IndexTerm IndexManager::atom(AtomKind kind, unsigned number) {
  const IndexAtom *&slot = impl->atomTable[{unsigned(kind), number}];
  if (slot)
    return slot->term;
  IndexAtom &a = impl->atoms.emplace_back();
  a.kind = kind;
  a.number = number;
  a.id = impl->atoms.size();
  slot = &a;
  a.term = fromMonomial(monomial({&a}), DynamicAPInt(1));
  return a.term;
}

IndexTerm IndexManager::freshDim(llvm::StringRef name) {
  IndexTerm t = atom(AtomKind::Dim, impl->nextDim++);
  const_cast<IndexAtom *>(t->asAtom())->name = name.str();
  return t;
}

IndexTerm IndexManager::freshInt(llvm::StringRef name) {
  IndexTerm t = atom(AtomKind::Int, impl->nextInt++);
  const_cast<IndexAtom *>(t->asAtom())->name = name.str();
  return t;
}

/// A product of dims with a positive coefficient, or a positive constant.
bool IndexManager::isDivisor(IndexTerm d) {
  if (d->summands().size() != 1)
    return false;
  const IndexSummand &s = d->summands()[0];
  return s.coefficient > 0 && llvm::all_of(s.monomial->atoms, [](auto *a) {
           return a->kind == AtomKind::Dim;
         });
}

IndexTerm IndexManager::dimFor(IndexTerm size) {
  if (size.isConstant() || isDivisor(size))
    return size;
  IndexTerm &slot = impl->opaqueDims[size.get()];
  if (!slot) {
    IndexTerm dim = freshDim("<" + size.str() + ">");
    const_cast<IndexAtom *>(dim->asAtom())->definition = size;
    // freshDim does not touch opaqueDims, so `slot` is still valid.
    slot = dim;
  }
  return slot;
}

IndexTerm IndexManager::rawFloorDiv(IndexTerm e, IndexTerm d) {
  const IndexAtom *&slot = impl->divisions[{e.get(), d.get()}];
  if (slot)
    return slot->term;
  IndexAtom &a = impl->atoms.emplace_back();
  a.kind = AtomKind::FloorDiv;
  a.number = impl->divisions.size();
  a.id = impl->atoms.size();
  a.num = e;
  a.den = d;
  slot = &a;
  a.term = fromMonomial(monomial({&a}), DynamicAPInt(1));
  return a.term;
}

const IndexMonomial *
IndexManager::monomial(llvm::ArrayRef<const IndexAtom *> atoms) {
  llvm::SmallVector<const IndexAtom *, 4> sorted(atoms);
  llvm::sort(sorted, [](auto *a, auto *b) { return compareAtoms(a, b) < 0; });
  uint64_t hash = sorted.size();
  for (const IndexAtom *a : sorted)
    hash = mixHash(hash, a->id);
  auto &bucket = impl->monomialTable[hash];
  for (const IndexMonomial *m : bucket)
    if (m->atoms == sorted)
      return m;
  IndexMonomial &m = impl->monomials.emplace_back();
  m.atoms.assign(sorted.begin(), sorted.end());
  m.id = impl->monomials.size();
  bucket.push_back(&m);
  return &m;
}

IndexTerm IndexManager::fromMonomial(const IndexMonomial *m,
                                     const DynamicAPInt &c) {
  llvm::SmallVector<IndexSummand, 1> terms;
  if (c != 0)
    terms.push_back({m, c});
  return fromSummands(std::move(terms));
}

IndexTerm IndexManager::constant(const DynamicAPInt &value) {
  return fromMonomial(&impl->monomials.front(), value);
}
IndexTerm IndexManager::constant(int64_t value) {
  return constant(DynamicAPInt(value));
}

static uint64_t atomHash(const IndexAtom *a) {
  uint64_t h = mixHash(unsigned(a->kind), 0x51);
  if (a->kind != AtomKind::FloorDiv)
    return mixHash(h, a->number);
  return mixHash(mixHash(h, a->num->structuralHash()),
                 a->den->structuralHash());
}

static void addLeaves(llvm::SmallVectorImpl<const IndexAtom *> &leaves,
                      unsigned &kinds, const IndexAtom *a) {
  kinds |= 1u << unsigned(a->kind);
  if (a->kind != AtomKind::FloorDiv) {
    leaves.push_back(a);
    return;
  }
  for (const IndexAtom *x : a->num->leaves())
    addLeaves(leaves, kinds, x);
  for (const IndexAtom *x : a->den->leaves())
    addLeaves(leaves, kinds, x);
}

IndexTerm
IndexManager::fromSummands(llvm::SmallVectorImpl<IndexSummand> &&terms) {
  if (terms.size() > 1) {
    llvm::sort(terms, [](const IndexSummand &a, const IndexSummand &b) {
      return compareMonomials(a.monomial, b.monomial) < 0;
    });
    unsigned out = 0;
    for (unsigned i = 0; i < terms.size();) {
      IndexSummand sum = terms[i];
      for (++i; i < terms.size() && terms[i].monomial == sum.monomial; ++i)
        sum.coefficient += terms[i].coefficient;
      if (sum.coefficient != 0)
        terms[out++] = sum;
    }
    terms.resize(out, IndexSummand{nullptr, DynamicAPInt(0)});
  } else if (terms.size() == 1 && terms[0].coefficient == 0) {
    terms.clear();
  }
  uint64_t key = terms.size();
  for (const IndexSummand &s : terms)
    key = mixHash(mixHash(key, s.monomial->id), hashOf(s.coefficient));
  auto &bucket = impl->polyTable[key];
  for (const IndexPoly *p : bucket) {
    if (p->terms.size() == terms.size() &&
        llvm::all_of(llvm::zip(p->terms, terms), [](auto pair) {
          auto &[a, b] = pair;
          return a.monomial == b.monomial && a.coefficient == b.coefficient;
        }))
      return IndexTerm(p);
  }
  IndexPoly &p = impl->polys.emplace_back();
  p.owner = this;
  p.number = impl->polys.size();
  p.terms.assign(terms.begin(), terms.end());
  for (const IndexSummand &s : p.terms) {
    p.hash = mixHash(p.hash, hashOf(s.coefficient));
    for (const IndexAtom *a : s.monomial->atoms) {
      p.hash = mixHash(p.hash, atomHash(a));
      addLeaves(p.leafAtoms, p.kinds, a);
    }
  }
  llvm::sort(p.leafAtoms,
             [](auto *a, auto *b) { return compareAtoms(a, b) < 0; });
  p.leafAtoms.erase(llvm::unique(p.leafAtoms), p.leafAtoms.end());
  bucket.push_back(&p);
  return IndexTerm(&p);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

IndexTerm IndexTerm::operator+(IndexTerm o) const {
  if (isZero())
    return o;
  if (o.isZero())
    return *this;
  llvm::SmallVector<IndexSummand, 8> terms(poly->summands());
  terms.append(o->summands().begin(), o->summands().end());
  return poly->manager().fromSummands(std::move(terms));
}
IndexTerm IndexTerm::operator-() const { return *this * int64_t(-1); }
IndexTerm IndexTerm::operator-(IndexTerm o) const {
  if (*this == o)
    return poly->manager().constant(0);
  return *this + -o;
}
IndexTerm IndexTerm::operator*(IndexTerm o) const {
  IndexManager &m = poly->manager();
  llvm::SmallVector<IndexSummand, 8> terms;
  for (const IndexSummand &a : poly->summands())
    for (const IndexSummand &b : o->summands()) {
      llvm::SmallVector<const IndexAtom *, 4> atoms(
          llvm::ArrayRef(a.monomial->atoms));
      atoms.append(b.monomial->atoms.begin(), b.monomial->atoms.end());
      terms.push_back({m.monomial(atoms), a.coefficient * b.coefficient});
    }
  return m.fromSummands(std::move(terms));
}
IndexTerm IndexTerm::operator+(int64_t o) const {
  return o == 0 ? *this : *this + poly->manager().constant(o);
}
IndexTerm IndexTerm::operator-(int64_t o) const {
  return o == 0 ? *this : *this + -poly->manager().constant(o);
}
IndexTerm IndexTerm::operator*(int64_t o) const {
  if (o == 1)
    return *this;
  llvm::SmallVector<IndexSummand, 8> terms(poly->summands());
  for (IndexSummand &s : terms)
    s.coefficient *= o;
  if (o == 0)
    terms.clear();
  return poly->manager().fromSummands(std::move(terms));
}

bool IndexTerm::isZero() const { return poly->summands().empty(); }
bool IndexTerm::isConstant() const {
  return isZero() || (poly->summands().size() == 1 &&
                      poly->summands()[0].monomial->atoms.empty());
}
std::optional<DynamicAPInt> IndexTerm::constant() const {
  if (!isConstant())
    return std::nullopt;
  return poly->constantPart();
}
std::optional<int64_t> IndexTerm::constantInt64() const {
  if (!isConstant())
    return std::nullopt;
  DynamicAPInt c = poly->constantPart();
  if (c < INT64_MIN || c > INT64_MAX)
    return std::nullopt;
  return int64_t(c);
}
bool IndexTerm::isAtom() const { return poly->asAtom() != nullptr; }
bool IndexTerm::isAtom(AtomKind kind) const {
  const IndexAtom *a = poly->asAtom();
  return a && a->kind == kind;
}

bool IndexSubst::touches(IndexTerm p) const {
  return llvm::any_of(p->leaves(),
                      [&](const IndexAtom *a) { return map.count(a) != 0; });
}

GuardAtom GuardAtom::normalized() const {
  DynamicAPInt g(0), c = poly->constantPart();
  auto rest = poly->summands();
  if (c != 0)
    rest = rest.drop_front();
  if (rest.empty())
    return *this;
  for (const IndexSummand &s : rest)
    g = gcd(g, abs(s.coefficient));
  IndexManager &m = poly->manager();
  if (isEquality && mod(c, g) != 0)
    return {m.constant(1), true}; // never zero
  llvm::SmallVector<IndexSummand, 4> terms;
  bool flip = isEquality && rest.front().coefficient < 0;
  for (const IndexSummand &s : rest)
    terms.push_back({s.monomial, (flip ? -s.coefficient : s.coefficient) / g});
  IndexTerm p = m.fromSummands(std::move(terms));
  c = floorDiv(flip ? -c : c, g);
  return {p + m.constant(c), isEquality};
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printAtom(llvm::raw_ostream &os, const IndexAtom *a) {
  switch (a->kind) {
  case AtomKind::Var:
    os << (a->number < IndexManager::kFirstFreshVar ? "i" : "v")
       << (a->number < IndexManager::kFirstFreshVar
               ? a->number
               : a->number - IndexManager::kFirstFreshVar);
    return;
  case AtomKind::Bound:
    os << "b" << a->number;
    return;
  case AtomKind::Param:
    os << "p" << a->number;
    return;
  case AtomKind::Dim:
  case AtomKind::Int:
    os << a->name;
    return;
  case AtomKind::FloorDiv:
    os << "fd(" << a->num << ", " << a->den << ")";
    return;
  }
}

llvm::raw_ostream &panpipe::tv::operator<<(llvm::raw_ostream &os, IndexTerm p) {
  if (!p)
    return os << "<null>";
  if (p.isZero())
    return os << "0";
  auto terms = p->summands();
  bool first = true;
  auto printOne = [&](const IndexSummand &s) {
    DynamicAPInt c = s.coefficient;
    if (!first || c < 0)
      os << (c < 0 ? (first ? "-" : " - ") : " + ");
    first = false;
    c = abs(c);
    if (s.monomial->atoms.empty() || c != 1)
      os << c;
    bool star = c != 1;
    for (const IndexAtom *a : s.monomial->atoms) {
      if (star)
        os << "*";
      star = true;
      printAtom(os, a);
    }
  };
  bool constantFirst = terms.front().monomial->atoms.empty();
  for (const IndexSummand &s : terms.drop_front(constantFirst))
    printOne(s);
  if (constantFirst)
    printOne(terms.front());
  return os;
}

std::string IndexTerm::str() const {
  std::string s;
  llvm::raw_string_ostream(s) << *this;
  return s;
}
std::string GuardAtom::str() const {
  return poly.str() + (isEquality ? " = 0" : " >= 0");
}
