//===- IndexTermTest.cpp - Index normal form --------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Term/IndexTerm.h"
#include "Evaluate.h"

#include "gtest/gtest.h"

#include <random>

using namespace panpipe::tv;
using panpipe::tv::test::Evaluator;

namespace {

struct IndexTermTest : ::testing::Test {
  IndexManager m;
  IndexContext top = m.emptyContext();
  IndexTerm c(int64_t v) { return m.constant(v); }
  IndexTerm v(unsigned n) { return m.var(n); }
};

TEST_F(IndexTermTest, PolynomialsAreInterned) {
  EXPECT_EQ(v(0) + v(1) * 2, v(1) + v(0) + v(1));
  EXPECT_EQ((v(0) + v(1)) * (v(0) - v(1)), v(0) * v(0) - v(1) * v(1));
  EXPECT_TRUE((v(0) - v(0)).isZero());
  EXPECT_NE(v(0), v(1));
  EXPECT_EQ((v(0) * 3 - v(1) + 5).str(), "3*i0 - i1 + 5");
}

TEST_F(IndexTermTest, CoefficientsDoNotOverflow) {
  IndexTerm big = c(INT64_MAX) * INT64_MAX * INT64_MAX;
  EXPECT_FALSE(big.constantInt64().has_value());
  EXPECT_TRUE(top.nonneg(big));
  EXPECT_FALSE(top.nonneg(-big));
  EXPECT_EQ(big - big + 1, c(1));
}

TEST_F(IndexTermTest, DivisionByTileSize) {
  IndexContext g = top.withExtent(v(0), c(14)).withExtent(v(1), c(14));
  IndexTerm lin = v(0) * 14 + v(1);
  EXPECT_EQ(g.floorDiv(lin, c(14)), v(0));
  EXPECT_EQ(g.mod(lin, c(14)), v(1));
  // Twin: one element too wide, the digit does not fit.
  IndexContext wide = top.withExtent(v(0), c(14)).withExtent(v(1), c(15));
  EXPECT_NE(wide.floorDiv(lin, c(14)), v(0));
  EXPECT_EQ(g.floorDiv(g.floorDiv(v(0) * 14 + v(1), c(2)), c(7)), v(0));
  EXPECT_EQ(g.floorDiv(c(-7), c(2)), c(-4));
}

TEST_F(IndexTermTest, SymbolicClaims) {
  // The claims of validation-tensors.md section 11, with 0 <= i < A, ….
  IndexTerm a = m.freshDim("A"), b = m.freshDim("B"), cc = m.freshDim("C"),
            d = m.freshDim("D"), t = m.freshDim("T");
  IndexTerm i = v(0), j = v(1), k = v(2), l = v(3), y = v(4);
  IndexContext g = top.withExtent(i, a)
                       .withExtent(j, b)
                       .withExtent(k, cc)
                       .withExtent(l, d)
                       .withPositiveDims(t);
  EXPECT_EQ(g.floorDiv(i * b + j, b), i);
  EXPECT_EQ(g.mod(i * b + j, b), j);
  IndexTerm lin = (i * b + j) * cc + k;
  EXPECT_EQ(g.floorDiv(lin, b * cc), i);
  EXPECT_EQ(g.mod(g.floorDiv(lin, cc), b), j);
  IndexTerm lin4 = lin * d + l;
  EXPECT_EQ(g.mod(g.floorDiv(lin4, cc * d), b), j);
  EXPECT_EQ(g.floorDiv(g.floorDiv(lin4, d), cc), g.floorDiv(lin4, cc * d));
  EXPECT_TRUE(g.nonneg(a * b * cc - 1 - lin));
  IndexTerm q = g.floorDiv(y, t);
  EXPECT_TRUE(g.nonneg(y - t * q));
  EXPECT_TRUE(g.nonneg(t * q + t - 1 - y));
  // Twins.
  EXPECT_FALSE(g.nonneg(a * b * cc - 2 - lin));
  EXPECT_FALSE(g.nonneg(t * q - y));
}

TEST_F(IndexTermTest, PositiveDimsAreScoped) {
  // s >= 1 holds only where an index of that dim exists.
  IndexTerm s = m.freshDim("S");
  EXPECT_TRUE(top.nonneg(s));
  EXPECT_FALSE(top.nonneg(s - 1));
  EXPECT_TRUE(top.withPositiveDims(s).nonneg(s - 1));
  EXPECT_FALSE(top.nonneg(s - 1)); // not remembered by the symbol
  IndexTerm r = m.freshInt("R");
  EXPECT_FALSE(top.nonneg(r));
  EXPECT_TRUE(top.assume(geZero(r - 2)).nonneg(r - 1));
}

TEST_F(IndexTermTest, AssumeTightensAndContradicts) {
  IndexContext g = top.withExtent(v(0), c(10));
  IndexContext h = g.assume(geZero(v(0) * 2 - 7)); // v >= 4
  EXPECT_EQ(h.range(v(0)->asAtom()).first, c(4));
  EXPECT_TRUE(h.assume(geZero(c(3) - v(0))).isContradictory());
  EXPECT_FALSE(h.assume(geZero(c(4) - v(0))).isContradictory());
  EXPECT_EQ(g.assume(eqZero(v(0) - 3)).rebuild(v(0)), c(3));
  EXPECT_TRUE(g.assume(eqZero(v(0) * 2 - 5)).isContradictory());
}

/// Random index expressions with their direct evaluation.
class IndexFuzz : public IndexTermTest {
public:
  using Direct = std::function<int64_t(const std::vector<int64_t> &)>;
  std::mt19937 rng{20240917};
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  }

  std::vector<int64_t> extents;
  std::vector<IndexTerm> dims; // divisors that are symbolic, or null
  IndexContext g = top;

  std::pair<IndexTerm, Direct> expr(int depth) {
    int kind = depth == 0 ? pick(0, 1) : pick(0, 6);
    if (kind == 0) {
      unsigned n = pick(0, extents.size() - 1);
      return {v(n), [n](auto &x) { return x[n]; }};
    }
    if (kind == 1) {
      int64_t k = pick(-6, 12);
      return {c(k), [k](auto &) { return k; }};
    }
    auto [p, f] = expr(depth - 1);
    if (kind == 2 || kind == 3) {
      auto [q, h] = expr(depth - 1);
      return {kind == 2 ? p + q : p - q, [f = f, h = h, kind](auto &x) {
                return kind == 2 ? f(x) + h(x) : f(x) - h(x);
              }};
    }
    int64_t k = pick(1, 8) * (pick(0, 3) ? 1 : 2);
    if (kind == 4)
      return {p * k, [f = f, k](auto &x) { return f(x) * k; }};
    bool isMod = kind == 6;
    return {isMod ? g.mod(p, c(k)) : g.floorDiv(p, c(k)),
            [f = f, k, isMod](auto &x) {
              int64_t a = f(x), q = Evaluator::floorDivide(a, k);
              return isMod ? a - q * k : q;
            }};
  }
};

TEST_F(IndexFuzz, DivisionsAgreeWithArithmetic) {
  unsigned points = 0, collapsed = 0;
  for (unsigned round = 0; round < 600; ++round) {
    extents.clear();
    g = top;
    for (unsigned n = 0; n < 3; ++n) {
      extents.push_back(pick(1, 9));
      g = g.withExtent(v(n), c(extents[n]));
    }
    auto [p, f] = expr(5);
    collapsed += !p->hasDivision();
    bool nonneg = g.nonneg(p);
    for (unsigned k = 0; k < 12; ++k) {
      std::vector<int64_t> x;
      Evaluator e({});
      for (unsigned n = 0; n < 3; ++n) {
        x.push_back(pick(0, extents[n] - 1));
        e.set(v(n), x[n]);
      }
      ASSERT_EQ(e.eval(p), f(x)) << p.str() << "\n" << g.str();
      if (nonneg)
        ASSERT_GE(f(x), 0) << p.str() << "\n" << g.str();
      ++points;
    }
    // Substituting v0 := 2·v3 + v4 in a smaller context.
    IndexContext g2 = g.withExtent(v(3), c((extents[0] + 1) / 2))
                          .withExtent(v(4), c(2))
                          .assume(geZero(c(extents[0] - 1) - v(3) * 2 - v(4)));
    IndexSubst s;
    s.set(v(0), v(3) * 2 + v(4));
    IndexTerm q = g2.substitute(p, s);
    for (int64_t i = 0; i < extents[0]; ++i) {
      std::vector<int64_t> x{i, pick(0, extents[1] - 1),
                             pick(0, extents[2] - 1)};
      Evaluator e({});
      e.set(v(1), x[1]);
      e.set(v(2), x[2]);
      e.set(v(3), i / 2);
      e.set(v(4), i % 2);
      ASSERT_EQ(e.eval(q), f(x)) << p.str() << " -> " << q.str();
      ++points;
    }
  }
  EXPECT_GT(points, 5000u);
  EXPECT_GT(collapsed, 100u);
}

TEST_F(IndexFuzz, SymbolicDivisionsAgree) {
  for (unsigned round = 0; round < 400; ++round) {
    IndexTerm b = m.freshDim("B"), cc = m.freshDim("C");
    IndexContext g =
        top.withExtent(v(0), c(4)).withExtent(v(1), b).withExtent(v(2), cc);
    IndexTerm parts[] = {v(0),     v(1),      v(2),         b, cc, c(1),
                         v(0) * b, v(1) * cc, v(0) * b * cc};
    IndexTerm e = c(pick(-3, 3));
    for (unsigned k = 0; k < 4; ++k)
      e = e + parts[pick(0, 8)] * pick(-2, 3);
    IndexTerm divisors[] = {b, cc, b * cc, b * 2, cc * 3};
    IndexTerm d = divisors[pick(0, 4)], d2 = divisors[pick(0, 4)];
    IndexTerm q = g.floorDiv(e, d), q2 = g.floorDiv(q + v(2), d2);
    bool nonneg = g.nonneg(e), nonneg2 = g.nonneg(q2);
    for (unsigned k = 0; k < 20; ++k) {
      Evaluator ev({});
      int64_t B = pick(1, 4), C = pick(1, 4);
      ev.set(b, B);
      ev.set(cc, C);
      ev.set(v(0), pick(0, 3));
      ev.set(v(1), pick(0, B - 1));
      ev.set(v(2), pick(0, C - 1));
      int64_t x = Evaluator::floorDivide(ev.eval(e), ev.eval(d));
      int64_t y = Evaluator::floorDivide(x + ev.eval(v(2)), ev.eval(d2));
      ASSERT_EQ(ev.eval(q), x) << e.str() << " / " << d.str();
      ASSERT_EQ(ev.eval(q2), y) << q2.str();
      if (nonneg)
        ASSERT_GE(ev.eval(e), 0) << e.str();
      if (nonneg2)
        ASSERT_GE(y, 0) << q2.str();
    }
  }
}

TEST_F(IndexFuzz, FactsAreUsedSoundly) {
  unsigned proved = 0;
  for (unsigned round = 0; round < 800; ++round) {
    int64_t n0 = pick(1, 7), n1 = pick(1, 7);
    IndexContext g = top.withExtent(v(0), c(n0)).withExtent(v(1), c(n1));
    IndexTerm fact = v(0) * pick(-3, 3) + v(1) * pick(-3, 3) + pick(-6, 6);
    bool equality = pick(0, 4) == 0;
    IndexContext h = g.assume(GuardAtom{fact, equality});
    IndexTerm p =
        v(0) * pick(-3, 3) + v(1) * pick(-3, 3) +
        h.floorDiv(v(0) + v(1) * 2 + pick(-3, 3), c(pick(2, 4))) * pick(-1, 1) +
        pick(-6, 6);
    bool nonneg = h.nonneg(p), contradictory = h.isContradictory();
    proved += nonneg;
    for (int64_t i = 0; i < n0; ++i)
      for (int64_t j = 0; j < n1; ++j) {
        Evaluator e({});
        e.set(v(0), i);
        e.set(v(1), j);
        int64_t f = e.eval(fact);
        if (equality ? f != 0 : f < 0)
          continue;
        ASSERT_FALSE(contradictory) << h.str();
        if (nonneg)
          ASSERT_GE(e.eval(p), 0) << p.str() << "\n" << h.str();
      }
  }
  EXPECT_GT(proved, 50u);
}

} // namespace
