//===- CompareTest.cpp - Equality of tensor programs ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Valid pairs, each with twins that differ in meaning and must not be proved.
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Refine/Compare.h"
#include "Networks.h"

using namespace panpipe::tv;
using namespace panpipe::tv::test;

namespace {

struct CompareTest : Networks {
  CompareOptions options;
  CompareResult last;
  ProofStats stats;
  bool proved(const SymTensor &s, const SymTensor &t) {
    Comparer comparer(terms, options);
    last = comparer.compareTensors(s, t);
    stats = comparer.stats();
    return last.proved();
  }
  bool congruent(const SymTensor &s, const SymTensor &t) {
    return proved(s, t) && stats.congruence == 1;
  }

  /// The batched product of patches, as im2col makes it.
  SymTensor im2col(const SymTensor &x, const SymTensor &w, bool swapped) {
    int64_t n = 2, ci = 4, kh = 3, kw = 2, oh = 14, ow = 15, o = 8;
    SymTensor patches = indexMapTensor(
        terms, x, shape({n, ci, kh, kw, oh, ow}),
        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
          return swapped ? IndexList{i[0], i[1], i[5] + i[2], i[4] + i[3]}
                         : IndexList{i[0], i[1], i[4] + i[2], i[5] + i[3]};
        });
    SymTensor cols =
        collapseShape(terms, patches, Groups{{0}, {1, 2, 3}, {4, 5}});
    SymTensor flat = collapseShape(terms, w, Groups{{0}, {1, 2, 3}});
    IndexList dims = shape({n, o, oh * ow});
    SymTensor product =
        reduce(ScalarOp::AddF, dims, {c(ci * kh * kw)}, zeros(dims),
               [&](auto i, auto k, const IndexContext &g) {
                 return op(ScalarOp::MulF,
                           {readElement(terms, flat, {i[1], k[0]}, g),
                            readElement(terms, cols, {i[0], k[0], i[2]}, g)});
               });
    return expandShape(terms, product, Groups{{0}, {1}, {2, 3}},
                       shape({n, o, oh, ow}));
  }
};

TEST_F(CompareTest, Im2colIsCongruent) {
  SymTensor x = input("x", {2, 4, 16, 16}), w = input("w", {8, 4, 3, 2});
  SymTensor direct = conv(x, w);
  EXPECT_TRUE(congruent(direct, im2col(x, w, false)))
      << terms.print(direct.element.value) << "\n"
      << terms.print(im2col(x, w, false).element.value);
  // Twin: height and width exchanged.
  EXPECT_FALSE(proved(direct, im2col(x, w, true)));
}

TEST_F(CompareTest, ConvolutionWithSymbolicSizes) {
  IndexTerm n = terms.index().freshDim("N"), h = terms.index().freshDim("H"),
            wd = terms.index().freshDim("W"), ci = terms.index().freshDim("C"),
            o = terms.index().freshDim("O");
  SymTensor x = inputOf(f32, "x", {n, ci, h, wd});
  SymTensor w = inputOf(f32, "w", {o, ci, c(3), c(3)});
  SymTensor direct = conv(x, w);
  IndexTerm oh = direct.shape[2], ow = direct.shape[3];
  auto lowered = [&](bool swapped) {
    SymTensor patches =
        indexMapTensor(terms, x, {n, ci, c(3), c(3), oh, ow},
                       [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                         return IndexList{i[0], i[1], i[4] + i[swapped ? 3 : 2],
                                          i[5] + i[swapped ? 2 : 3]};
                       });
    SymTensor cols =
        collapseShape(terms, patches, Groups{{0}, {1, 2, 3}, {4, 5}});
    SymTensor flat = collapseShape(terms, w, Groups{{0}, {1, 2, 3}});
    IndexList dims{n, o, oh * ow};
    SymTensor product =
        reduce(ScalarOp::AddF, dims, {ci * 9}, zeros(dims),
               [&](auto i, auto k, const IndexContext &g) {
                 return op(ScalarOp::MulF,
                           {readElement(terms, flat, {i[1], k[0]}, g),
                            readElement(terms, cols, {i[0], k[0], i[2]}, g)});
               });
    return expandShape(terms, product, Groups{{0}, {1}, {2, 3}},
                       {n, o, oh, ow});
  };
  EXPECT_TRUE(congruent(direct, lowered(false)))
      << terms.print(direct.element.value) << "\n"
      << terms.print(lowered(false).element.value) << last.culprit;
  EXPECT_FALSE(proved(direct, lowered(true)));
}

TEST_F(CompareTest, MicrobatchesAreCongruent) {
  SymTensor w1 = input("w1", {6, 4, 3, 3}), b1 = input("b1", {6});
  SymTensor w2 = input("w2", {6, 6, 3, 3}), b2 = input("b2", {6});
  SymTensor x = input("x", {8, 4, 10, 12});
  auto net = [&](const SymTensor &in) {
    SymTensor y = relu(bias(conv(pad(in, {0, 0, 1, 1}), w1), b1));
    SymTensor z = bias(conv(pad(y, {0, 0, 1, 1}), w2), b2);
    return softmax(map2(ScalarOp::AddF, relu(z), y));
  };
  auto split = [&](std::initializer_list<std::pair<int64_t, int64_t>> parts) {
    llvm::SmallVector<SymTensor, 4> pieces;
    for (auto [lo, size] : parts)
      pieces.push_back(net(rows(x, lo, size)));
    return concatTensors(terms, pieces, 0);
  };
  SymTensor full = net(x);
  EXPECT_TRUE(proved(full, split({{0, 3}, {3, 3}, {6, 2}}))) << last.culprit;
  EXPECT_TRUE(proved(full, split({{0, 4}, {4, 1}, {5, 1}, {6, 2}})))
      << last.culprit;
  // Twins: a wrong offset, exchanged parts.
  EXPECT_FALSE(proved(full, split({{0, 3}, {2, 3}, {6, 2}})));
  EXPECT_FALSE(proved(full, split({{3, 3}, {0, 3}, {6, 2}})));
}

TEST_F(CompareTest, BatchStatisticsDoNotSplit) {
  SymTensor x = input("x", {8, 5});
  auto center = [&](const SymTensor &in) {
    SymTensor t = transposeTensor(terms, in, {1, 0});
    SymTensor sum = sumAll(ScalarOp::AddF, t, zeros(shape({5})), 1);
    return map2(ScalarOp::SubF, in, broadcastTensor(terms, sum, in.shape, {1}));
  };
  SymTensor parts[] = {center(rows(x, 0, 4)), center(rows(x, 4, 4))};
  EXPECT_FALSE(proved(center(x), concatTensors(terms, parts, 0)));
  EXPECT_FALSE(last.culprit.empty());
}

TEST_F(CompareTest, ReshapeChains) {
  SymTensor x = input("x", {6, 8, 120});
  SymTensor y = transposeTensor(terms, x, {2, 0, 1});
  SymTensor z = reshapeTensor(terms, y, shape({24, 5, 48}));
  SymTensor back = reshapeTensor(terms, z, shape({120, 6, 8}));
  EXPECT_TRUE(proved(x, transposeTensor(terms, back, {1, 2, 0})));
  EXPECT_FALSE(
      proved(x, reshapeTensor(terms, reshapeTensor(terms, y, shape({24, 240})),
                              shape({6, 8, 120}))));
  // relu commutes with a reshape, through a unit dimension too.
  SymTensor u = reshapeTensor(terms, x, shape({1, 48, 120}));
  EXPECT_TRUE(proved(relu(x), reshapeTensor(terms, relu(u), x.shape)));
  EXPECT_FALSE(proved(relu(x), reshapeTensor(terms, u, x.shape)));
}

TEST_F(CompareTest, PadAndSlice) {
  SymTensor x = input("x", {5, 7});
  SymTensor padded = pad(x, {2, 3});
  auto slice = [&](int64_t lo) {
    return extractSlice(terms, padded, {c(lo), c(3)}, x.shape, {c(1), c(1)});
  };
  EXPECT_TRUE(congruent(x, slice(2)));
  EXPECT_FALSE(proved(x, slice(1)));
  // Padding before or after relu: decided in cells.
  EXPECT_TRUE(proved(pad(relu(x), {2, 3}), relu(padded)));
  EXPECT_GT(stats.cells + stats.congruence, 0u);
  EXPECT_FALSE(proved(pad(relu(x), {2, 3}, 1), relu(padded)));
  EXPECT_FALSE(proved(pad(relu(x), {2, 3}), relu(pad(x, {2, 3}, 1))));
}

TEST_F(CompareTest, ConcatAndInsert) {
  SymTensor x = input("x", {3, 4}), y = input("y", {5, 4});
  SymTensor cat = concatTensors(terms, {x, y}, 0);
  SymTensor out = emptyTensor(terms, f32, shape({8, 4}));
  auto place = [&](int64_t at) {
    SymTensor a = insertSlice(terms, x, out, {c(0), c(0)}, {c(1), c(1)});
    return insertSlice(terms, y, a, {c(at), c(0)}, {c(1), c(1)});
  };
  EXPECT_TRUE(proved(cat, place(3))) << last.culprit;
  EXPECT_FALSE(proved(cat, place(2)));
  // The source may leave contents open, the target may not.
  SymTensor partial = insertSlice(terms, x, out, {c(0), c(0)}, {c(1), c(1)});
  EXPECT_TRUE(proved(partial, cat)) << last.culprit;
  EXPECT_FALSE(proved(cat, partial));
}

TEST_F(CompareTest, UnspecifiedContents) {
  SymTensor x = input("x", {4});
  SymTensor e = emptyTensor(terms, f32, shape({4}));
  SymTensor sum = map2(ScalarOp::AddF, e, x);
  // One choice serves a result, but the same choice must serve all results.
  Comparer both(terms, options);
  SymTensor y = input("y", {4});
  EXPECT_TRUE(both.compareTensors(sum, map2(ScalarOp::AddF, y, x)).proved());
  EXPECT_TRUE(both.compareTensors(sum, map2(ScalarOp::AddF, y, x)).proved());
  SymTensor z = input("z", {4});
  EXPECT_FALSE(both.compareTensors(sum, map2(ScalarOp::AddF, z, x)).proved());
  // On the target side every value must do, at every read anew.
  EXPECT_FALSE(proved(map2(ScalarOp::AddF, y, x), sum));
  SymTensor ei = emptyTensor(terms, i32, shape({4}));
  SymTensor zero = filled(i32, shape({4}), intConstant(0));
  EXPECT_FALSE(proved(zero, map2(ScalarOp::XOrI, ei, ei)));
  // Two iterations that read one element need not see the same value.
  SymTensor first =
      mapTensor(terms, i32, ei.shape,
                [&](llvm::ArrayRef<IndexTerm>, const IndexContext &g) {
                  return readElement(terms, ei, {c(0)}, g);
                });
  SymTensor reversed =
      indexMapTensor(terms, first, first.shape,
                     [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &) {
                       return IndexList{c(3) - i[0]};
                     });
  EXPECT_FALSE(proved(zero, map2(ScalarOp::XOrI, first, reversed)));
}

TEST_F(CompareTest, PoisonIsPerElement) {
  SymTensor x = argumentTensor(terms, "px", f32, shape({6}), true);
  SymTensor y = input("y6", {6});
  SymTensor sum = map2(ScalarOp::AddF, x, y);
  EXPECT_TRUE(proved(sum, map2(ScalarOp::AddF, y, x)));
  EXPECT_TRUE(proved(relu(sum), relu(map2(ScalarOp::AddF, y, x))));
  // Reading less poison is fine, reading more is not.
  SymTensor zero = filled(f32, shape({6}), constant(0));
  SymTensor dropped = y;
  SymTensor added = y;
  added.element.poison = x.element.poison;
  EXPECT_TRUE(proved(added, dropped));
  EXPECT_FALSE(proved(dropped, added));
  // Padding with poison that is sliced away again.
  Element poison{terms.mkFloat(f32, 0), terms.mkBool(true)};
  SymTensor p = padTensor(
      terms, y, {c(2)}, {c(2)},
      [&](llvm::ArrayRef<IndexTerm>, const IndexContext &) { return poison; });
  EXPECT_TRUE(proved(y, extractSlice(terms, p, {c(2)}, {c(6)}, {c(1)})));
  EXPECT_FALSE(proved(y, extractSlice(terms, p, {c(1)}, {c(6)}, {c(1)})));
}

TEST_F(CompareTest, StrictOrderOfFloatSums) {
  SymTensor x = input("m", {4, 6});
  SymTensor flat = reshapeTensor(terms, x, shape({24}));
  SymTensor s = zeros({});
  EXPECT_TRUE(congruent(sumAll(ScalarOp::AddF, x, s, 0),
                        sumAll(ScalarOp::AddF, flat, s, 0)));
  SymTensor t = transposeTensor(terms, x, {1, 0});
  EXPECT_FALSE(
      proved(sumAll(ScalarOp::AddF, x, s, 0), sumAll(ScalarOp::AddF, t, s, 0)));
  // The initial value is part of the sum.
  EXPECT_FALSE(
      proved(sumAll(ScalarOp::AddF, x, s, 0),
             sumAll(ScalarOp::AddF, x, filled(f32, {}, constant(1)), 0)));
}

TEST_F(CompareTest, OrderFreeKinds) {
  SymTensor x = inputOf(i32, "ix", shape({4, 6}));
  SymTensor t = transposeTensor(terms, x, {1, 0});
  SymTensor zero = filled(i32, {}, intConstant(0));
  EXPECT_TRUE(proved(sumAll(ScalarOp::AddI, x, zero, 0),
                     sumAll(ScalarOp::AddI, t, zero, 0)));
  EXPECT_FALSE(proved(sumAll(ScalarOp::AddI, x, zero, 0),
                      sumAll(ScalarOp::MaxSI, t, zero, 0)));
  SymTensor less =
      extractSlice(terms, t, {c(0), c(0)}, shape({6, 3}), {c(1), c(1)});
  EXPECT_FALSE(proved(sumAll(ScalarOp::AddI, x, zero, 0),
                      sumAll(ScalarOp::AddI, less, zero, 0)));
}

TEST_F(CompareTest, PaddingWithTheIdentity) {
  SymTensor x = input("v", {10});
  SymTensor zero = zeros({});
  SymTensor sum = sumAll(ScalarOp::AddF, x, zero, 0);
  EXPECT_TRUE(
      congruent(sum, sumAll(ScalarOp::AddF, pad(x, {3}, -0.0), zero, 0)));
  EXPECT_FALSE(proved(sum, sumAll(ScalarOp::AddF, pad(x, {3}, 1.0), zero, 0)));
}

TEST_F(CompareTest, FusedGenericsAndDeepChains) {
  SymTensor x = input("d", {8, 16});
  auto chain = [&](unsigned n, unsigned mutate) {
    SymTensor y = x;
    for (unsigned k = 0; k < n; ++k) {
      SymTensor z = map1(ScalarOp::Exp, y);
      y = map2(k == mutate ? ScalarOp::SubF : ScalarOp::AddF, z, y);
    }
    return y;
  };
  EXPECT_TRUE(congruent(chain(200, 999), chain(200, 999)));
  EXPECT_FALSE(proved(chain(20, 999), chain(20, 3)));
}

} // namespace
