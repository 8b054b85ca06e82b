//===- Term.cpp - Interning of element terms ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hash-consing table, leaves, bases and closures.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/Term.h"
#include "TermContextImpl.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

uint64_t panpipe::tv::hashOf(const llvm::APInt &value) {
  uint64_t h = value.getBitWidth();
  for (unsigned i = 0; i < value.getNumWords(); ++i)
    h = mixHash(h, value.getRawData()[i]);
  return h;
}
uint64_t panpipe::tv::hashOf(ScalarType type) {
  return mixHash(mixHash(unsigned(type.kind()), type.width()),
                 type.isFloat() ? unsigned(type.semantics()) : 99);
}
uint64_t panpipe::tv::hashOf(const ScalarAttrs &a) {
  return uint64_t(a.fastMath) | uint64_t(a.intFlags) << 8 |
         uint64_t(a.predicate) << 16 | uint64_t(a.rounding) << 24 |
         uint64_t(a.pick) << 32;
}

TermContext::TermContext()
    : indexManager(std::make_unique<IndexManager>()),
      impl(std::make_unique<Impl>()), ambientContext(emptyContext()) {}
TermContext::~TermContext() = default;
unsigned TermContext::numTerms() const { return impl->terms.size(); }
unsigned TermContext::numClosures() const { return impl->closures.size(); }

bool Term::hasLeaf(const IndexAtom *atom) const {
  return llvm::is_contained(leafAtoms, atom);
}

static bool sameContents(const Term &a, const Term &b) {
  return a.kind() == b.kind() && a.type() == b.type() &&
         a.symbol() == b.symbol() && a.base() == b.base() &&
         a.closure() == b.closure() && a.op() == b.op() &&
         a.attrs() == b.attrs() && a.indices() == b.indices() &&
         a.operands() == b.operands() && a.guard() == b.guard() &&
         (!a.isConst() || a.bits() == b.bits());
}

const Term *TermContext::intern(Term &&key) {
  uint64_t h = mixHash(unsigned(key.termKind), hashOf(key.scalarType));
  h = mixHash(h, key.which);
  h = mixHash(h, key.tensor ? key.tensor->id + 1 : 0);
  h = mixHash(h, key.function ? key.function->id + 1 : 0);
  h = mixHash(h, mixHash(unsigned(key.scalarOp), hashOf(key.scalarAttrs)));
  for (IndexTerm t : key.indexList)
    h = mixHash(h, t->id());
  for (const Term *t : key.operandList)
    h = mixHash(h, t->id());
  for (GuardAtom g : key.guardList)
    h = mixHash(h, g.poly->id() * 2 + g.isEquality);
  if (key.isConst())
    h = mixHash(h, hashOf(key.constant));
  auto &bucket = impl->table[h];
  for (const Term *t : bucket)
    if (sameContents(*t, key))
      return t;
  key.number = impl->terms.size();
  key.indexList = impl->copy(key.indexList);
  key.operandList = impl->copy(key.operandList);
  key.guardList = impl->copy(key.guardList);
  complete(key);
  impl->terms.push_back(std::move(key));
  bucket.push_back(&impl->terms.back());
  return &impl->terms.back();
}

/// Leaves, height, size, shape: functions of the contents.
void TermContext::complete(Term &t) {
  llvm::SmallVector<const IndexAtom *, 8> leaves;
  auto add = [&](llvm::ArrayRef<const IndexAtom *> list) {
    leaves.append(list.begin(), list.end());
  };
  uint64_t s = mixHash(unsigned(t.termKind), hashOf(t.scalarType));
  s = mixHash(s, t.which);
  s = mixHash(s, mixHash(unsigned(t.scalarOp), hashOf(t.scalarAttrs)));
  s = mixHash(s, t.tensor ? t.tensor->id + 1 : 0);
  s = mixHash(s, t.function ? closureShape(*t.function) : 0);
  if (t.isConst())
    s = mixHash(s, hashOf(t.constant));
  for (IndexTerm i : t.indexList)
    add(i->leaves());
  for (GuardAtom g : t.guardList)
    add(g.poly->leaves());
  t.elemParams =
      t.termKind == TermKind::ElemParam || t.termKind == TermKind::Acc;
  t.unspecified = t.tensor && t.tensor->kind == TensorBase::Kind::Unspecified;
  t.state = t.tensor && t.tensor->kind == TensorBase::Kind::State;
  if (t.tensor)
    for (const TensorBase::Operand &o : t.tensor->operands)
      t.state |= o.element.value->hasState() || o.element.poison->hasState();
  if (t.function)
    for (auto list : {llvm::ArrayRef(t.function->bodies),
                      llvm::ArrayRef(t.function->inits)})
      for (const Term *part : list)
        t.state |= part->hasState();
  for (const Term *o : t.operandList) {
    add(o->leaves());
    s = mixHash(s, o->shapeHash());
    t.height = std::max(t.height, o->depth());
    t.treeSize = std::min(1u << 20, t.treeSize + o->size());
    t.elemParams |= o->hasElemParams();
    t.unspecified |= o->hasUnspecified();
    t.state |= o->hasState();
  }
  // A case distinction computes nothing and does not count as a level.
  if (!t.operandList.empty() && t.termKind != TermKind::Ite)
    ++t.height;
  t.shape = s;
  llvm::sort(leaves, [](auto *a, auto *b) { return a->id < b->id; });
  leaves.erase(llvm::unique(leaves), leaves.end());
  t.leafAtoms = impl->copy(llvm::ArrayRef<const IndexAtom *>(leaves));
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

const Term *TermContext::mkConst(ScalarType type, const llvm::APInt &bits) {
  assert(bits.getBitWidth() == type.width());
  Term t(TermKind::Const, type);
  t.constant = bits;
  return intern(std::move(t));
}
const Term *TermContext::mkInt(ScalarType type, int64_t value) {
  return mkConst(type, llvm::APInt(type.width(), uint64_t(value), true,
                                   /*implicitTrunc=*/true));
}
const Term *TermContext::mkBool(bool value) {
  return mkInt(ScalarType::boolean(), value ? 1 : 0);
}
const Term *TermContext::mkFloat(ScalarType type, double value) {
  llvm::APFloat f(value);
  bool losesInfo;
  f.convert(type.fltSemantics(), llvm::APFloat::rmNearestTiesToEven,
            &losesInfo);
  return mkConst(type, f.bitcastToAPInt());
}
const Term *TermContext::mkSymbol(ScalarType type, llvm::StringRef name) {
  Term t(TermKind::Symbol, type);
  t.which = impl->nextSymbol++;
  char *mem = impl->arena.Allocate<char>(name.size());
  llvm::copy(name, mem);
  t.symbolName = llvm::StringRef(mem, name.size());
  return intern(std::move(t));
}
const Term *TermContext::mkRead(const TensorBase *base,
                                llvm::ArrayRef<IndexTerm> at) {
  assert(at.size() == base->rank);
  Term t(TermKind::Read, base->type);
  t.tensor = base;
  t.indexList = at;
  return intern(std::move(t));
}
const Term *TermContext::mkPoisonRead(const TensorBase *base,
                                      llvm::ArrayRef<IndexTerm> at) {
  assert(at.size() == base->rank);
  Term t(TermKind::PoisonRead, ScalarType::boolean());
  t.tensor = base;
  t.indexList = at;
  return intern(std::move(t));
}
const Term *TermContext::mkIndexValue(ScalarType type, IndexTerm value) {
  if (auto c = value.constant()) {
    // Modulo 2^width, whatever the size of the constant.
    DynamicAPInt modulus(1);
    for (unsigned i = 0; i < type.width(); ++i)
      modulus *= 2;
    DynamicAPInt m = mod(*c, modulus);
    llvm::APInt bits(type.width(), 0);
    for (unsigned i = 0; i < type.width() && m != 0; ++i) {
      if (m % 2 != 0)
        bits.setBit(i);
      m /= 2;
    }
    return mkConst(type, bits);
  }
  Term t(TermKind::IndexValue, type);
  t.indexList = value;
  return intern(std::move(t));
}
const Term *TermContext::mkElemParam(ScalarType type, unsigned number) {
  Term t(TermKind::ElemParam, type);
  t.which = number;
  return intern(std::move(t));
}
const Term *TermContext::mkAcc(ScalarType type, unsigned number) {
  Term t(TermKind::Acc, type);
  t.which = number;
  return intern(std::move(t));
}

//===----------------------------------------------------------------------===//
// Applications, bases, closures
//===----------------------------------------------------------------------===//

const Term *TermContext::mkApp(const Closure *closure,
                               llvm::ArrayRef<IndexTerm> indexArgs,
                               llvm::ArrayRef<const Term *> elemArgs) {
  Term t(TermKind::App, closure->type);
  t.function = closure;
  t.indexList = indexArgs;
  llvm::SmallVector<const Term *, 4> args;
  for (const Term *a : elemArgs)
    args.push_back(naming && a->depth() >= kMaxHeight ? nameTerm(a) : a);
  t.operandList = args;
  return intern(std::move(t));
}

const Term *TermContext::mkOpaque(llvm::StringRef name, ScalarType type,
                                  llvm::ArrayRef<const Term *> args) {
  Closure c;
  c.kind = Closure::Kind::Opaque;
  c.type = type;
  c.name = name.str();
  for (const Term *a : args)
    c.elemParams.push_back(a->type());
  return mkApp(internClosure(std::move(c)), {}, args);
}

const TensorBase *TermContext::argumentBase(llvm::StringRef name,
                                            ScalarType type, unsigned rank) {
  for (const TensorBase &b : impl->bases)
    if (b.kind == TensorBase::Kind::Argument && b.name == name) {
      assert(b.type == type && b.rank == rank && "one name, one tensor");
      return &b;
    }
  return impl->add({TensorBase::Kind::Argument, 0, name.str(), type, rank, {}});
}

const TensorBase *TermContext::stateBase(llvm::StringRef name, ScalarType type,
                                         unsigned rank) {
  for (const TensorBase &b : impl->bases)
    if (b.kind == TensorBase::Kind::State && b.name == name && b.type == type &&
        b.rank == rank)
      return &b;
  return impl->add({TensorBase::Kind::State, 0, name.str(), type, rank, {}});
}

const TensorBase *TermContext::unspecifiedBase(ScalarType type, unsigned rank) {
  return impl->add(
      {TensorBase::Kind::Unspecified, 0, "unspecified", type, rank, {}});
}

const TensorBase *TermContext::choiceBase(const TensorBase *unspecified,
                                          unsigned iterations) {
  return impl->add({TensorBase::Kind::Choice,
                    0,
                    "choice",
                    unspecified->type,
                    unspecified->rank + iterations,
                    {},
                    0,
                    unspecified->rank});
}

const TensorBase *
TermContext::opaqueBase(llvm::StringRef name, unsigned result, ScalarType type,
                        unsigned rank,
                        std::vector<TensorBase::Operand> operands) {
  auto same = [&](const TensorBase::Operand &a, const TensorBase::Operand &b) {
    return a.type == b.type && a.shape == b.shape && a.element == b.element;
  };
  for (const TensorBase &b : impl->bases)
    if (b.kind == TensorBase::Kind::Opaque && b.name == name &&
        b.result == result && b.type == type && b.rank == rank &&
        b.operands.size() == operands.size() &&
        llvm::all_of(llvm::zip(b.operands, operands), [&](auto pair) {
          return same(std::get<0>(pair), std::get<1>(pair));
        }))
      return &b;
  return impl->add({TensorBase::Kind::Opaque, 0, name.str(), type, rank,
                    std::move(operands), result});
}

uint64_t panpipe::tv::closureShape(const Closure &c) {
  uint64_t h = mixHash(unsigned(c.kind), hashOf(c.type));
  h = mixHash(h, mixHash(unsigned(c.op), hashOf(c.attrs)));
  for (IndexTerm e : c.extents)
    h = mixHash(h, e->structuralHash());
  for (const Term *t : c.bodies)
    h = mixHash(h, t->shapeHash());
  for (const Term *t : c.inits)
    h = mixHash(h, t->shapeHash());
  for (char ch : c.name)
    h = mixHash(h, uint64_t(ch));
  return mixHash(h, c.result);
}

static bool sameClosure(const Closure &a, const Closure &b) {
  return a.kind == b.kind && a.type == b.type && a.op == b.op &&
         a.attrs == b.attrs && a.extents == b.extents && a.guard == b.guard &&
         a.bodies == b.bodies && a.inits == b.inits && a.result == b.result &&
         a.numIndexParams == b.numIndexParams && a.elemParams == b.elemParams &&
         a.name == b.name;
}

const Closure *TermContext::internClosure(Closure &&closure) {
  uint64_t h = closureShape(closure);
  for (GuardAtom g : closure.guard)
    h = mixHash(h, g.poly->id());
  for (const Term *t : closure.bodies)
    h = mixHash(h, t->id());
  for (const Term *t : closure.inits)
    h = mixHash(h, t->id());
  auto &bucket = impl->closureTable[h];
  for (const Closure *c : bucket)
    if (sameClosure(*c, closure))
      return c;
  closure.id = impl->closures.size();
  impl->closures.push_back(std::move(closure));
  bucket.push_back(&impl->closures.back());
  return bucket.back();
}
