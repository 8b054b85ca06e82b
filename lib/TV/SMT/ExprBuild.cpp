//===- ExprBuild.cpp - Construction and folding of expressions -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprNode.h"

#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace panpipe::tv::smt {

//===----------------------------------------------------------------------===//
// Folding of constants
//===----------------------------------------------------------------------===//

static APInt flag(bool b) { return APInt(1, b); }

/// SMT-LIB's total division: by zero, all ones and the dividend.
static std::optional<APInt> foldDivision(ExprOp op, const APInt &a,
                                         const APInt &b) {
  bool zero = b.isZero();
  switch (op) {
  case ExprOp::BvUDiv:
    return zero ? APInt::getAllOnes(a.getBitWidth()) : a.udiv(b);
  case ExprOp::BvURem:
    return zero ? a : a.urem(b);
  case ExprOp::BvSDiv:
    if (zero)
      return a.isNegative() ? APInt(a.getBitWidth(), 1)
                            : APInt::getAllOnes(a.getBitWidth());
    return a.sdiv(b);
  case ExprOp::BvSRem:
    return zero ? a : a.srem(b);
  default:
    return std::nullopt;
  }
}

static APInt foldShift(ExprOp op, const APInt &a, const APInt &b) {
  unsigned w = a.getBitWidth();
  unsigned amount = b.uge(w) ? w : b.getZExtValue();
  if (op == ExprOp::BvShl)
    return amount == w ? APInt(w, 0) : a.shl(amount);
  if (op == ExprOp::BvLShr)
    return amount == w ? APInt(w, 0) : a.lshr(amount);
  return amount == w ? a.ashr(w - 1) : a.ashr(amount);
}

static std::optional<APInt> foldInteger(ExprOp op, const APInt &a,
                                        const APInt &b) {
  bool overflow = false;
  APInt r;
  switch (op) {
  case ExprOp::IntAdd:
    r = a.sadd_ov(b, overflow);
    break;
  case ExprOp::IntMul:
    r = a.smul_ov(b, overflow);
    break;
  case ExprOp::IntDiv:
  case ExprOp::IntMod: {
    if (b.isZero())
      return std::nullopt;
    APInt q, m;
    APInt::sdivrem(a, b, q, m);
    if (m.isNegative()) {
      b.isNegative() ? ++q : --q;
      m += b.abs();
    }
    r = op == ExprOp::IntDiv ? q : m;
    break;
  }
  case ExprOp::IntLe:
    return flag(a.sle(b));
  case ExprOp::IntLt:
    return flag(a.slt(b));
  default:
    return std::nullopt;
  }
  if (overflow)
    return std::nullopt;
  return r;
}

static std::optional<APInt> foldBinary(ExprOp op, const APInt &a,
                                       const APInt &b) {
  switch (op) {
  case ExprOp::BvAdd:
    return a + b;
  case ExprOp::BvSub:
    return a - b;
  case ExprOp::BvMul:
    return a * b;
  case ExprOp::BvAnd:
    return a & b;
  case ExprOp::BvOr:
    return a | b;
  case ExprOp::BvXor:
    return a ^ b;
  case ExprOp::BvShl:
  case ExprOp::BvLShr:
  case ExprOp::BvAShr:
    return foldShift(op, a, b);
  case ExprOp::BvULt:
    return flag(a.ult(b));
  case ExprOp::BvULe:
    return flag(a.ule(b));
  case ExprOp::BvSLt:
    return flag(a.slt(b));
  case ExprOp::BvSLe:
    return flag(a.sle(b));
  case ExprOp::Concat:
    return a.concat(b);
  case ExprOp::IntAdd:
  case ExprOp::IntMul:
  case ExprOp::IntDiv:
  case ExprOp::IntMod:
  case ExprOp::IntLe:
  case ExprOp::IntLt:
    return foldInteger(op, a, b);
  default:
    return foldDivision(op, a, b);
  }
}

std::optional<APInt> foldConstants(ExprOp op, Sort sort, unsigned p0,
                                   unsigned p1, ArrayRef<APInt> args) {
  switch (op) {
  case ExprOp::Not:
    return flag(args[0].isZero());
  case ExprOp::And:
    return flag(all_of(args, [](const APInt &a) { return a.isOne(); }));
  case ExprOp::Or:
    return flag(any_of(args, [](const APInt &a) { return a.isOne(); }));
  case ExprOp::Ite:
    return args[0].isOne() ? args[1] : args[2];
  case ExprOp::Eq:
    return flag(args[0] == args[1]);
  case ExprOp::BvNeg:
    return -args[0];
  case ExprOp::BvNot:
    return ~args[0];
  case ExprOp::Extract:
    return args[0].extractBits(p0 - p1 + 1, p1);
  case ExprOp::ZeroExt:
    return args[0].zext(sort.first);
  case ExprOp::SignExt:
    return args[0].sext(sort.first);
  case ExprOp::FpFromBits:
  case ExprOp::Const:
  case ExprOp::Var:
  case ExprOp::Apply:
    return std::nullopt;
  default:
    if (op < ExprOp::FpFromBits && args.size() == 2)
      return foldBinary(op, args[0], args[1]);
    return std::nullopt;
  }
}

/// Builds an operation, or its value if all operands are constants.
static Expr build(ExprOp op, Sort sort, ArrayRef<Expr> args, unsigned p0 = 0,
                  unsigned p1 = 0) {
  ExprContext &ctx = args[0].context();
  // Constants of sort Float do not exist, so op and operands decide.
  if (all_of(args, [](Expr a) { return a.isConst(); })) {
    SmallVector<APInt, 3> values;
    for (Expr a : args)
      values.push_back(a.value());
    if (std::optional<APInt> v = foldConstants(op, sort, p0, p1, values)) {
      if (sort.kind == Sort::Kind::Bool)
        return ctx.boolean(v->isOne());
      if (sort.kind == Sort::Kind::BitVec)
        return ctx.bv(*v);
      if (sort.kind == Sort::Kind::Int && v->getSignificantBits() <= 64)
        return ctx.integer(v->getSExtValue());
    }
  }
  return ctx.make(op, sort, args, p0, p1);
}

//===----------------------------------------------------------------------===//
// Booleans
//===----------------------------------------------------------------------===//

Expr lnot(Expr a) {
  if (a.op() == ExprOp::Not)
    return a.arg(0);
  return build(ExprOp::Not, Sort::boolean(), {a});
}

/// And (`isAnd`) or Or: flat, no duplicates, no neutral elements.
static Expr connective(ExprContext &ctx, bool isAnd, ArrayRef<Expr> args) {
  ExprOp op = isAnd ? ExprOp::And : ExprOp::Or;
  SmallVector<Expr, 8> flat;
  DenseSet<unsigned> seen;
  for (Expr a : args) {
    ArrayRef<Expr> parts = a.op() == op ? a.args() : ArrayRef<Expr>(a);
    for (Expr e : parts) {
      if (e.isConst()) {
        if (e.isTrue() == isAnd)
          continue;
        return ctx.boolean(!isAnd);
      }
      Expr opposite = lnot(e);
      if (seen.contains(opposite.id()))
        return ctx.boolean(!isAnd);
      if (seen.insert(e.id()).second)
        flat.push_back(e);
    }
  }
  if (flat.empty())
    return ctx.boolean(isAnd);
  if (flat.size() == 1)
    return flat[0];
  return ctx.make(op, Sort::boolean(), flat);
}

Expr land(ExprContext &ctx, ArrayRef<Expr> args) {
  return connective(ctx, true, args);
}
Expr lor(ExprContext &ctx, ArrayRef<Expr> args) {
  return connective(ctx, false, args);
}
Expr land(Expr a, Expr b) { return connective(a.context(), true, {a, b}); }
Expr lor(Expr a, Expr b) { return connective(a.context(), false, {a, b}); }
Expr implies(Expr a, Expr b) { return lor(lnot(a), b); }

Expr ite(Expr cond, Expr then, Expr otherwise) {
  assert(then.sort() == otherwise.sort() && "arms of different sorts");
  if (cond.isTrue() || then == otherwise)
    return then;
  if (cond.isFalse())
    return otherwise;
  if (cond.op() == ExprOp::Not)
    return ite(cond.arg(0), otherwise, then);
  if (then.sort().kind == Sort::Kind::Bool) {
    if (then.isConst())
      return then.isTrue() ? lor(cond, otherwise) : land(lnot(cond), otherwise);
    if (otherwise.isConst())
      return otherwise.isTrue() ? implies(cond, then) : land(cond, then);
  }
  return build(ExprOp::Ite, then.sort(), {cond, then, otherwise});
}

Expr eq(Expr a, Expr b) {
  assert(a.sort() == b.sort() && "comparison of different sorts");
  if (a == b)
    return a.context().boolean(true);
  if (a.id() > b.id())
    std::swap(a, b);
  if (a.sort().kind == Sort::Kind::Bool) {
    if (a.isConst())
      return a.isTrue() ? b : lnot(b);
    if (b.isConst())
      return b.isTrue() ? a : lnot(a);
  }
  // (c ? 1 : 0) = 1, the usual shape of a comparison used as a condition.
  if (a.isConst())
    std::swap(a, b);
  if (b.isConst() && a.op() == ExprOp::Ite && a.arg(1).isConst() &&
      a.arg(2).isConst()) {
    bool t = a.arg(1) == b, f = a.arg(2) == b;
    ExprContext &ctx = a.context();
    return t ? (f ? ctx.boolean(true) : a.arg(0))
             : (f ? lnot(a.arg(0)) : ctx.boolean(false));
  }
  return build(ExprOp::Eq, Sort::boolean(), {a, b});
}

//===----------------------------------------------------------------------===//
// Bit-vectors
//===----------------------------------------------------------------------===//

static bool isZero(Expr a) { return a.isConst() && a.value().isZero(); }
static bool isOnes(Expr a) { return a.isConst() && a.value().isAllOnes(); }

static Expr bvOp(ExprOp op, Expr a, Expr b) {
  assert(a.width() == b.width() && "operands of different widths");
  return build(op, a.sort(), {a, b});
}
static Expr bvTest(ExprOp op, Expr a, Expr b) {
  assert(a.width() == b.width() && "operands of different widths");
  return build(op, Sort::boolean(), {a, b});
}

Expr operator~(Expr a) {
  return a.op() == ExprOp::BvNot ? a.arg(0)
                                 : build(ExprOp::BvNot, a.sort(), {a});
}
Expr neg(Expr a) { return build(ExprOp::BvNeg, a.sort(), {a}); }
Expr operator+(Expr a, Expr b) {
  if (isZero(b))
    return a;
  return isZero(a) ? b : bvOp(ExprOp::BvAdd, a, b);
}
Expr operator-(Expr a, Expr b) {
  if (a == b)
    return a.constant(0);
  return isZero(b) ? a : bvOp(ExprOp::BvSub, a, b);
}
Expr operator*(Expr a, Expr b) {
  if (isZero(a) || isZero(b))
    return a.constant(0);
  if (a.isConst() && a.value().isOne())
    return b;
  if (b.isConst() && b.value().isOne())
    return a;
  return bvOp(ExprOp::BvMul, a, b);
}
Expr operator&(Expr a, Expr b) {
  if (isZero(a) || isOnes(b) || a == b)
    return a;
  return isZero(b) || isOnes(a) ? b : bvOp(ExprOp::BvAnd, a, b);
}
Expr operator|(Expr a, Expr b) {
  if (isZero(b) || isOnes(a) || a == b)
    return a;
  return isZero(a) || isOnes(b) ? b : bvOp(ExprOp::BvOr, a, b);
}
Expr operator^(Expr a, Expr b) {
  if (a == b)
    return a.constant(0);
  if (isZero(b))
    return a;
  return isZero(a) ? b : bvOp(ExprOp::BvXor, a, b);
}
Expr udiv(Expr a, Expr b) { return bvOp(ExprOp::BvUDiv, a, b); }
Expr urem(Expr a, Expr b) { return bvOp(ExprOp::BvURem, a, b); }
Expr sdiv(Expr a, Expr b) { return bvOp(ExprOp::BvSDiv, a, b); }
Expr srem(Expr a, Expr b) { return bvOp(ExprOp::BvSRem, a, b); }

Expr shl(Expr a, Expr b) {
  return isZero(b) || isZero(a) ? a : bvOp(ExprOp::BvShl, a, b);
}
Expr lshr(Expr a, Expr b) {
  return isZero(b) || isZero(a) ? a : bvOp(ExprOp::BvLShr, a, b);
}
Expr ashr(Expr a, Expr b) {
  return isZero(b) || isZero(a) ? a : bvOp(ExprOp::BvAShr, a, b);
}

Expr ult(Expr a, Expr b) {
  if (a == b || isZero(b) || isOnes(a))
    return a.context().boolean(false);
  return bvTest(ExprOp::BvULt, a, b);
}
Expr ule(Expr a, Expr b) {
  if (a == b || isZero(a) || isOnes(b))
    return a.context().boolean(true);
  return bvTest(ExprOp::BvULe, a, b);
}
Expr slt(Expr a, Expr b) {
  return a == b ? a.context().boolean(false) : bvTest(ExprOp::BvSLt, a, b);
}
Expr sle(Expr a, Expr b) {
  return a == b ? a.context().boolean(true) : bvTest(ExprOp::BvSLe, a, b);
}

Expr concat(Expr high, Expr low) {
  return build(ExprOp::Concat, Sort::bitVec(high.width() + low.width()),
               {high, low});
}

Expr extract(Expr a, unsigned high, unsigned low) {
  assert(high < a.width() && low <= high && "bits out of range");
  if (low == 0 && high + 1 == a.width())
    return a;
  if (a.op() == ExprOp::Extract)
    return extract(a.arg(0), high + a.param(1), low + a.param(1));
  if (a.op() == ExprOp::Concat) {
    unsigned split = a.arg(1).width();
    if (high < split)
      return extract(a.arg(1), high, low);
    if (low >= split)
      return extract(a.arg(0), high - split, low - split);
  }
  if ((a.op() == ExprOp::ZeroExt || a.op() == ExprOp::SignExt) &&
      high < a.arg(0).width())
    return extract(a.arg(0), high, low);
  return build(ExprOp::Extract, Sort::bitVec(high - low + 1), {a}, high, low);
}

Expr zextOrTrunc(Expr a, unsigned width) {
  if (width <= a.width())
    return extract(a, width - 1, 0);
  return build(ExprOp::ZeroExt, Sort::bitVec(width), {a}, width - a.width());
}
Expr sextOrTrunc(Expr a, unsigned width) {
  if (width <= a.width())
    return extract(a, width - 1, 0);
  return build(ExprOp::SignExt, Sort::bitVec(width), {a}, width - a.width());
}
Expr bit(Expr c) {
  ExprContext &ctx = c.context();
  return ite(c, ctx.bv(1, 1), ctx.bv(0, 1));
}
Expr bitSet(Expr a, unsigned i) {
  return eq(extract(a, i, i), a.context().bv(1, 1));
}

//===----------------------------------------------------------------------===//
// Integers and floats
//===----------------------------------------------------------------------===//

Expr intAdd(Expr a, Expr b) {
  return build(ExprOp::IntAdd, Sort::integer(), {a, b});
}
Expr intMul(Expr a, Expr b) {
  return build(ExprOp::IntMul, Sort::integer(), {a, b});
}
Expr intDiv(Expr a, Expr b) {
  return build(ExprOp::IntDiv, Sort::integer(), {a, b});
}
Expr intMod(Expr a, Expr b) {
  return build(ExprOp::IntMod, Sort::integer(), {a, b});
}
Expr intLe(Expr a, Expr b) {
  return build(ExprOp::IntLe, Sort::boolean(), {a, b});
}
Expr intLt(Expr a, Expr b) {
  return build(ExprOp::IntLt, Sort::boolean(), {a, b});
}

Expr fpFromBits(Expr bits, unsigned exponent, unsigned precision) {
  assert(bits.width() == exponent + precision && "pattern of another format");
  return build(ExprOp::FpFromBits, Sort::floating(exponent, precision), {bits});
}
Expr fpUnary(ExprOp op, Expr a) { return build(op, a.sort(), {a}); }
Expr fpBinary(ExprOp op, Expr a, Expr b) {
  assert(a.sort() == b.sort() && "operands of different formats");
  return build(op, a.sort(), {a, b});
}
Expr fpFma(Expr a, Expr b, Expr c) {
  return build(ExprOp::FpFma, a.sort(), {a, b, c});
}
Expr fpRound(Expr a, RoundingMode mode) {
  return build(ExprOp::FpRound, a.sort(), {a}, unsigned(mode));
}
Expr fpConvert(Expr a, Sort to) {
  return a.sort() == to ? a : build(ExprOp::FpConvert, to, {a});
}
Expr fpFromInt(Expr bits, bool isSigned, Sort to) {
  return build(isSigned ? ExprOp::FpFromSInt : ExprOp::FpFromUInt, to, {bits});
}
Expr fpToInt(Expr a, bool isSigned, unsigned width) {
  return build(isSigned ? ExprOp::FpToSInt : ExprOp::FpToUInt,
               Sort::bitVec(width), {a});
}
Expr fpTest(ExprOp op, ArrayRef<Expr> args) {
  return build(op, Sort::boolean(), args);
}

} // namespace panpipe::tv::smt
