//===- CompareFuzzTest.cpp - Proofs against execution -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random small tensor programs, and random rewrites of them: whatever is proved
// equal must evaluate to the same elements, everywhere.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "Networks.h"
#include "panpipe/TV/Refine/Compare.h"

#include <random>

using namespace panpipe::tv;
using namespace panpipe::tv::test;

namespace {

llvm::APInt contents(const TensorBase *base, llvm::ArrayRef<int64_t> at) {
  uint64_t h = 88172645463325252ull;
  for (char ch : base->name)
    h = (h ^ uint64_t(ch)) * 1099511628211ull;
  for (int64_t i : at)
    h = (h ^ uint64_t(i + 77)) * 1099511628211ull;
  h ^= h >> 31;
  if (!base->type.isFloat())
    return llvm::APInt(base->type.width(), h, false, true);
  return llvm::APFloat(float(int64_t(h % 3001) - 1500) * 0.173f)
      .bitcastToAPInt();
}

struct CompareFuzz : Networks {
  std::mt19937 rng{4711};
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  }
  int64_t size(const SymTensor &t, unsigned d) {
    return *t.shape[d].constantInt64();
  }

  Element constantOf(ScalarType type, double v) {
    return {type.isFloat() ? terms.mkFloat(type, v)
                           : terms.mkInt(type, int64_t(v)),
            terms.mkBool(false)};
  }

  /// One step of a random program on a rank-2 tensor. `variant` 0 is the
  /// program itself; other variants compute the same in another way, or, when
  /// `mutate` is set, something else.
  SymTensor step(const SymTensor &x, int kind, int64_t arg, int variant,
                 bool mutate) {
    int64_t a = size(x, 0), b = size(x, 1);
    bool isFloat = x.type.isFloat();
    switch (kind) {
    case 0: { // transpose
      SymTensor t = transposeTensor(terms, x, {1, 0});
      if (mutate)
        return reshapeTensor(terms, x, shape({b, a}));
      return t;
    }
    case 1: { // pad with a value, then nothing
      double v = mutate ? 2 : arg % 2;
      int64_t lo = arg % 3, hi = (arg / 3) % 2;
      return padTensor(terms, x, shape({lo, 0}), shape({hi, 1}),
                       [&](llvm::ArrayRef<IndexTerm>, const IndexContext &) {
                         return constantOf(x.type, v);
                       });
    }
    case 2: { // split by rows and concatenate
      if (a < 2)
        return x;
      int64_t cut = 1 + arg % (a - 1);
      if (variant == 0 && !mutate)
        return x;
      SymTensor parts[] = {rows(x, 0, cut),
                           rows(x, mutate ? cut - 1 : cut, a - cut)};
      return concatTensors(terms, parts, 0);
    }
    case 3: { // elementwise
      ScalarOp o = isFloat ? ScalarOp::MaximumF : ScalarOp::MaxSI;
      double v = mutate ? 1 : 0;
      return mapTensor(
          terms, x.type, x.shape,
          [&](llvm::ArrayRef<IndexTerm> i, const IndexContext &g) {
            Element e = readElement(terms, x, i, g);
            Element y = op(o, {e, constantOf(x.type, v)});
            ScalarOp plus = isFloat ? ScalarOp::AddF : ScalarOp::AddI;
            return variant == 1 ? op(plus, {y, e}) : op(plus, {e, y});
          });
    }
    case 4: { // sums along windows of the columns
      int64_t w = 1 + arg % std::min<int64_t>(b, 3);
      ScalarOp o = isFloat ? (arg % 2 ? ScalarOp::AddF : ScalarOp::MaximumF)
                           : (arg % 2 ? ScalarOp::AddI : ScalarOp::MaxSI);
      IndexList dims = shape({a, b - w + 1});
      SymTensor init = filled(x.type, dims, constantOf(x.type, 0));
      return reduce(o, dims, {c(w)}, init,
                    [&](auto i, auto k, const IndexContext &g) {
                      IndexTerm at = variant == 1 && o != ScalarOp::AddF
                                         ? i[1] + (c(w - 1) - k[0])
                                         : i[1] + k[0];
                      if (mutate)
                        at = i[1] + c(0) * k[0];
                      return readElement(terms, x, {i[0], at}, g);
                    });
    }
    case 5: { // all rows summed into one
      IndexList dims = shape({1, b});
      SymTensor init = filled(x.type, dims, constantOf(x.type, 0));
      ScalarOp o = isFloat ? ScalarOp::AddF : ScalarOp::AddI;
      auto sum = [&](const SymTensor &in, const SymTensor &from) {
        return reduce(o, dims, {in.shape[0]}, from,
                      [&](auto i, auto k, const IndexContext &g) {
                        return readElement(terms, in, {k[0], i[1]}, g);
                      });
      };
      if (variant == 1 && a >= 2) {
        int64_t cut = 1 + arg % (a - 1);
        return sum(rows(x, mutate ? cut - 1 : cut, a - cut),
                   sum(rows(x, 0, cut), init));
      }
      if (mutate && a >= 2)
        return sum(rows(x, 1, a - 1), init);
      return sum(x, init);
    }
    default: { // reshape to another factorisation and back
      if (variant == 0 && !mutate)
        return x;
      SymTensor flat = reshapeTensor(terms, x, shape({a * b}));
      if (mutate)
        return reshapeTensor(terms, transposeTensor(terms, x, {1, 0}),
                             shape({a, b}));
      return reshapeTensor(terms, reshapeTensor(terms, flat, shape({b, a})),
                           shape({a, b}));
    }
    }
  }

  /// The first difference of two tensors, if any.
  bool differ(const SymTensor &s, const SymTensor &t) {
    for (int64_t i = 0; i < size(s, 0); ++i)
      for (int64_t j = 0; j < size(s, 1); ++j) {
        Evaluator e(contents);
        e.set(terms.ownIndex(0), i);
        e.set(terms.ownIndex(1), j);
        if (e.eval(s.element.value) != e.eval(t.element.value))
          return true;
      }
    return false;
  }
};

TEST_F(CompareFuzz, ProvedMeansEqual) {
  unsigned proved = 0, equalButOpen = 0, different = 0;
  for (unsigned round = 0; round < 700; ++round) {
    ScalarType type = pick(0, 1) ? f32 : i32;
    std::string name = (type.isFloat() ? "f" : "i") + std::to_string(round % 5);
    // One name, one type.
    SymTensor x = argumentTensor(terms, name + std::to_string(round), type,
                                 shape({pick(1, 5), pick(1, 5)}));
    SymTensor s = x, t = x;
    int64_t steps = pick(1, 4), mutated = pick(0, 2 * steps);
    for (int64_t k = 0; k < steps; ++k) {
      int kind = pick(0, 6);
      int64_t arg = pick(0, 11);
      SymTensor s2 = step(s, kind, arg, 0, false);
      SymTensor t2 = step(t, kind, arg, pick(0, 1), k == mutated);
      if (s2.shape != t2.shape)
        break;
      s = s2;
      t = t2;
    }
    CompareOptions options;
    Comparer comparer(terms, options);
    CompareResult r = comparer.compareTensors(s, t);
    bool differs = differ(s, t);
    if (r.proved()) {
      ++proved;
      ASSERT_FALSE(differs) << "round " << round << "\n"
                            << terms.print(s.element.value, 12) << "\n"
                            << terms.print(t.element.value, 12);
    } else if (differs) {
      ++different;
    } else {
      ++equalButOpen;
      if (getenv("TVFUZZ"))
        llvm::errs() << "open in round " << round << "\n"
                     << terms.print(s.element.value, 12) << "\n"
                     << terms.print(t.element.value, 12) << "\n"
                     << r.culprit << "\n";
    }
  }
  RecordProperty("proved", proved);
  EXPECT_GT(proved, 250u);
  EXPECT_GT(different, 100u);
  EXPECT_LT(equalButOpen, proved / 5);
}

} // namespace
