//===- NormalForms.cpp - Scalar rewrite rules of terms --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rewrite rules on scalar float operations. Each rule, and a broken twin of
/// it, is put to a solver per format by test/Unit/TV/Refine/LawTest.cpp; the
/// numbers are those of the table in docs/TV/Floats.md.
///
/// No rule may widen the set of NaN patterns a term can have (a source's term
/// may be read as bits), so abs moves outwards, never inwards. Narrowing is
/// allowed: a target's bits of NaN are never trusted where they are read.
/// Operations with fast-math flags are left alone: their poison, or their set
/// of allowed results, would be lost.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/Term.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace panpipe::tv;

namespace {

/// The formats for which the rules were proved.
bool isProvedFormat(ScalarType type) {
  if (!type.isFloat())
    return false;
  switch (type.semantics()) {
  case APFloatBase::S_IEEEhalf:
  case APFloatBase::S_BFloat:
  case APFloatBase::S_IEEEsingle:
  case APFloatBase::S_IEEEdouble:
    return true;
  default:
    return false;
  }
}

unsigned precisionOf(ScalarType type) {
  return APFloatBase::semanticsPrecision(type.fltSemantics());
}
unsigned exponentBitsOf(ScalarType type) {
  return type.width() - precisionOf(type);
}
/// Every value of `b` is a value of `a`.
bool contains(ScalarType a, ScalarType b) {
  return precisionOf(a) >= precisionOf(b) &&
         exponentBitsOf(a) >= exponentBitsOf(b);
}

/// One application of a rule.
class Rules {
public:
  Rules(TermContext &terms, ScalarType type, ArrayRef<const Term *> x)
      : terms(terms), type(type), x(x) {}

  const Term *neg();
  const Term *abs();
  const Term *sub() { return op(ScalarOp::AddF, {x[0], negated(x[1])}); }
  const Term *mul();
  const Term *div();
  const Term *add();
  const Term *fma();
  const Term *minMax(ScalarOp which);
  const Term *convert(bool extend);
  const Term *toInt();
  const Term *fromInt(ScalarOp which);

private:
  const Term *op(ScalarOp o, ArrayRef<const Term *> args) {
    return terms.mkOp(o, type, args);
  }
  const Term *op(ScalarOp o, ScalarType t, ArrayRef<const Term *> args) {
    return terms.mkOp(o, t, args);
  }
  /// An operation without fast-math flags, on the formats of the proofs.
  static bool plain(const Term *t, ScalarOp o) {
    return t->is(o) && t->attrs() == ScalarAttrs();
  }
  const Term *negated(const Term *t) {
    return terms.mkOp(ScalarOp::NegF, t->type(), {t});
  }
  bool isNumber(const Term *t) const {
    return t->isConst() && !isNaN(t->type(), t->bits());
  }
  bool isNegativeConstant(const Term *t) const {
    return isNumber(t) && t->bits().isNegative();
  }
  bool isConstant(const Term *t, double value) const {
    if (!t->isConst())
      return false;
    APFloat v(value);
    bool lossy;
    v.convert(t->type().fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    return !lossy && v.bitcastToAPInt() == t->bits();
  }
  /// `t` without its outer sign change, if it is a negation or a negative
  /// constant; else null.
  const Term *strippedSign(const Term *t) {
    if (plain(t, ScalarOp::NegF))
      return t->operands()[0];
    if (isNegativeConstant(t))
      return terms.mkConst(t->type(),
                           t->bits() ^ APInt::getSignMask(t->type().width()));
    return nullptr;
  }
  const Term *pullSigns(ScalarOp o);
  const Term *pullAbs(ScalarOp o);
  const Term *narrowOperation(const Term *wide);
  const Term *narrowed(const Term *t);

  TermContext &terms;
  ScalarType type;
  ArrayRef<const Term *> x;
};

} // namespace

/// 2. -(-x) is x.
const Term *Rules::neg() {
  return plain(x[0], ScalarOp::NegF) ? x[0]->operands()[0] : nullptr;
}

/// 2. |-x| and ||x|| are |x|.
const Term *Rules::abs() {
  if (plain(x[0], ScalarOp::NegF) || plain(x[0], ScalarOp::AbsF))
    return op(ScalarOp::AbsF, {x[0]->operands()[0]});
  return nullptr;
}

/// 4. Signs of factors, dividend and divisor go to the result.
const Term *Rules::pullSigns(ScalarOp o) {
  for (unsigned i : {0u, 1u})
    if (const Term *positive = strippedSign(x[i])) {
      const Term *args[] = {x[0], x[1]};
      args[i] = positive;
      return negated(op(o, args));
    }
  return nullptr;
}

/// 2. |x|·|y| is |x·y|, |x|/|y| is |x/y|; positive constants are their own
/// magnitude.
const Term *Rules::pullAbs(ScalarOp o) {
  const Term *args[2];
  bool any = false;
  for (unsigned i : {0u, 1u}) {
    if (plain(x[i], ScalarOp::AbsF)) {
      args[i] = x[i]->operands()[0];
      any = true;
    } else if (isNumber(x[i]) && !isNegativeConstant(x[i])) {
      args[i] = x[i];
    } else {
      return nullptr;
    }
  }
  if (!any)
    return nullptr;
  const Term *r = op(o, args);
  // |x|·|x|: the square has no sign to drop.
  if (o == ScalarOp::MulF && args[0] == args[1])
    return r;
  return op(ScalarOp::AbsF, {r});
}

const Term *Rules::mul() {
  if (const Term *t = pullSigns(ScalarOp::MulF))
    return t;
  for (unsigned i : {0u, 1u}) // 5. x·1
    if (isConstant(x[i], 1.0))
      return x[1 - i];
  return pullAbs(ScalarOp::MulF);
}

const Term *Rules::div() {
  if (const Term *t = pullSigns(ScalarOp::DivF))
    return t;
  if (isConstant(x[1], 1.0)) // 5.
    return x[0];
  if (isNumber(x[1])) { // 6. x / 2^k is x · 2^-k
    APFloat inverse(type.fltSemantics());
    APFloat divisor(type.fltSemantics(), x[1]->bits());
    APFloat one = APFloat::getOne(type.fltSemantics());
    // getExactInverse refuses subnormal results; the rule holds for them.
    if (divisor.isFiniteNonZero() &&
        scalbn(one, ilogb(divisor), APFloat::rmTowardZero)
            .bitwiseIsEqual(divisor)) {
      inverse = scalbn(one, -ilogb(divisor), APFloat::rmTowardZero);
      if (inverse.isFiniteNonZero() && ilogb(inverse) == -ilogb(divisor))
        return op(ScalarOp::MulF,
                  {x[0], terms.mkConst(type, inverse.bitcastToAPInt())});
    }
  }
  return pullAbs(ScalarOp::DivF);
}

const Term *Rules::add() {
  for (unsigned i : {0u, 1u}) // 5. x + (-0)
    if (x[i]->isConst() && x[i]->bits().isSignMask())
      return x[1 - i];
  if (x[0] == x[1]) // 6.
    return op(ScalarOp::MulF, {x[0], terms.mkFloat(type, 2.0)});
  return nullptr;
}

/// 7. Factors 1, addend -0, and signs of the factors: at most one stays, in the
/// constant factor or else on the later one.
const Term *Rules::fma() {
  for (unsigned i : {0u, 1u})
    if (isConstant(x[i], 1.0))
      return op(ScalarOp::AddF, {x[1 - i], x[2]});
  if (x[2]->isConst() && x[2]->bits().isSignMask())
    return op(ScalarOp::MulF, {x[0], x[1]});
  const Term *u = x[0], *v = x[1];
  bool odd = false;
  for (const Term **factor : {&u, &v})
    if (const Term *positive = strippedSign(*factor)) {
      *factor = positive;
      odd = !odd;
    }
  if (compareTerms(u, v) > 0)
    std::swap(u, v);
  if (odd) {
    if (isNumber(u))
      u = negated(u);
    else
      v = negated(v);
  }
  if ((u == x[0] && v == x[1]) || (u == x[1] && v == x[0]))
    return nullptr;
  return op(ScalarOp::Fma, {u, v, x[2]});
}

/// 8. Nested maxima (minima) are a sorted chain without duplicates.
const Term *Rules::minMax(ScalarOp which) {
  if (x[0] == x[1])
    return x[0];
  if (!plain(x[0], which) && !plain(x[1], which))
    return nullptr;
  SmallVector<const Term *, 8> leaves, work(x);
  while (!work.empty()) {
    const Term *t = work.pop_back_val();
    if (plain(t, which))
      work.append(t->operands().begin(), t->operands().end());
    else
      leaves.push_back(t);
    if (leaves.size() > 64)
      return nullptr;
  }
  sort(leaves,
       [](const Term *a, const Term *b) { return compareTerms(a, b) < 0; });
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  // Constants are one.
  const Term *constant = nullptr;
  SmallVector<const Term *, 8> rest;
  for (const Term *t : leaves) {
    const Term *both =
        constant && t->isConst() ? op(which, {constant, t}) : nullptr;
    if (!t->isConst() || (both && !both->isConst()))
      rest.push_back(t);
    else
      constant = both ? both : t;
  }
  if (constant)
    rest.insert(rest.begin(), constant);
  const Term *r = rest[0];
  for (const Term *t : ArrayRef<const Term *>(rest).drop_front()) {
    const Term *args[] = {r, t};
    // Two leaves are sorted as everywhere else.
    if (rest.size() == 2 && compareTerms(r, t) > 0)
      std::swap(args[0], args[1]);
    r = terms.mkRawOp(which, {}, type, args);
  }
  return r;
}

/// The operand of narrower type whose extension `t` is, sign changes seen
/// through; for constants, the narrower constant if there is one.
const Term *Rules::narrowed(const Term *t) {
  if (plain(t, ScalarOp::NegF)) {
    const Term *inner = narrowed(t->operands()[0]);
    return inner ? negated(inner) : nullptr;
  }
  if (plain(t, ScalarOp::ExtF) && t->operands()[0]->type() == type)
    return t->operands()[0];
  if (isNumber(t)) {
    APFloat v(t->type().fltSemantics(), t->bits());
    bool lossy;
    v.convert(type.fltSemantics(), APFloat::rmNearestTiesToEven, &lossy);
    if (!lossy)
      return terms.mkConst(type, v.bitcastToAPInt());
  }
  return nullptr;
}

/// 12. One operation in a format with more than twice the precision, rounded
/// back, is the operation. Never fma, never two operations.
const Term *Rules::narrowOperation(const Term *wide) {
  bool any = plain(wide, ScalarOp::AddF) || plain(wide, ScalarOp::MulF) ||
             plain(wide, ScalarOp::DivF) || plain(wide, ScalarOp::Sqrt);
  if (!any)
    return nullptr;
  ScalarType u = wide->type();
  bool wideEnough = precisionOf(u) >= 2 * precisionOf(type) + 2 &&
                    exponentBitsOf(u) > exponentBitsOf(type);
  bool bfloat = type.semantics() == APFloatBase::S_BFloat &&
                u.semantics() == APFloatBase::S_IEEEsingle;
  if (!wideEnough && !bfloat)
    return nullptr;
  SmallVector<const Term *, 2> args;
  for (const Term *t : wide->operands()) {
    const Term *n = narrowed(t);
    if (!n)
      return nullptr;
    args.push_back(n);
  }
  return op(wide->op(), args);
}

const Term *Rules::convert(bool extend) {
  const Term *t = x[0];
  if (!isProvedFormat(t->type()))
    return nullptr;
  if (plain(t, ScalarOp::NegF)) // 13. conversions are odd
    return negated(
        op(extend ? ScalarOp::ExtF : ScalarOp::TruncF, {t->operands()[0]}));
  if (plain(t, ScalarOp::ExtF)) { // 9.
    const Term *inner = t->operands()[0];
    ScalarType s = inner->type();
    if (!isProvedFormat(s) || !contains(t->type(), s))
      return nullptr;
    if (s == type)
      return inner;
    if (contains(type, s))
      return op(ScalarOp::ExtF, {inner});
    return contains(s, type) ? op(ScalarOp::TruncF, {inner}) : nullptr;
  }
  if (plain(t, ScalarOp::SIToFP) || plain(t, ScalarOp::UIToFP)) // 10.
    if (t->operands()[0]->type().width() <= precisionOf(t->type()))
      return op(t->op(), {t->operands()[0]});
  return extend ? nullptr : narrowOperation(t);
}

/// 11. fptosi(sitofp x) is x if every such integer is a float.
const Term *Rules::toInt() {
  const Term *t = x[0];
  if (plain(t, ScalarOp::SIToFP) && isProvedFormat(t->type()) &&
      t->operands()[0]->type() == type &&
      type.width() <= precisionOf(t->type()))
    return t->operands()[0];
  return nullptr;
}

/// 11. Extensions below a conversion.
const Term *Rules::fromInt(ScalarOp which) {
  if (which == ScalarOp::SIToFP && plain(x[0], ScalarOp::ExtSI))
    return op(ScalarOp::SIToFP, {x[0]->operands()[0]});
  if (plain(x[0], ScalarOp::ExtUI))
    return op(ScalarOp::UIToFP, {x[0]->operands()[0]});
  return nullptr;
}

const Term *panpipe::tv::simplifyOp(TermContext &terms, ScalarOp op,
                                    const ScalarAttrs &attrs, ScalarType type,
                                    ArrayRef<const Term *> x) {
  // A rounding mode of 1 is the default one, spelled out.
  if (attrs.fastMath || attrs.intFlags || attrs.rounding > 1 || attrs.pick)
    return nullptr;
  Rules rules(terms, type, x);
  if (op == ScalarOp::FPToSI)
    return rules.toInt();
  if (!isProvedFormat(type))
    return nullptr;
  switch (op) {
  case ScalarOp::NegF:
    return rules.neg();
  case ScalarOp::AbsF:
    return rules.abs();
  case ScalarOp::SubF:
    return rules.sub();
  case ScalarOp::MulF:
    return rules.mul();
  case ScalarOp::DivF:
    return rules.div();
  case ScalarOp::AddF:
    return rules.add();
  case ScalarOp::Fma:
    return rules.fma();
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
    return rules.minMax(op);
  case ScalarOp::ExtF:
    return rules.convert(true);
  case ScalarOp::TruncF:
    return rules.convert(false);
  case ScalarOp::SIToFP:
  case ScalarOp::UIToFP:
    return rules.fromInt(op);
  default:
    return nullptr;
  }
}
