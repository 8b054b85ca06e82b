//===- AxiomTest.cpp - Proofs of axioms, core forms and circuits -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// No axiom enters by hand. Quick: all pairs of arguments of both 8-bit formats
/// (and all triples with a few addends for fma), by execution. With an external
/// SMT solver and PANPIPE_LONG_TESTS=1: f16, bf16, f32, f64 in the FP theory;
/// the table of what was proved where is printed. Each statement is also asked
/// about wrong operations, and must be refuted.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/SMT/FloatAxioms.h"
#include "panpipe/TV/SMT/ScalarInputs.h"
#include "panpipe/TV/SMT/Solver.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <set>

using namespace panpipe::tv;
using namespace panpipe::tv::smt;
using llvm::APFloatBase;
using llvm::APInt;

namespace {

ScalarType type(APFloatBase::Semantics s) { return ScalarType::floating(s); }

const ScalarOp abstractOps[] = {ScalarOp::AddF, ScalarOp::MulF, ScalarOp::DivF,
                                ScalarOp::Fma, ScalarOp::Sqrt};
unsigned arity(ScalarOp op) {
  return op == ScalarOp::Sqrt ? 1 : op == ScalarOp::Fma ? 3 : 2;
}

/// What is computed in place of `op`: itself, or something wrong.
using Compute = APInt (*)(ScalarOp op, ScalarType t,
                          llvm::ArrayRef<ScalarValue> x);
APInt right(ScalarOp op, ScalarType t, llvm::ArrayRef<ScalarValue> x) {
  llvm::SmallVector<ScalarType, 3> types(x.size(), t);
  return evalScalar(op, {}, t, types, x).value.bits;
}
APInt other(ScalarOp wrong, ScalarType t, llvm::ArrayRef<ScalarValue> x) {
  return right(wrong, t,
               x.size() < 2 ? llvm::ArrayRef<ScalarValue>{x[0], x[0]}
                            : x.take_front(2));
}
APInt asSum(ScalarOp, ScalarType t, llvm::ArrayRef<ScalarValue> x) {
  return other(ScalarOp::AddF, t, x);
}
APInt asProduct(ScalarOp, ScalarType t, llvm::ArrayRef<ScalarValue> x) {
  return other(ScalarOp::MulF, t, x);
}
APInt asNegation(ScalarOp op, ScalarType t, llvm::ArrayRef<ScalarValue> x) {
  return right(op, t, x) ^ APInt::getSignMask(t.width());
}
/// Large magnitudes become small ones.
APInt asReversed(ScalarOp op, ScalarType t, llvm::ArrayRef<ScalarValue> x) {
  APInt r = right(op, t, x);
  uint64_t inf = FloatFormat::of(t)->infinity();
  uint64_t magnitude = r.getZExtValue() & ((1u << (t.width() - 1)) - 1);
  if (magnitude > inf)
    return r;
  return APInt(t.width(), inf - magnitude) |
         (r & APInt::getSignMask(t.width()));
}
APInt asFirst(ScalarOp, ScalarType, llvm::ArrayRef<ScalarValue> x) {
  return x[0].bits;
}
APInt asNaN(ScalarOp, ScalarType t, llvm::ArrayRef<ScalarValue>) {
  return canonicalNaN(t);
}

/// Names of axioms that some 8-bit arguments violate.
std::set<std::string> violated(ScalarOp op, ScalarType t, Compute compute,
                               unsigned stride = 1) {
  ExprContext ctx;
  FloatFormat format = *FloatFormat::of(t);
  FloatCircuits f(ctx, format);
  unsigned w = format.width(), n = arity(op);
  std::vector<Expr> x;
  for (unsigned i = 0; i < n; ++i)
    x.push_back(ctx.fresh("x", Sort::bitVec(w)));
  Expr r = ctx.fresh("r", Sort::bitVec(w));
  std::vector<Axiom> axioms = applicationAxioms(op, f, x, r);
  std::set<std::string> bad;
  std::vector<uint64_t> addends = specialPatterns(format);
  addends.resize(n == 3 ? addends.size() : 1);
  uint64_t pairs = n == 1 ? 1u << w : 1u << (2 * w);
  for (uint64_t z : addends)
    for (uint64_t i = 0; i < pairs; i += n == 3 ? 7 : n == 2 ? stride : 1) {
      uint64_t parts[] = {i & ((1u << w) - 1), i >> w, z};
      ExprEvaluator ev;
      llvm::SmallVector<ScalarValue, 3> values;
      for (unsigned k = 0; k < n; ++k) {
        values.push_back({APInt(w, parts[k]), false});
        ev.set(x[k], values[k].bits);
      }
      ev.set(r, compute(op, t, values));
      for (const Axiom &a : axioms) {
        APInt v;
        EXPECT_TRUE(ev.evaluate(a.fact, v));
        if (v.isZero())
          bad.insert(a.name);
      }
    }
  return bad;
}

TEST(Axioms, HoldOnAllEightBitArguments) {
  for (ScalarType t :
       {type(APFloatBase::S_Float8E5M2), type(APFloatBase::S_Float8E4M3)})
    for (ScalarOp op : abstractOps)
      for (const std::string &name : violated(op, t, right))
        ADD_FAILURE() << name << " is violated in " << toString(t);
}

TEST(Axioms, EachIsRefutedForSomeWrongOperation) {
  ScalarType t = type(APFloatBase::S_Float8E4M3);
  for (ScalarOp op : abstractOps) {
    std::set<std::string> refuted;
    for (Compute wrong : {asSum, asProduct, asNegation, asFirst, asNaN})
      refuted.merge(violated(op, t, wrong, /*stride=*/5));
    ExprContext ctx;
    FloatCircuits f(ctx, *FloatFormat::of(t));
    std::vector<Expr> x(3, ctx.var("x", Sort::bitVec(8)));
    for (const Axiom &a : applicationAxioms(
             op, f, llvm::ArrayRef<Expr>(x).take_front(arity(op)), x[0]))
      EXPECT_TRUE(refuted.count(a.name)) << a.name << " says nothing";
  }
}

/// Pairs of applications: neighbours and random arguments.
unsigned pairViolations(ScalarOp op, ScalarType t, Compute compute) {
  ExprContext ctx;
  FloatFormat format = *FloatFormat::of(t);
  FloatCircuits f(ctx, format);
  unsigned w = format.width(), n = arity(op);
  std::vector<Expr> x, y;
  for (unsigned i = 0; i < n; ++i) {
    x.push_back(ctx.fresh("x", Sort::bitVec(w)));
    y.push_back(ctx.fresh("y", Sort::bitVec(w)));
  }
  Expr r = ctx.fresh("r", Sort::bitVec(w)), s = ctx.fresh("s", Sort::bitVec(w));
  std::vector<Axiom> axioms = pairAxioms(op, f, x, r, y, s);
  EXPECT_FALSE(axioms.empty());
  Random random(7);
  unsigned bad = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    ExprEvaluator ev;
    llvm::SmallVector<ScalarValue, 3> a, b;
    for (unsigned k = 0; k < n; ++k) {
      a.push_back({APInt(w, random.below(1u << w)), false});
      // Half of them neighbours, or equal.
      b.push_back({random.below(2) ? a[k].bits + uint64_t(random.below(2))
                                   : APInt(w, random.below(1u << w)),
                   false});
      if (op == ScalarOp::Fma && k < 2)
        b[k] = a[k];
      ev.set(x[k], a[k].bits);
      ev.set(y[k], b[k].bits);
    }
    ev.set(r, compute(op, t, a));
    ev.set(s, compute(op, t, b));
    for (const Axiom &axiom : axioms) {
      APInt v;
      EXPECT_TRUE(ev.evaluate(axiom.fact, v));
      bad += v.isZero();
    }
  }
  return bad;
}

TEST(Axioms, PairsHoldOnEightBits) {
  for (ScalarType t :
       {type(APFloatBase::S_Float8E5M2), type(APFloatBase::S_Float8E4M3)})
    for (ScalarOp op : abstractOps) {
      EXPECT_EQ(pairViolations(op, t, right), 0u)
          << scalarOpName(op).str() << " " << toString(t);
      EXPECT_GT(pairViolations(op, t, asReversed), 0u)
          << scalarOpName(op).str() << " " << toString(t);
    }
}

/// Equal normalised arguments must give equal results, for all pairs.
TEST(Axioms, CoreFormsAreFunctionsOfTheirArguments) {
  for (ScalarType t :
       {type(APFloatBase::S_Float8E5M2), type(APFloatBase::S_Float8E4M3)})
    for (ScalarOp op : {ScalarOp::AddF, ScalarOp::MulF, ScalarOp::DivF}) {
      ExprContext ctx;
      FloatFormat format = *FloatFormat::of(t);
      FloatCircuits f(ctx, format);
      Expr a = ctx.var("a", Sort::bitVec(8)), b = ctx.var("b", Sort::bitVec(8));
      Expr u = ctx.var("u", Sort::bitVec(8));
      std::vector<Expr> args;
      Expr form =
          normalisedApplication(op, f, {a, b}, [&](llvm::ArrayRef<Expr> x) {
            args = x.vec();
            return u;
          });
      for (unsigned i = 0; i < 1u << 16; ++i) {
        ScalarValue x{APInt(8, i & 255), false}, y{APInt(8, i >> 8), false};
        ExprEvaluator ev;
        ev.set(a, x.bits);
        ev.set(b, y.bits);
        ScalarValue core[2];
        for (unsigned k = 0; k < 2; ++k)
          ASSERT_TRUE(ev.evaluate(args[k], core[k].bits));
        // The core function is the operation itself on normalised arguments.
        ev.set(u, right(op, t, {core[0], core[1]}));
        APInt got;
        ASSERT_TRUE(ev.evaluate(form, got));
        ASSERT_EQ(got, right(op, t, {x, y}))
            << scalarOpName(op).str() << " " << toString(t) << " " << i;
      }
    }
}

//===----------------------------------------------------------------------===//
// The FP theory
//===----------------------------------------------------------------------===//

struct TheoryTest : ::testing::Test {
  QueryRunner runner{findExternalSolvers()};
  std::map<std::string, std::string> table;
  void SetUp() override {
    if (!std::getenv("PANPIPE_LONG_TESTS"))
      GTEST_SKIP() << "set PANPIPE_LONG_TESTS=1";
    if (runner.external().empty())
      GTEST_SKIP() << "no external solver found (PANPIPE_SOLVERS, PATH)";
  }
  CheckResult ask(const std::string &name, llvm::ArrayRef<Expr> assertions,
                  double seconds = 60) {
    QueryOptions o;
    o.secondsPerSolver = seconds;
    o.useZ3 = false;
    QueryResult r = runner.run(name, assertions, {}, o);
    const char *verdict = r.result == CheckResult::Unsat ? "proved"
                          : r.result == CheckResult::Sat ? "refuted"
                                                         : "open";
    printf("%-28s %-8s %-9s %.2f %s\n", name.c_str(), verdict, r.solver.c_str(),
           r.seconds, r.reason.c_str());
    fflush(stdout);
    return r.result;
  }
};

/// The negation of an ordering fact on FP terms rather than on bits of the
/// result, which solvers decide many times faster; null for other facts.
Expr onTerms(llvm::StringRef name, ScalarOp op, const FloatCircuits &f,
             llvm::ArrayRef<Expr> x) {
  std::vector<Expr> v;
  for (Expr e : x)
    v.push_back(f.toTheory(e));
  Expr r = theoryOperation(op, v),
       one = f.toTheory(f.constant(f.format().one()));
  auto abs = [](Expr e) { return fpUnary(ExprOp::FpAbs, e); };
  auto lt = [](Expr a, Expr b) { return fpTest(ExprOp::FpLt, {a, b}); };
  auto le = [](Expr a, Expr b) { return fpTest(ExprOp::FpLe, {a, b}); };
  // Both say nothing where the result is NaN, as the facts do.
  if (name == "add.mono0")
    return land(lnot(f.isNaN(x[1])),
                lor(land(lnot(f.isNegative(x[1])), lt(r, v[0])),
                    land(f.isNegative(x[1]), lt(v[0], r))));
  if (name == "mul.mono1")
    return lor(land(le(abs(v[1]), one), lt(abs(v[0]), abs(r))),
               land(le(one, abs(v[1])), lt(abs(r), abs(v[0]))));
  if (name == "div.mono1")
    return lor(land(le(abs(v[1]), one), lt(abs(r), abs(v[0]))),
               land(le(one, abs(v[1])), lt(abs(v[0]), abs(r))));
  if (name == "div.cmp")
    return lor(land(le(abs(v[0]), abs(v[1])), lt(one, abs(r))),
               land(le(abs(v[1]), abs(v[0])), lt(abs(r), one)));
  if (name == "fma.mono0") {
    Expr negative = lnot(eq(f.signBit(x[0]), f.signBit(x[1])));
    return land(
        f.isFinite(x[0]), f.isFinite(x[1]),
        lor(land(lnot(negative), lt(r, v[2])), land(negative, lt(v[2], r))));
  }
  return Expr();
}

TEST_F(TheoryTest, AxiomsPerFormat) {
  for (ScalarType t :
       {type(APFloatBase::S_IEEEhalf), type(APFloatBase::S_BFloat),
        type(APFloatBase::S_IEEEsingle), type(APFloatBase::S_IEEEdouble)})
    for (ScalarOp op : abstractOps) {
      ExprContext ctx;
      FloatFormat format = *FloatFormat::of(t);
      FloatCircuits f(ctx, format);
      std::vector<Expr> x;
      for (unsigned i = 0; i < arity(op); ++i)
        x.push_back(ctx.fresh("x", Sort::bitVec(format.width())));
      Expr r = ctx.fresh("r", Sort::bitVec(format.width()));
      Expr exact = exactDefinition(op, f, x, r);
      for (const Axiom &a : applicationAxioms(op, f, x, r)) {
        std::string name = toString(t) + " " + a.name;
        const char *only = std::getenv("PANPIPE_AXIOM");
        if (only && name.find(only) == std::string::npos)
          continue;
        Expr direct = onTerms(a.name, op, f, x);
        std::vector<Expr> question{exact, lnot(a.fact)};
        if (direct && format.width() >= 32)
          question = {direct};
        CheckResult result = ask(name, question);
        EXPECT_NE(result, CheckResult::Sat) << name;
        // Those two take longer than a minute; docs/TV/Floats.md argues them.
        if (name != "f64 mul.mono1" && name != "f64 div.mono1")
          EXPECT_EQ(result, CheckResult::Unsat) << name;
      }
    }
}

/// Circuits against the theory's operations, with the known bugs refuted.
TEST_F(TheoryTest, CircuitsPerFormat) {
  const ScalarType types[] = {
      type(APFloatBase::S_IEEEhalf), type(APFloatBase::S_BFloat),
      type(APFloatBase::S_IEEEsingle), type(APFloatBase::S_IEEEdouble)};
  for (ScalarType t : types) {
    ExprContext ctx;
    FloatFormat format = *FloatFormat::of(t);
    FloatCircuits f(ctx, format);
    Expr x = ctx.var("x", Sort::bitVec(format.width()));
    Expr v = f.toTheory(x);
    auto differs = [&](const std::string &what, Expr circuit, Expr theory,
                       const FloatFormat &g) {
      std::string name = toString(t) + " " + what;
      EXPECT_EQ(
          ask(name, {ne(FloatCircuits(ctx, g).toTheory(circuit), theory)}),
          CheckResult::Unsat)
          << name;
    };
    for (ScalarType u : types) {
      FloatFormat g = *FloatFormat::of(u);
      if (!(g == format))
        differs("to " + toString(u), f.convert(x, g), fpConvert(v, g.sort()),
                g);
    }
    for (RoundingMode m :
         {RoundingMode::NearestEven, RoundingMode::NearestAway,
          RoundingMode::TowardPositive, RoundingMode::TowardNegative,
          RoundingMode::TowardZero})
      differs("round mode " + std::to_string(int(m)), f.roundToInt(x, m),
              fpRound(v, m), format);
    for (unsigned w : {8, 16, 32, 64}) {
      Expr i = ctx.var("i" + std::to_string(w), Sort::bitVec(w));
      for (bool isSigned : {true, false}) {
        std::string name =
            std::string(isSigned ? "si" : "ui") + std::to_string(w);
        differs("from " + name, f.fromInt(i, isSigned),
                fpFromInt(i, isSigned, format.sort()), format);
        auto r = f.toInt(x, w, isSigned);
        EXPECT_EQ(ask(toString(t) + " to " + name,
                      {r.inRange, ne(r.value, fpToInt(v, isSigned, w))}),
                  CheckResult::Unsat)
            << toString(t) << name;
      }
    }
    for (int k : {1, -1, 3, -3, int(2 * format.exponentBits),
                  format.minExponent() - 1}) {
      Expr c = ctx.bv(*format.powerOfTwo(k), format.width());
      differs("times 2^" + std::to_string(k), f.scale(x, k),
              fpBinary(ExprOp::FpMul, v, f.toTheory(c)), format);
      differs("over 2^" + std::to_string(k), f.scale(x, -k),
              fpBinary(ExprOp::FpDiv, v, f.toTheory(c)), format);
    }
    Expr y = ctx.var("y", Sort::bitVec(format.width()));
    for (unsigned p = 0; p < 16; ++p) {
      // oeq olt ole through the theory; the others are made of these.
      if (p != 1 && p != 4 && p != 5)
        continue;
      ExprOp op = p == 1 ? ExprOp::FpEq : p == 4 ? ExprOp::FpLt : ExprOp::FpLe;
      Expr differ =
          ne(bit(f.compare(p, x, y)), bit(fpTest(op, {v, f.toTheory(y)})));
      EXPECT_EQ(ask(toString(t) + " cmp " + std::to_string(p), {differ}),
                CheckResult::Unsat);
    }
  }
}

TEST_F(TheoryTest, BrokenCircuitsAreRefuted) {
  ExprContext ctx;
  FloatFormat f32{8, 24}, f16{5, 11};
  Expr x = ctx.var("x", Sort::bitVec(32));
  for (CircuitMutant m : {CircuitMutant::TiesUp, CircuitMutant::NoSpareBit}) {
    Expr wrong = FloatCircuits(ctx, f32, m).convert(x, f16);
    EXPECT_EQ(
        ask("mutant " + std::to_string(int(m)),
            {ne(FloatCircuits(ctx, f16).toTheory(wrong),
                fpConvert(FloatCircuits(ctx, f32).toTheory(x), f16.sort()))}),
        CheckResult::Sat);
  }
}

} // namespace
