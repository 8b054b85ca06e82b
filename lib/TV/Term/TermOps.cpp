//===- TermOps.cpp - Building operations and case distinctions ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// mkOp and mkIte with the simplifications that need no floating-point
/// argument; the proved scalar rules are in NormalForms.cpp.
///
//===----------------------------------------------------------------------===//

#include "TermContextImpl.h"
#include "panpipe/TV/Term/Term.h"

#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

bool panpipe::tv::isCommutative(ScalarOp op, const ScalarAttrs &attrs) {
  switch (op) {
  case ScalarOp::AddI:
  case ScalarOp::MulI:
  case ScalarOp::MulHighSI:
  case ScalarOp::MulHighUI:
  case ScalarOp::AddUICarry:
  case ScalarOp::AndI:
  case ScalarOp::OrI:
  case ScalarOp::XOrI:
  case ScalarOp::MinSI:
  case ScalarOp::MaxSI:
  case ScalarOp::MinUI:
  case ScalarOp::MaxUI:
  case ScalarOp::AddF:
  case ScalarOp::MulF:
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
  case ScalarOp::Fma: // the factors
    return true;
  case ScalarOp::CmpI:
    return attrs.predicate <= 1; // eq, ne
  default:
    return false;
  }
}

static int compareLists(llvm::ArrayRef<IndexTerm> a,
                        llvm::ArrayRef<IndexTerm> b) {
  for (auto [x, y] : llvm::zip(a, b))
    if (int c = compareStructurally(x, y))
      return c;
  return int(a.size()) - int(b.size());
}

int panpipe::tv::compareTerms(const Term *a, const Term *b) {
  if (a == b)
    return 0;
  if (a->shapeHash() != b->shapeHash())
    return a->shapeHash() < b->shapeHash() ? -1 : 1;
  if (int c = compareLists(a->indices(), b->indices()))
    return c;
  for (auto [x, y] : llvm::zip(a->guard(), b->guard()))
    if (int c = compareStructurally(x.poly, y.poly))
      return c;
  for (auto [x, y] : llvm::zip(a->operands(), b->operands()))
    if (int c = compareTerms(x, y))
      return c;
  return a->id() < b->id() ? -1 : 1;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

const Term *TermContext::mkRawOp(ScalarOp op, const ScalarAttrs &attrs,
                                 ScalarType type,
                                 llvm::ArrayRef<const Term *> operands) {
  llvm::SmallVector<const Term *, 4> args;
  for (const Term *o : operands)
    args.push_back(naming && (o->depth() >= kMaxHeight || o->size() >= kMaxSize)
                       ? nameTerm(o)
                       : o);
  Term t(TermKind::Op, type);
  t.scalarOp = op;
  t.scalarAttrs = attrs;
  t.operandList = args;
  return intern(std::move(t));
}

/// Folds constants exactly. Not library functions (their results are assumed of
/// no library), not NaN results (their bits may be read), nothing undefined, no
/// pick from a set (maxnumf has one result unless that is zero).
static const Term *foldConstants(TermContext &terms, ScalarOp op,
                                 const ScalarAttrs &attrs, ScalarType type,
                                 llvm::ArrayRef<const Term *> operands) {
  if (scalarOpClass(op) == ScalarOpClass::OPAQUE ||
      !llvm::all_of(operands, [](const Term *t) { return t->isConst(); }))
    return nullptr;
  bool isMaxNum = op == ScalarOp::MaxNumF || op == ScalarOp::MinNumF;
  const uint8_t sets =
      FMF_reassoc | FMF_nsz | FMF_arcp | FMF_contract | FMF_afn;
  if (attrs.pick && (attrs.fastMath & sets))
    return nullptr;
  llvm::SmallVector<ScalarType, 3> types;
  llvm::SmallVector<ScalarValue, 3> values;
  for (const Term *t : operands) {
    types.push_back(t->type());
    values.push_back({t->bits(), false});
  }
  ScalarResult r = evalScalar(op, attrs, type, types, values);
  if (r.ub || r.value.poison || (type.isFloat() && isNaN(type, r.value.bits)))
    return nullptr;
  if (attrs.pick && isMaxNum &&
      (r.value.bits.isZero() || r.value.bits.isSignMask()))
    return nullptr;
  return terms.mkConst(type, r.value.bits);
}

/// Rules of booleans and select: of no type in particular.
static const Term *simplifyLogic(TermContext &terms, ScalarOp op,
                                 ScalarType type,
                                 llvm::ArrayRef<const Term *> x) {
  if (op == ScalarOp::Select) {
    if (x[0]->isTrue() || x[1] == x[2])
      return x[1];
    if (x[0]->isFalse())
      return x[2];
    // c ? true : false is c; a condition on indices becomes a case distinction.
    if (x[1]->isTrue() && x[2]->isFalse())
      return x[0];
    if (x[0]->kind() == TermKind::Ite && x[0]->operands()[0]->isTrue() &&
        x[0]->operands()[1]->isFalse())
      return terms.mkIte(x[0]->guard(), x[1], x[2], terms.emptyContext());
    if (x[0]->kind() == TermKind::Ite && x[0]->operands()[0]->isFalse() &&
        x[0]->operands()[1]->isTrue())
      return terms.mkIte(x[0]->guard(), x[2], x[1], terms.emptyContext());
    return nullptr;
  }
  if (!type.isBoolean() || x.size() != 2 || x[0]->type() != type)
    return nullptr;
  if (op == ScalarOp::OrI) {
    for (unsigned i : {0u, 1u}) {
      if (x[i]->isFalse())
        return x[1 - i];
      if (x[i]->isTrue())
        return x[i];
    }
    return x[0] == x[1] ? x[0] : nullptr;
  }
  if (op == ScalarOp::AndI) {
    for (unsigned i : {0u, 1u}) {
      if (x[i]->isTrue())
        return x[1 - i];
      if (x[i]->isFalse())
        return x[i];
    }
    return x[0] == x[1] ? x[0] : nullptr;
  }
  if (op == ScalarOp::XOrI) {
    for (unsigned i : {0u, 1u})
      if (x[i]->isFalse())
        return x[1 - i];
  }
  return nullptr;
}

/// +, -, * of index values and integer constants stay polynomials: both are
/// meant modulo 2^width, and the ring operations commute with that.
static const Term *simplifyIndexArithmetic(TermContext &terms, ScalarOp op,
                                           const ScalarAttrs &attrs,
                                           ScalarType type,
                                           llvm::ArrayRef<const Term *> x) {
  if (op == ScalarOp::TruncI || op == ScalarOp::IndexCast ||
      op == ScalarOp::IndexCastUI) {
    // Narrowing forgets high bits: again modulo 2^width.
    if (x[0]->kind() == TermKind::IndexValue &&
        type.width() <= x[0]->type().width())
      return terms.mkIndexValue(type, x[0]->indices()[0]);
    return nullptr;
  }
  if (op != ScalarOp::AddI && op != ScalarOp::SubI && op != ScalarOp::MulI)
    return nullptr;
  IndexTerm p[2];
  bool any = false;
  for (unsigned i : {0u, 1u}) {
    if (x[i]->kind() == TermKind::IndexValue) {
      p[i] = x[i]->indices()[0];
      any = true;
    } else if (x[i]->isConst() && x[i]->bits().getSignificantBits() <= 64) {
      p[i] = terms.index().constant(x[i]->bits().getSExtValue());
    } else {
      return nullptr;
    }
  }
  if (!any)
    return nullptr;
  IndexTerm r = op == ScalarOp::AddI   ? p[0] + p[1]
                : op == ScalarOp::SubI ? p[0] - p[1]
                                       : p[0] * p[1];
  return terms.mkIndexValue(type, r);
}

const Term *TermContext::mkOp(ScalarOp op, const ScalarAttrs &attrs,
                              ScalarType type,
                              llvm::ArrayRef<const Term *> operands) {
  llvm::SmallVector<const Term *, 4> x(operands);
  if (isCommutative(op, attrs) && compareTerms(x[0], x[1]) > 0)
    std::swap(x[0], x[1]);
  if (const Term *t = foldConstants(*this, op, attrs, type, x))
    return t;
  if (const Term *t = simplifyLogic(*this, op, type, x))
    return t;
  if (const Term *t = simplifyIndexArithmetic(*this, op, attrs, type, x))
    return t;
  if (const Term *t = simplifyOp(*this, op, attrs, type, x))
    return t;
  return mkRawOp(op, attrs, type, x);
}

const Term *TermContext::mkAnd(const Term *a, const Term *b) {
  return mkOp(ScalarOp::AndI, ScalarType::boolean(), {a, b});
}
const Term *TermContext::mkOr(const Term *a, const Term *b) {
  return mkOp(ScalarOp::OrI, ScalarType::boolean(), {a, b});
}
const Term *TermContext::mkNot(const Term *a) {
  if (a->kind() == TermKind::Ite)
    return mkIte(a->guard(), mkNot(a->operands()[0]), mkNot(a->operands()[1]),
                 emptyContext());
  if (a->is(ScalarOp::XOrI))
    for (unsigned i : {0u, 1u})
      if (a->operands()[i]->isTrue())
        return a->operands()[1 - i];
  return mkOp(ScalarOp::XOrI, ScalarType::boolean(), {a, mkBool(true)});
}
const Term *TermContext::mkSelect(const Term *c, const Term *a, const Term *b) {
  return mkOp(ScalarOp::Select, a->type(), {c, a, b});
}

//===----------------------------------------------------------------------===//
// Case distinctions on indices
//===----------------------------------------------------------------------===//

const Term *TermContext::mkIte(llvm::ArrayRef<GuardAtom> guard,
                               const Term *thenTerm, const Term *elseTerm,
                               const IndexContext &context) {
  if (thenTerm == elseTerm)
    return thenTerm;
  Guard atoms;
  for (GuardAtom g : guard) {
    auto known = context.decide(g);
    if (known == true)
      continue;
    if (known == false)
      return elseTerm;
    g = g.normalized();
    if (!llvm::is_contained(atoms, g))
      atoms.push_back(g);
  }
  if (atoms.empty())
    return thenTerm;
  // g ? (h ? a : b) : b is g and h ? a : b.
  if (thenTerm->kind() == TermKind::Ite &&
      thenTerm->operands()[1] == elseTerm) {
    for (GuardAtom g : thenTerm->guard())
      if (!llvm::is_contained(atoms, g))
        atoms.push_back(g);
    thenTerm = thenTerm->operands()[0];
    if (thenTerm == elseTerm)
      return thenTerm;
  }
  llvm::sort(atoms, [](const GuardAtom &a, const GuardAtom &b) {
    if (int c = compareStructurally(a.poly, b.poly))
      return c < 0;
    return a.isEquality < b.isEquality;
  });
  Term t(TermKind::Ite, thenTerm->type());
  t.guardList = atoms;
  const Term *branches[] = {thenTerm, elseTerm};
  t.operandList = branches;
  return intern(std::move(t));
}

const Term *TermContext::mkIndexCmp(unsigned pred, IndexTerm a, IndexTerm b,
                                    const IndexContext &context) {
  // eq ne slt sle sgt sge ult ule ugt uge
  if (pred >= 6) {
    if (!context.nonneg(a) || !context.nonneg(b))
      return nullptr;
    pred -= 4;
  }
  const Term *yes = mkBool(true), *no = mkBool(false);
  switch (pred) {
  case 0:
    return mkIte({eqZero(a - b)}, yes, no, context);
  case 1:
    return mkIte({eqZero(a - b)}, no, yes, context);
  case 2:
    return mkIte({geZero(b - a - 1)}, yes, no, context);
  case 3:
    return mkIte({geZero(b - a)}, yes, no, context);
  case 4:
    return mkIte({geZero(a - b - 1)}, yes, no, context);
  default:
    return mkIte({geZero(a - b)}, yes, no, context);
  }
}
