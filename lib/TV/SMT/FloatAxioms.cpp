//===- FloatAxioms.cpp - Facts about abstract float operations -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/FloatAxioms.h"

using namespace llvm;

namespace panpipe::tv::smt {

namespace {
/// Collects the facts of one application, with the notation of
/// docs/TV/Floats.md.
class Facts {
public:
  Facts(const FloatCircuits &f, ArrayRef<Expr> x, Expr r) : f(f), x(x), r(r) {}

  std::vector<Axiom> add();
  std::vector<Axiom> mul();
  std::vector<Axiom> div();
  std::vector<Axiom> fma();
  std::vector<Axiom> sqrt();
  std::vector<Axiom> exp();

private:
  Expr nan(Expr v) const { return f.isNaN(v); }
  Expr notNaN(Expr v) const { return lnot(f.isNaN(v)); }
  Expr inf(Expr v) const { return f.isInf(v); }
  Expr zero(Expr v) const { return f.isZero(v); }
  Expr finite(Expr v) const { return f.isFinite(v); }
  Expr mag(Expr v) const { return f.magnitude(v); }
  Expr sign(Expr v) const { return f.signBit(v); }
  Expr negative(Expr v) const { return f.isNegative(v); }
  Expr le(Expr a, Expr b) const { return f.lessEqualNoNaN(a, b); }
  Expr c(uint64_t v) const { return f.constant(v); }
  Expr one() const { return c(f.format().one()); }
  Expr infinity() const { return c(f.format().infinity()); }
  Expr productSign() const { return sign(x[0]) ^ sign(x[1]); }
  /// 0 times infinity.
  Expr zeroTimesInf() const {
    return lor(land(zero(x[0]), inf(x[1])), land(inf(x[0]), zero(x[1])));
  }
  Expr isQuietNaN(Expr v) const { return eq(v, f.quietNaN()); }
  Expr both(Expr a, Expr b) const { return land(a, b); }

  const FloatCircuits &f;
  ArrayRef<Expr> x;
  Expr r;
};
} // namespace

std::vector<Axiom> Facts::add() {
  Expr a = x[0], b = x[1];
  Expr ok = land(notNaN(a), notNaN(b));
  Expr opposite = eq(b, f.negate(a));
  Expr invalid = land(inf(a), opposite);
  Expr number = land(ok, notNaN(r));
  Expr minusZero = c(f.format().signMask());
  auto infinite = [&](Expr u, Expr v) {
    return implies(land(inf(u), notNaN(v), ne(v, f.negate(u))), eq(r, u));
  };
  auto identity = [&](Expr u, Expr v) {
    Expr neutral = lor(eq(v, minusZero), land(zero(v), lnot(zero(u))));
    return implies(land(notNaN(u), neutral), eq(r, u));
  };
  auto signOf = [&](Expr u, Expr v) {
    return implies(land(number, lnot(zero(r)), uge(mag(u), mag(v))),
                   eq(sign(r), sign(u)));
  };
  auto mono = [&](Expr u, Expr v) {
    return land(implies(land(number, lnot(negative(v))), le(u, r)),
                implies(land(number, negative(v)), le(r, u)));
  };
  return {
      {"add.nan", implies(lor(nan(a), nan(b), invalid), isQuietNaN(r))},
      {"add.nonan", implies(land(ok, lnot(invalid)), notNaN(r))},
      {"add.inf", both(infinite(a, b), infinite(b, a))},
      {"add.id", both(identity(a, b), identity(b, a))},
      {"add.cancel", implies(land(finite(a), opposite), eq(r, c(0)))},
      {"add.zero",
       implies(land(ok, zero(r)), lor(opposite, land(zero(a), zero(b))))},
      {"add.sign", both(signOf(a, b), signOf(b, a))},
      {"add.mono0", both(mono(a, b), mono(b, a))},
      {"add.dbl", implies(eq(a, b), eq(r, f.scale(a, 1)))},
  };
}

std::vector<Axiom> Facts::mul() {
  Expr a = x[0], b = x[1];
  Expr ok = land(notNaN(a), notNaN(b));
  Expr invalid = zeroTimesInf();
  Expr s = productSign();
  auto unit = [&](Expr u, Expr v) {
    return implies(land(notNaN(u), eq(mag(v), one())), eq(r, u ^ sign(v)));
  };
  auto mono = [&](Expr u, Expr v) {
    return land(
        implies(land(notNaN(r), ule(mag(v), one())), ule(mag(r), mag(u))),
        implies(land(notNaN(r), uge(mag(v), one())), uge(mag(r), mag(u))));
  };
  return {
      {"mul.nan", implies(lor(nan(a), nan(b), invalid), isQuietNaN(r))},
      {"mul.nonan", implies(land(ok, lnot(invalid)), notNaN(r))},
      {"mul.sign", implies(notNaN(r), eq(sign(r), s))},
      {"mul.inf", implies(land(ok, lor(inf(a), inf(b)), lnot(invalid)),
                          eq(r, s | infinity()))},
      {"mul.zero",
       implies(land(ok, lor(zero(a), zero(b)), lnot(invalid)), eq(r, s))},
      {"mul.one", both(unit(a, b), unit(b, a))},
      {"mul.mono1", both(mono(a, b), mono(b, a))},
  };
}

std::vector<Axiom> Facts::div() {
  Expr a = x[0], b = x[1];
  Expr invalid = lor(land(zero(a), zero(b)), land(inf(a), inf(b)));
  Expr number = land(notNaN(a), notNaN(b), lnot(invalid));
  Expr s = productSign();
  return {
      {"div.nan", implies(lor(nan(a), nan(b), invalid), isQuietNaN(r))},
      {"div.nonan", implies(number, notNaN(r))},
      {"div.sign", implies(notNaN(r), eq(sign(r), s))},
      {"div.zero", implies(land(number, lor(zero(a), inf(b))), eq(r, s))},
      {"div.inf",
       implies(land(number, lor(inf(a), zero(b))), eq(r, s | infinity()))},
      {"div.one",
       implies(land(notNaN(a), eq(mag(b), one())), eq(r, a ^ sign(b)))},
      {"div.self", implies(land(finite(a), lnot(zero(a)), eq(mag(a), mag(b))),
                           eq(r, s | one()))},
      {"div.mono1",
       land(implies(land(notNaN(r), ule(mag(b), one())), uge(mag(r), mag(a))),
            implies(land(notNaN(r), uge(mag(b), one())), ule(mag(r), mag(a))))},
      {"div.cmp",
       land(implies(land(notNaN(r), ule(mag(a), mag(b))), ule(mag(r), one())),
            implies(land(notNaN(r), uge(mag(a), mag(b))), uge(mag(r), one())))},
  };
}

std::vector<Axiom> Facts::fma() {
  Expr a = x[0], b = x[1], z = x[2];
  Expr ok = land(notNaN(a), notNaN(b), notNaN(z));
  Expr invalid = zeroTimesInf();
  Expr s = productSign(), infiniteProduct = s | infinity();
  Expr productInf = land(lor(inf(a), inf(b)), lnot(invalid));
  Expr clash = land(productInf, eq(z, f.negate(infiniteProduct)));
  Expr sIsSet = ne(s, c(0));
  Expr zeroSum =
      ite(zero(z),
          ite(land(sIsSet, negative(z)), c(f.format().signMask()), c(0)), z);
  Expr number = land(ok, notNaN(r));
  return {
      {"fma.nan", implies(lor(lnot(ok), invalid, clash), isQuietNaN(r))},
      {"fma.nonan",
       implies(land(ok, lnot(productInf), lnot(invalid)), notNaN(r))},
      {"fma.inf",
       land(implies(land(ok, productInf, lnot(clash)), eq(r, infiniteProduct)),
            implies(land(ok, lnot(invalid), lnot(productInf), inf(z)),
                    eq(r, z)))},
      {"fma.zero",
       implies(land(ok, finite(a), finite(b), lor(zero(a), zero(b))),
               eq(r, zeroSum))},
      {"fma.sign", implies(land(number, eq(sign(z), s)), eq(sign(r), s))},
      {"fma.mono0",
       land(implies(land(number, lnot(productInf), lnot(sIsSet)), le(z, r)),
            implies(land(number, lnot(productInf), sIsSet), le(r, z)))},
  };
}

std::vector<Axiom> Facts::sqrt() {
  Expr a = x[0];
  Expr positive = land(notNaN(a), lnot(negative(a)), lnot(zero(a)));
  return {
      {"sqrt.nan",
       implies(lor(nan(a), land(negative(a), lnot(zero(a)))), isQuietNaN(r))},
      {"sqrt.fix",
       implies(lor(zero(a), eq(a, infinity()), eq(a, one())), eq(r, a))},
      {"sqrt.range",
       implies(positive,
               land(lnot(negative(r)), notNaN(r),
                    implies(ule(a, one()), land(ule(a, r), ule(r, one()))),
                    implies(uge(a, one()), land(ule(one(), r), ule(r, a)))))},
  };
}

std::vector<Axiom> Facts::exp() {
  // Facts about an implementation, not theorems: the ledger names them.
  return {
      {"exp.nan", implies(nan(x[0]), isQuietNaN(r))},
      {"exp.range", implies(notNaN(x[0]), land(lnot(negative(r)), notNaN(r)))},
  };
}

std::vector<Axiom> applicationAxioms(ScalarOp op, const FloatCircuits &f,
                                     ArrayRef<Expr> x, Expr r) {
  Facts facts(f, x, r);
  switch (op) {
  case ScalarOp::AddF:
    return facts.add();
  case ScalarOp::MulF:
    return facts.mul();
  case ScalarOp::DivF:
    return facts.div();
  case ScalarOp::Fma:
    return facts.fma();
  case ScalarOp::Sqrt:
    return facts.sqrt();
  case ScalarOp::Exp:
    return facts.exp();
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// `forward` and its mirror image: (p ⇒ r ≤ s) ∧ (q ⇒ s ≤ r).
static Expr monotone(Expr guard, Expr up, Expr upResult, Expr down,
                     Expr downResult) {
  return land(implies(land(guard, up), upResult),
              implies(land(guard, down), downResult));
}

std::vector<Axiom> pairAxioms(ScalarOp op, const FloatCircuits &f,
                              ArrayRef<Expr> x, Expr r, ArrayRef<Expr> y,
                              Expr s) {
  auto le = [&](Expr a, Expr b) { return f.lessEqualNoNaN(a, b); };
  auto mag = [&](Expr a) { return f.magnitude(a); };
  Expr numbers = land(lnot(f.isNaN(r)), lnot(f.isNaN(s)));
  std::vector<Axiom> facts;
  switch (op) {
  case ScalarOp::AddF:
    for (Expr e : {x[0], x[1], y[0], y[1]})
      numbers = land(numbers, lnot(f.isNaN(e)));
    for (auto [u, v] : {std::pair(y[0], y[1]), std::pair(y[1], y[0])})
      facts.push_back(
          {"add.mono",
           monotone(numbers, land(le(x[0], u), le(x[1], v)), le(r, s),
                    land(le(u, x[0]), le(v, x[1])), le(s, r))});
    break;
  case ScalarOp::MulF:
    for (auto [u, v] : {std::pair(y[0], y[1]), std::pair(y[1], y[0])})
      facts.push_back(
          {"mul.mono",
           monotone(numbers,
                    land(ule(mag(x[0]), mag(u)), ule(mag(x[1]), mag(v))),
                    ule(mag(r), mag(s)),
                    land(ule(mag(u), mag(x[0])), ule(mag(v), mag(x[1]))),
                    ule(mag(s), mag(r)))});
    break;
  case ScalarOp::DivF:
    facts.push_back(
        {"div.mono",
         monotone(numbers,
                  land(ule(mag(x[0]), mag(y[0])), uge(mag(x[1]), mag(y[1]))),
                  ule(mag(r), mag(s)),
                  land(ule(mag(y[0]), mag(x[0])), uge(mag(y[1]), mag(x[1]))),
                  ule(mag(s), mag(r)))});
    break;
  case ScalarOp::Fma:
    for (Expr e : {x[0], x[1], x[2], y[0], y[1], y[2]})
      numbers = land(numbers, lnot(f.isNaN(e)));
    numbers = land(numbers, eq(x[0], y[0]), eq(x[1], y[1]));
    facts.push_back({"fma.monoz", monotone(numbers, le(x[2], y[2]), le(r, s),
                                           le(y[2], x[2]), le(s, r))});
    break;
  case ScalarOp::Sqrt:
    facts.push_back({"sqrt.mono", monotone(numbers, le(x[0], y[0]), le(r, s),
                                           le(y[0], x[0]), le(s, r))});
    break;
  default:
    break;
  }
  return facts;
}

//===----------------------------------------------------------------------===//
// Normalised core functions, exact definitions, lemmas
//===----------------------------------------------------------------------===//

Expr normalisedApplication(ScalarOp op, const FloatCircuits &f,
                           ArrayRef<Expr> x,
                           const std::function<Expr(ArrayRef<Expr>)> &core) {
  if (op == ScalarOp::Sqrt)
    return core({x[0]});
  Expr a = x[0], b = x[1];
  Expr swap = ult(f.magnitude(a), f.magnitude(b));
  Expr high = ite(swap, b, a), low = ite(swap, a, b);
  Expr s = f.signBit(a) ^ f.signBit(b);
  Expr anyNaN = lor(f.isNaN(a), f.isNaN(b));
  switch (op) {
  case ScalarOp::AddF: {
    Expr sign = f.signBit(high);
    Expr sum = core({f.magnitude(high), low ^ sign});
    Expr opposite = eq(b, f.negate(a));
    return ite(lor(anyNaN, land(f.isInf(a), opposite)), f.quietNaN(),
               ite(opposite, f.constant(0), sign ^ sum));
  }
  case ScalarOp::MulF: {
    Expr product = core({f.magnitude(high), f.magnitude(low)});
    Expr invalid =
        lor(land(f.isZero(a), f.isInf(b)), land(f.isInf(a), f.isZero(b)));
    return ite(lor(anyNaN, invalid), f.quietNaN(), s | f.magnitude(product));
  }
  case ScalarOp::DivF: {
    Expr quotient = core({f.magnitude(a), f.magnitude(b)});
    Expr invalid =
        lor(land(f.isZero(a), f.isZero(b)), land(f.isInf(a), f.isInf(b)));
    return ite(lor(anyNaN, invalid), f.quietNaN(), s | f.magnitude(quotient));
  }
  default: // Fma: z keeps its sign, exact cancellation hides in the product.
    return core({f.magnitude(high) | s, f.magnitude(low), x[2]});
  }
}

Expr theoryOperation(ScalarOp op, ArrayRef<Expr> x) {
  switch (op) {
  case ScalarOp::AddF:
    return fpBinary(ExprOp::FpAdd, x[0], x[1]);
  case ScalarOp::MulF:
    return fpBinary(ExprOp::FpMul, x[0], x[1]);
  case ScalarOp::DivF:
    return fpBinary(ExprOp::FpDiv, x[0], x[1]);
  case ScalarOp::Fma:
    return fpFma(x[0], x[1], x[2]);
  default:
    return fpUnary(ExprOp::FpSqrt, x[0]);
  }
}

Expr exactDefinition(ScalarOp op, const FloatCircuits &f, ArrayRef<Expr> x,
                     Expr r) {
  SmallVector<Expr, 3> args;
  for (Expr e : x)
    args.push_back(f.toTheory(e));
  return land(eq(f.toTheory(r), theoryOperation(op, args)),
              implies(f.isNaN(r), eq(r, f.quietNaN())));
}

/// Both directions of an interval lemma in one argument order.
static void addInterval(std::vector<Expr> &out, Expr guard, Expr below,
                        Expr above, Expr resultBelow, Expr resultAbove) {
  out.push_back(implies(land(guard, below), resultBelow));
  out.push_back(implies(land(guard, above), resultAbove));
}

std::vector<Expr> valueLemmas(ScalarOp op, const FloatCircuits &f,
                              ArrayRef<Expr> x, Expr r, ArrayRef<APInt> values,
                              const APInt &result) {
  std::vector<Expr> out;
  ExprContext &ctx = r.context();
  SmallVector<Expr, 3> v;
  for (const APInt &value : values)
    v.push_back(ctx.bv(value));
  Expr expected = ctx.bv(result);
  Expr here = ctx.boolean(true);
  for (auto [e, value] : zip(x, v))
    here = land(here, eq(e, value));
  out.push_back(implies(here, eq(r, expected)));

  uint64_t inf = f.format().infinity(), mask = f.format().signMask() - 1;
  auto isNaNValue = [&](const APInt &a) {
    return (a.getZExtValue() & mask) > inf;
  };
  if (isNaNValue(result) || any_of(values, isNaNValue))
    return out;
  auto le = [&](Expr a, Expr b) { return f.lessEqualNoNaN(a, b); };
  auto mag = [&](Expr a) { return f.magnitude(a); };
  Expr numbers = lnot(f.isNaN(r));
  Expr low = le(r, expected), high = le(expected, r);
  Expr magLow = ule(mag(r), mag(expected)),
       magHigh = uge(mag(r), mag(expected));
  switch (op) {
  case ScalarOp::AddF:
    numbers = land(numbers, lnot(f.isNaN(x[0])), lnot(f.isNaN(x[1])));
    for (auto [u, w] : {std::pair(x[0], x[1]), std::pair(x[1], x[0])})
      addInterval(out, numbers, land(le(u, v[0]), le(w, v[1])),
                  land(le(v[0], u), le(v[1], w)), low, high);
    break;
  case ScalarOp::MulF:
    for (auto [u, w] : {std::pair(x[0], x[1]), std::pair(x[1], x[0])})
      addInterval(out, numbers,
                  land(ule(mag(u), mag(v[0])), ule(mag(w), mag(v[1]))),
                  land(uge(mag(u), mag(v[0])), uge(mag(w), mag(v[1]))), magLow,
                  magHigh);
    break;
  case ScalarOp::DivF:
    addInterval(out, numbers,
                land(ule(mag(x[0]), mag(v[0])), uge(mag(x[1]), mag(v[1]))),
                land(uge(mag(x[0]), mag(v[0])), ule(mag(x[1]), mag(v[1]))),
                magLow, magHigh);
    break;
  case ScalarOp::Sqrt:
    addInterval(out, numbers, le(x[0], v[0]), le(v[0], x[0]), low, high);
    break;
  case ScalarOp::Fma:
    numbers =
        land(numbers, eq(x[0], v[0]), eq(x[1], v[1]), lnot(f.isNaN(x[2])));
    addInterval(out, numbers, le(x[2], v[2]), le(v[2], x[2]), low, high);
    break;
  default:
    break;
  }
  return out;
}

} // namespace panpipe::tv::smt
