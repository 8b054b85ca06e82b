//===- ScaleTest.cpp - Whole networks ---------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deep networks stay linear: terms are named, pairs are remembered.
//
//===----------------------------------------------------------------------===//

#include "Networks.h"
#include "panpipe/TV/Refine/Compare.h"

using namespace panpipe::tv;
using namespace panpipe::tv::test;

namespace {

struct ScaleTest : Networks {
  CompareResult last;
  ProofStats stats;
  bool proved(const SymTensor &s, const SymTensor &t) {
    CompareOptions options;
    Comparer comparer(terms, options);
    last = comparer.compareTensors(s, t);
    stats = comparer.stats();
    return last.proved();
  }

  SymTensor weight(const std::string &name, std::initializer_list<int64_t> d) {
    return input(name, d);
  }
  SymTensor leaky(const SymTensor &x) {
    return mapTensor(
        terms, x.type, x.shape,
        [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
          Element e = readElement(terms, x, i, g);
          ScalarAttrs ogt;
          ogt.predicate = 2;
          const Term *cmp =
              terms.mkOp(ScalarOp::CmpF, ogt, ScalarType::boolean(),
                         {e.value, terms.mkFloat(f32, 0)});
          const Term *scaled = op(ScalarOp::MulF, {e, constant(0.2)}).value;
          return Element{terms.mkSelect(cmp, e.value, scaled), e.poison};
        });
  }
  /// Residual blocks with skips from the first half to the second.
  SymTensor unet(const SymTensor &x, unsigned blocks, bool padFirst) {
    SymTensor y = x;
    llvm::SmallVector<SymTensor, 16> skips;
    for (unsigned k = 0; k < blocks; ++k) {
      std::string n = "w" + std::to_string(k);
      SymTensor in = y;
      if (k >= blocks / 2 && !skips.empty()) {
        in = concatTensors(terms, {y, skips.pop_back_val()}, 1);
      }
      int64_t channels = *in.shape[1].constantInt64();
      SymTensor padded = padFirst ? leaky(pad(in, {0, 0, 1, 1}))
                                  : pad(leaky(in), {0, 0, 1, 1});
      SymTensor h = conv(padded, weight(n, {4, channels, 3, 3}));
      h = bias(h, input("b" + std::to_string(k), {4}));
      SymTensor h2 =
          bias(conv(pad(leaky(h), {0, 0, 1, 1}), weight(n + "b", {4, 4, 3, 3})),
               input("c" + std::to_string(k), {4}));
      y = map2(ScalarOp::AddF, h, h2);
      if (k < blocks / 2)
        skips.push_back(y);
    }
    return y;
  }
};

TEST_F(ScaleTest, DeepNetworkInMicrobatches) {
  SymTensor x = input("x", {5, 4, 64, 64});
  SymTensor full = unet(x, 60, false);
  SymTensor parts[] = {unet(rows(x, 0, 2), 60, false),
                       unet(rows(x, 2, 2), 60, false),
                       unet(rows(x, 4, 1), 60, false)};
  EXPECT_TRUE(proved(full, concatTensors(terms, parts, 0))) << last.culprit;
  SymTensor wrong[] = {unet(rows(x, 0, 2), 60, false),
                       unet(rows(x, 1, 2), 60, false),
                       unet(rows(x, 4, 1), 60, false)};
  EXPECT_FALSE(proved(full, concatTensors(terms, wrong, 0)));
  EXPECT_LT(terms.numTerms(), 100000u);
}

// Every layer differs in form: each pair of folds is opened once.
TEST_F(ScaleTest, DifferenceInEveryLayer) {
  SymTensor x = input("x", {2, 4, 64, 64});
  EXPECT_TRUE(proved(unet(x, 30, false), unet(x, 30, true))) << last.culprit;
}

TEST_F(ScaleTest, LongChainDoesNotOverflowTheStack) {
  SymTensor x = input("x", {6, 6});
  auto chain = [&](unsigned n, unsigned mutate) {
    SymTensor y = x;
    for (unsigned k = 0; k < n; ++k)
      y = matmul(k == mutate ? relu(y) : y,
                 input("m" + std::to_string(k % 7), {6, 6}));
    return y;
  };
  SymTensor a = chain(10000, 99999);
  EXPECT_TRUE(proved(a, chain(10000, 99999)));
  EXPECT_FALSE(proved(chain(3000, 99999), chain(3000, 5)));
}

// A batch of one against the same network without the batch dimension: the
// index of a unit dimension is a variable on one side and 0 on the other.
TEST_F(ScaleTest, UnitDimensionsDropped) {
  SymTensor x = input("x", {1, 1, 8, 8}), w0 = input("w0", {4, 1, 3, 3}),
            w1 = input("w1", {4, 4, 3, 3}), b0 = input("b0", {4}),
            wl = input("wl", {4, 10});
  auto drop = [&](const SymTensor &t) {
    llvm::SmallVector<bool, 4> dropped(t.rank(), false);
    dropped[0] = true;
    return dropUnitDims(terms, t, dropped);
  };
  auto net = [&](const SymTensor &in, bool unit) {
    unsigned r = unit ? 1 : 0;
    auto padded = [&](const SymTensor &t) {
      return unit ? pad(t, {0, 0, 1, 1}) : pad(t, {0, 1, 1});
    };
    auto layer = [&](const SymTensor &t, const SymTensor &w) {
      if (unit)
        return conv(t, w);
      int64_t o = 4, n = *t.shape[1].constantInt64() - 2;
      IndexList dims = shape({o, n, n});
      IndexList inner{w.shape[1], w.shape[2], w.shape[3]};
      if (*w.shape[1].constantInt64() == 1)
        inner.erase(inner.begin());
      return reduce(ScalarOp::AddF, dims, inner, zeros(dims),
                    [&](auto i, auto k, const IndexContext &g) {
                      IndexTerm ci = k.size() == 3 ? k[0] : c(0);
                      IndexTerm kh = k[k.size() - 2], kw = k[k.size() - 1];
                      return op(
                          ScalarOp::MulF,
                          {readElement(terms, t, {ci, i[1] + kh, i[2] + kw}, g),
                           readElement(terms, w, {i[0], ci, kh, kw}, g)});
                    });
    };
    auto withBias = [&](const SymTensor &t) {
      return mapTensor(terms, f32, t.shape,
                       [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
                         return op(ScalarOp::AddF,
                                   {readElement(terms, t, i, g),
                                    readElement(terms, b0, {i[r]}, g)});
                       });
    };
    SymTensor y = relu(withBias(layer(padded(in), w0)));
    for (unsigned k = 0; k < 6; ++k)
      y = relu(map2(ScalarOp::AddF, withBias(layer(padded(y), w1)), y));
    SymTensor pooled = sumAll(
        ScalarOp::AddF, y,
        zeros(IndexList(y.shape.begin(), y.shape.begin() + r + 1)), r + 1);
    if (unit)
      return drop(matmul(pooled, wl));
    IndexList dims = shape({10});
    return reduce(ScalarOp::AddF, dims, {c(4)}, zeros(dims),
                  [&](auto i, auto k, const IndexContext &g) {
                    return op(ScalarOp::MulF,
                              {readElement(terms, pooled, {k[0]}, g),
                               readElement(terms, wl, {k[0], i[0]}, g)});
                  });
  };
  SymTensor s = net(x, true), t = net(drop(x), false);
  EXPECT_TRUE(proved(s, t)) << last.culprit << "\n"
                            << terms.print(s.element.value) << "\n"
                            << terms.print(t.element.value);
}

} // namespace
