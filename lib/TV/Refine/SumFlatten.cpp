//===- SumFlatten.cpp - A sum taken apart ---------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which operations a sum consists of. Under `reassoc` all additions are taken
/// apart; by flags only those of the source that have the flag, whose set holds
/// every tree over their operands, so any tree of the target will do; with
/// exact arithmetic constants become coefficients, and products are
/// distributed.
///
//===----------------------------------------------------------------------===//

#include "SumForm.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

using namespace panpipe::tv;

static bool isPositiveZero(const Term *t) {
  return t->isConst() && t->type().isFloat() && t->bits().isZero();
}

/// The value of a finite constant; nothing if it is none, or too long to write.
static std::optional<Fraction> valueOf(const Term *t) {
  if (!t->isConst() || !t->type().isFloat())
    return std::nullopt;
  llvm::APFloat v(t->type().fltSemantics(), t->bits());
  if (!v.isFinite())
    return std::nullopt;
  if (v.isZero())
    return Fraction(0, 1);
  int exponent = llvm::ilogb(v);
  if (exponent < -1100 || exponent > 1100)
    return std::nullopt;
  // v = m · 2^-shift with an integer m.
  int precision = llvm::APFloat::semanticsPrecision(v.getSemantics());
  int shift = precision - 1 - exponent;
  llvm::APFloat m = llvm::scalbn(v, shift, llvm::APFloat::rmTowardZero);
  llvm::APSInt integer(precision + 2, /*isUnsigned=*/false);
  bool exact = false;
  if (m.convertToInteger(integer, llvm::APFloat::rmTowardZero, &exact) !=
          llvm::APFloat::opOK ||
      !exact)
    return std::nullopt;
  DynamicAPInt power(1);
  for (int i = 0; i < std::abs(shift); ++i)
    power *= 2;
  DynamicAPInt number{llvm::APInt(integer)};
  return reduce(shift >= 0 ? Fraction(number, power)
                           : Fraction(number * power, DynamicAPInt(1)));
}

//===----------------------------------------------------------------------===//
// Flattening
//===----------------------------------------------------------------------===//

/// op(x, y), folds over op and case distinctions with the identity are taken
/// apart; `nest` counts opened folds on the way.
void SumForm::add(const Term *t, const FoldSpec &domain,
                  const IndexContext &inside, const Fraction &factor,
                  unsigned nest) {
  if (pieces.size() > kMaxPieces)
    overflow = true;
  if (overflow)
    return;
  auto identity = identityOf(op, t->type());
  if (t->isConst() && identity && t->bits() == *identity)
    return;
  // +0.0 is not nothing: it turns -0.0 into +0.0, once.
  if (op == ScalarOp::AddF && isPositiveZero(t) && domain.vars.empty() &&
      domain.guard.empty()) {
    positiveZero = true;
    return;
  }
  if (t->kind() == TermKind::Op &&
      addOperation(t, domain, inside, factor, nest))
    return;
  if (t->kind() == TermKind::App && addFold(t, domain, inside, factor, nest))
    return;
  if (t->kind() == TermKind::Ite && addCases(t, domain, inside, factor, nest))
    return;
  if (!real())
    return addPiece(t, domain, factor);
  if (auto k = valueOf(t))
    return addPiece(terms.mkFloat(t->type(), 1.0), domain, factor * *k);
  addPiece(orderedProduct(t), domain, factor);
}

bool SumForm::addOperation(const Term *t, const FoldSpec &domain,
                           const IndexContext &inside, const Fraction &factor,
                           unsigned nest) {
  if (!mayOpen(t->attrs()))
    return false;
  if (t->is(op)) {
    note(t->attrs());
    for (const Term *o : t->operands())
      add(o, domain, inside, factor, nest);
    return true;
  }
  if (real())
    return addReal(t, domain, inside, factor, nest);
  if (op != ScalarOp::AddI)
    return false;
  // Ring rules modulo 2^w: a - b = a + (-1)·b, k·a with constant k.
  if (t->is(ScalarOp::SubI)) {
    add(t->operands()[0], domain, inside, factor, nest);
    add(t->operands()[1], domain, inside, -factor, nest);
    return true;
  }
  if (t->is(ScalarOp::MulI))
    for (unsigned i : {0u, 1u}) {
      const Term *k = t->operands()[i];
      if (!k->isConst())
        continue;
      add(t->operands()[1 - i], domain, inside,
          factor * Fraction(DynamicAPInt(k->bits()), DynamicAPInt(1)), nest);
      return true;
    }
  return false;
}

/// Opens a fold at new variables, which join the domain.
OpenedFold SumForm::openInto(const Term *t, FoldSpec &domain,
                             IndexContext &inside) {
  const Closure &c = *t->closure();
  ++folds;
  if (!c.location.empty() && !llvm::is_contained(locations, c.location))
    locations.push_back(c.location);
  domain.location = c.location;
  llvm::SmallVector<IndexTerm, 4> vars;
  for (unsigned i = 0; i < c.extents.size(); ++i)
    vars.push_back(terms.index().freshVar());
  OpenedFold o = openFold(terms, t, vars, inside);
  domain.vars.append(vars.begin(), vars.end());
  domain.extents.append(o.extents.begin(), o.extents.end());
  domain.guard.append(o.guard.begin(), o.guard.end());
  inside = o.inside;
  return o;
}

bool SumForm::addFold(const Term *t, const FoldSpec &domain,
                      const IndexContext &inside, const Fraction &factor,
                      unsigned nest) {
  const Closure &c = *t->closure();
  if (c.kind == Closure::Kind::Map) {
    add(terms.unfold(t, inside), domain, inside, factor, nest);
    return true;
  }
  if (c.kind != Closure::Kind::Fold || c.op != op || nest >= maxNest ||
      !mayOpen(c.attrs))
    return false;
  note(c.attrs);
  FoldSpec inner = domain;
  IndexContext there = inside;
  OpenedFold o = openInto(t, inner, there);
  add(o.inits[0], domain, inside, factor, nest);
  add(o.bodies[0], inner, there, factor, nest + 1);
  return true;
}

/// g ? a : b summed over a domain is a summed where g plus b summed where not
/// g.
bool SumForm::addCases(const Term *t, const FoldSpec &domain,
                       const IndexContext &inside, const Fraction &factor,
                       unsigned nest) {
  const Term *yes = t->operands()[0], *no = t->operands()[1];
  auto identity = identityOf(op, t->type());
  bool onlyYes = identity && no->isConst() && no->bits() == *identity;
  bool single = t->guard().size() == 1 && !t->guard()[0].isEquality;
  if (!onlyYes && !single)
    return false;
  FoldSpec where = domain;
  where.guard.append(t->guard().begin(), t->guard().end());
  add(yes, where, inside.assume(t->guard()), factor, nest);
  if (!onlyYes) {
    GuardAtom negated = geZero(-t->guard()[0].poly - 1);
    FoldSpec elsewhere = domain;
    elsewhere.guard.push_back(negated);
    add(no, elsewhere, inside.assume(negated), factor, nest);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// By flags
//===----------------------------------------------------------------------===//

bool SumForm::mayRegroup(ScalarOp op, const Term *t) {
  const ScalarAttrs &attrs =
      t->kind() == TermKind::App ? t->closure()->attrs : t->attrs();
  return (op == ScalarOp::AddF || op == ScalarOp::MulF) &&
         (attrs.fastMath & FMF_reassoc);
}

/// May an operation with these attributes be one node of the sum's tree?
bool SumForm::mayOpen(const ScalarAttrs &attrs) const {
  if (rules != SumRules::Flags)
    return (attrs.fastMath & ~FMF_reassoc) == 0;
  if (!isTarget)
    return attrs.fastMath & FMF_reassoc;
  // Other trees, and results that the source's operations may have as well.
  uint8_t same = FMF_reassoc | FMF_nnan | FMF_ninf;
  return (attrs.fastMath & ~(sourceNsz ? same | FMF_nsz : same)) == 0;
}

void SumForm::note(const ScalarAttrs &attrs) {
  allNsz &= (attrs.fastMath & FMF_nsz) != 0;
  if (attrs.pick && !llvm::is_contained(picks, attrs.pick))
    picks.push_back(attrs.pick);
}

//===----------------------------------------------------------------------===//
// Exact arithmetic
//===----------------------------------------------------------------------===//

/// Factors of a product, in one order.
const Term *SumForm::orderedProduct(const Term *t) {
  if (!t->is(ScalarOp::MulF))
    return t;
  llvm::SmallVector<const Term *, 8> factors, work{t};
  while (!work.empty()) {
    const Term *f = work.pop_back_val();
    if (f->is(ScalarOp::MulF) && mayOpen(f->attrs()))
      work.append(f->operands().begin(), f->operands().end());
    else
      factors.push_back(f);
  }
  if (factors.size() < 3)
    return t;
  usedReal = true;
  llvm::sort(factors, [](const Term *a, const Term *b) {
    return compareTerms(a, b) < 0;
  });
  const Term *product = factors.front();
  for (const Term *f : llvm::ArrayRef<const Term *>(factors).drop_front())
    product = terms.mkOp(ScalarOp::MulF, t->type(), {product, f});
  return product;
}

/// Signs and constants become coefficients; with SumRules::Distribute products
/// and quotients of sums become sums.
bool SumForm::addReal(const Term *t, const FoldSpec &domain,
                      const IndexContext &inside, const Fraction &factor,
                      unsigned nest) {
  llvm::ArrayRef<const Term *> x = t->operands();
  auto scaled = [&](const Term *rest, const Fraction &by) {
    usedReal = true;
    if (by.num != 0)
      add(rest, domain, inside, factor * by, nest);
    return true;
  };
  if (t->is(ScalarOp::NegF))
    return scaled(x[0], Fraction(-1, 1));
  if (t->is(ScalarOp::SubF)) {
    add(x[0], domain, inside, factor, nest);
    return scaled(x[1], Fraction(-1, 1));
  }
  if (t->is(ScalarOp::DivF)) {
    if (auto k = valueOf(x[1]); k && k->num != 0)
      return scaled(x[0], Fraction(1, 1) / *k);
    return distribute(t, 0, domain, inside, factor, nest);
  }
  if (!t->is(ScalarOp::MulF))
    return false;
  for (unsigned i : {0u, 1u})
    if (auto k = valueOf(x[i]))
      return scaled(x[1 - i], *k);
  return distribute(t, 0, domain, inside, factor, nest) ||
         distribute(t, 1, domain, inside, factor, nest);
}

/// t with operand `at` being a sum: the sum of t over its terms.
bool SumForm::distribute(const Term *t, unsigned at, const FoldSpec &domain,
                         const IndexContext &inside, const Fraction &factor,
                         unsigned nest) {
  const Term *sum = t->operands()[at];
  auto with = [&](const Term *part) {
    llvm::SmallVector<const Term *, 2> x(t->operands());
    x[at] = part;
    return terms.mkOp(t->op(), t->attrs(), t->type(), x);
  };
  // A constant anywhere among the factors.
  if (sum->is(ScalarOp::NegF) || sum->is(ScalarOp::MulF) ||
      sum->is(ScalarOp::DivF)) {
    bool isQuotient = sum->is(ScalarOp::DivF);
    for (unsigned i = 0; i < sum->operands().size() && mayOpen(sum->attrs());
         ++i) {
      bool negated = sum->is(ScalarOp::NegF);
      auto k = negated ? Fraction(-1, 1) : valueOf(sum->operands()[i]);
      if (!k || (isQuotient && (i == 0 || k->num == 0)))
        continue;
      usedReal = true;
      const Term *rest = sum->operands()[negated ? 0 : 1 - i];
      add(with(rest), domain, inside, isQuotient ? factor / *k : factor * *k,
          nest);
      return true;
    }
  }
  if (rules != SumRules::Distribute)
    return false;
  if (const Term *body = terms.unfold(sum, inside)) {
    add(with(body), domain, inside, factor, nest);
    return true;
  }
  if (sum->is(ScalarOp::AddF) && mayOpen(sum->attrs())) {
    usedReal = true;
    for (const Term *part : sum->operands())
      add(with(part), domain, inside, factor, nest);
    return true;
  }
  if (sum->kind() != TermKind::App ||
      sum->closure()->kind != Closure::Kind::Fold ||
      sum->closure()->op != ScalarOp::AddF || nest >= maxNest ||
      !mayOpen(sum->closure()->attrs))
    return false;
  usedReal = true;
  FoldSpec inner = domain;
  IndexContext there = inside;
  OpenedFold o = openInto(sum, inner, there);
  add(with(o.inits[0]), domain, inside, factor, nest);
  add(with(o.bodies[0]), inner, there, factor, nest + 1);
  return true;
}
