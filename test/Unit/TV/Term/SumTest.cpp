//===- SumTest.cpp - Sum normal form ----------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums whose order changes: float sums need `reassoc`, and only the sums that
// change are named.
//
//===----------------------------------------------------------------------===//

#include "Networks.h"
#include "panpipe/TV/Refine/Compare.h"

using namespace panpipe::tv;
using namespace panpipe::tv::test;

namespace {

struct SumTest : Networks {
  CompareResult last;
  bool proved(const SymTensor &s, const SymTensor &t, bool reassoc,
              bool nsz = false) {
    CompareOptions options;
    options.reassoc = reassoc;
    options.nsz = nsz;
    Comparer comparer(terms, options);
    last = comparer.compareTensors(s, t);
    return last.proved();
  }
  SymTensor add(const SymTensor &a, const SymTensor &b) {
    return map2(a.type.isFloat() ? ScalarOp::AddF : ScalarOp::AddI, a, b);
  }
  /// dW[i,f] = sum over n of x[n,i]·d[n,f].
  SymTensor gradient(const SymTensor &x, const SymTensor &d) {
    return matmul(transposeTensor(terms, x, {1, 0}), d);
  }
  SymTensor gradientParts(const SymTensor &x, const SymTensor &d,
                          llvm::ArrayRef<std::pair<int64_t, int64_t>> parts) {
    SymTensor sum;
    for (auto [lo, size] : parts) {
      SymTensor g = gradient(rows(x, lo, size), rows(d, lo, size));
      sum = sum.shape.empty() ? g : add(sum, g);
    }
    return sum;
  }
};

TEST_F(SumTest, GradientsOfMicrobatches) {
  SymTensor x = input("x", {8, 10}), d = input("d", {8, 5});
  SymTensor full = gradient(x, d);
  using Parts = llvm::SmallVector<std::pair<int64_t, int64_t>, 8>;
  Parts uneven{{0, 3}, {3, 3}, {6, 2}}, ones{{0, 3}, {3, 3}, {6, 1}, {7, 1}},
      single;
  for (int64_t i = 0; i < 8; ++i)
    single.push_back({i, 1});
  for (const Parts &p : {uneven, ones, single}) {
    EXPECT_FALSE(proved(full, gradientParts(x, d, p), false));
    EXPECT_TRUE(proved(full, gradientParts(x, d, p), true)) << last.culprit;
    ASSERT_EQ(last.assumptions.size(), 1u);
    EXPECT_EQ(last.assumptions[0].kind, "reassoc");
    EXPECT_EQ(last.assumptions[0].detail, "sum at matmul, 1 term");
  }
  // Twins: a dropped part, a wrong part, one sample twice.
  EXPECT_FALSE(proved(full, gradientParts(x, d, Parts{{0, 3}, {3, 3}}), true));
  EXPECT_FALSE(
      proved(full, gradientParts(x, d, Parts{{0, 3}, {2, 3}, {6, 2}}), true));
  EXPECT_FALSE(
      proved(full, gradientParts(x, d, Parts{{0, 4}, {3, 3}, {6, 2}}), true));
}

TEST_F(SumTest, TransposedAndReversedSums) {
  SymTensor x = input("m", {4, 6});
  SymTensor s = zeros({});
  SymTensor sum = sumAll(ScalarOp::AddF, x, s, 0);
  SymTensor t = transposeTensor(terms, x, {1, 0});
  SymTensor reversed =
      indexMapTensor(terms, x, x.shape,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                       return IndexList{c(3) - i[0], i[1]};
                     });
  for (const SymTensor &y : {t, reversed}) {
    EXPECT_FALSE(proved(sum, sumAll(ScalarOp::AddF, y, s, 0), false));
    EXPECT_TRUE(proved(sum, sumAll(ScalarOp::AddF, y, s, 0), true))
        << last.culprit;
  }
  // Twins: a row less; a row twice.
  EXPECT_FALSE(proved(sum, sumAll(ScalarOp::AddF, rows(x, 0, 3), s, 0), true));
  SymTensor twice = concatTensors(terms, {rows(x, 0, 3), rows(x, 0, 1)}, 0);
  EXPECT_FALSE(proved(sum, sumAll(ScalarOp::AddF, twice, s, 0), true));
}

// Attack 3: +0.0 is not nothing.
TEST_F(SumTest, PositiveZeroIsATerm) {
  SymTensor x = input("z", {5});
  SymTensor none =
      filled(f32, {}, {terms.mkFloat(f32, -0.0), terms.mkBool(false)});
  SymTensor plain = sumAll(ScalarOp::AddF, x, none, 0);
  SymTensor withZero = add(plain, zeros({}));
  EXPECT_FALSE(proved(plain, withZero, true));
  EXPECT_TRUE(proved(plain, withZero, true, /*nsz=*/true)) << last.culprit;
  bool named = false;
  for (const Assumption &a : last.assumptions)
    named |= a.kind == "nsz";
  EXPECT_TRUE(named);
  EXPECT_TRUE(proved(add(withZero, zeros({})), withZero, true));
}

TEST_F(SumTest, IntegersNeedNoAssumption) {
  SymTensor x = inputOf(i32, "ix", shape({6, 4}));
  SymTensor zero = filled(i32, {}, intConstant(0));
  SymTensor sum = sumAll(ScalarOp::AddI, x, zero, 0);
  SymTensor parts = add(sumAll(ScalarOp::AddI, rows(x, 2, 4), zero, 0),
                        sumAll(ScalarOp::AddI, rows(x, 0, 2), zero, 0));
  EXPECT_TRUE(proved(sum, parts, false)) << last.culprit;
  EXPECT_TRUE(last.assumptions.empty());
  EXPECT_FALSE(proved(sum, add(parts, filled(i32, {}, intConstant(1))), false));
  // Ring rules: 3x - x = 2x over the whole sum.
  SymTensor three = filled(i32, x.shape, intConstant(3));
  SymTensor two = filled(i32, x.shape, intConstant(2));
  SymTensor a =
      sumAll(ScalarOp::AddI,
             map2(ScalarOp::SubI, map2(ScalarOp::MulI, x, three), x), zero, 0);
  EXPECT_TRUE(proved(
      a, sumAll(ScalarOp::AddI, map2(ScalarOp::MulI, x, two), zero, 0), false))
      << last.culprit;
  EXPECT_FALSE(
      proved(a, sumAll(ScalarOp::AddI, map2(ScalarOp::MulI, x, three), zero, 0),
             false));
}

TEST_F(SumTest, MaximumIsOrderFreeAndIdempotent) {
  SymTensor x = input("q", {6, 4});
  SymTensor low =
      filled(f32, {},
             {terms.mkConst(f32, *identityOf(ScalarOp::MaximumF, f32)),
              terms.mkBool(false)});
  SymTensor top = sumAll(ScalarOp::MaximumF, x, low, 0);
  auto part = [&](int64_t lo, int64_t n) {
    return sumAll(ScalarOp::MaximumF, rows(x, lo, n), low, 0);
  };
  EXPECT_TRUE(
      proved(top, map2(ScalarOp::MaximumF, part(3, 3), part(0, 3)), false))
      << last.culprit;
  EXPECT_FALSE(
      proved(top, map2(ScalarOp::MaximumF, part(0, 3), part(4, 2)), false));
}

TEST_F(SumTest, OnlyTheChangedSumIsNamed) {
  // Inner product kept in order, outer sum split: one name.
  SymTensor x = input("x", {6, 7}), w = input("w", {7, 3});
  SymTensor y = matmul(x, w);
  SymTensor s = zeros(shape({3}));
  auto columnSum = [&](const SymTensor &t) {
    return reduce(
        ScalarOp::AddF, shape({3}), {t.shape[0]}, s,
        [&](auto i, auto k, const IndexContext &g) {
          return readElement(terms, t, {k[0], i[0]}, g);
        },
        "column sum");
  };
  SymTensor parts = add(columnSum(matmul(rows(x, 0, 2), w)),
                        columnSum(matmul(rows(x, 2, 4), w)));
  EXPECT_FALSE(proved(columnSum(y), parts, false));
  EXPECT_TRUE(proved(columnSum(y), parts, true)) << last.culprit;
  ASSERT_EQ(last.assumptions.size(), 1u);
  EXPECT_EQ(last.assumptions[0].detail, "sum at column sum, 1 term");
}

} // namespace
