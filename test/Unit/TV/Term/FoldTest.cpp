//===- FoldTest.cpp - Normal form of folds ----------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random folds against direct evaluation, and the attacks on the rules.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "Networks.h"
#include "panpipe/TV/Refine/Compare.h"

#include <random>

using namespace panpipe::tv;
using namespace panpipe::tv::test;

namespace {

/// The element of an array, by name and index: floats whose sums round.
llvm::APInt contents(const TensorBase *base, llvm::ArrayRef<int64_t> at) {
  uint64_t h = 1469598103934665603ull;
  for (char ch : base->name)
    h = (h ^ uint64_t(ch)) * 1099511628211ull;
  for (int64_t i : at)
    h = (h ^ uint64_t(i + 1000)) * 1099511628211ull;
  h ^= h >> 29;
  if (!base->type.isFloat())
    return llvm::APInt(base->type.width(), h, false, true);
  float f = float(int64_t(h % 2001) - 1000) * 0.37f;
  return llvm::APFloat(f).bitcastToAPInt();
}

struct FoldTest : Networks {
  std::mt19937 rng{7};
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(rng);
  }

  IndexTerm index(const IndexContext &g, llvm::ArrayRef<IndexTerm> vars,
                  int depth) {
    if (depth == 0 || pick(0, 3) == 0)
      return pick(0, 4) == 0 ? c(pick(-3, 6)) : vars[pick(0, vars.size() - 1)];
    IndexTerm a = index(g, vars, depth - 1);
    switch (pick(0, 4)) {
    case 0:
      return g.floorDiv(a, c(pick(2, 4)));
    case 1:
      return g.mod(a, c(pick(2, 4)));
    case 2:
      return a * pick(-2, 4);
    default:
      return a + index(g, vars, depth - 1);
    }
  }
};

/// Loops over the domain as written.
struct DirectFold {
  const FoldSpec &spec;
  const Term *body, *init;
  Evaluator e;
  llvm::APInt acc;

  llvm::APInt run() {
    acc = e.eval(init);
    loop(0);
    return acc;
  }
  void loop(unsigned dim) {
    if (dim == spec.vars.size()) {
      if (!e.eval(spec.guard))
        return;
      ScalarType type = body->type();
      ScalarValue args[] = {{acc, false}, {e.eval(body), false}};
      acc =
          evalScalar(spec.op, spec.attrs, type, {type, type}, args).value.bits;
      return;
    }
    int64_t n = e.eval(spec.extents[dim]);
    for (int64_t i = 0; i < n; ++i) {
      e.set(spec.vars[dim], i);
      loop(dim + 1);
    }
  }
};

TEST_F(FoldTest, RandomFoldsAgreeWithLoops) {
  const ScalarOp ops[] = {ScalarOp::AddF, ScalarOp::AddI, ScalarOp::MaximumF,
                          ScalarOp::SubF, ScalarOp::MulI, ScalarOp::OrI,
                          ScalarOp::MaxSI};
  unsigned renamed = 0;
  for (unsigned round = 0; round < 1500; ++round) {
    ScalarOp o = ops[pick(0, 6)];
    bool isFloat =
        o == ScalarOp::AddF || o == ScalarOp::SubF || o == ScalarOp::MaximumF;
    ScalarType type = isFloat ? f32 : i32;
    const TensorBase *base = terms.argumentBase(isFloat ? "fx" : "ix", type, 1);
    IndexTerm n = terms.index().freshDim("n");
    IndexTerm outer = terms.ownIndex(0);
    IndexContext g = terms.emptyContext().withExtent(outer, c(4));
    FoldSpec spec;
    spec.op = o;
    for (int64_t k = pick(1, 3); k > 0; --k) {
      spec.vars.push_back(terms.index().freshVar());
      spec.extents.push_back(pick(0, 5) == 0 ? n : c(pick(0, 6)));
    }
    IndexContext inside = foldContext(g, spec);
    llvm::SmallVector<IndexTerm, 4> vars(spec.vars);
    vars.push_back(outer);
    if (pick(0, 2) == 0)
      spec.guard.push_back(
          GuardAtom{index(inside, vars, 2), pick(0, 5) == 0}.normalized());
    inside = foldContext(g, spec);
    const Term *body = terms.mkRead(base, {index(inside, vars, 3)});
    auto identity = identityOf(o, type);
    if (pick(0, 2) == 0 && identity)
      body = terms.mkIte({geZero(index(inside, vars, 2))}, body,
                         terms.mkConst(type, *identity), inside);
    const Term *init = pick(0, 1) && identity
                           ? terms.mkConst(type, *identity)
                           : terms.mkRead(base, {outer + 50});
    const Term *fold = mkFold(terms, g, spec, body, init);
    renamed += fold->kind() == TermKind::App;
    for (int64_t i = 0; i < 4; ++i) {
      Evaluator e(contents);
      e.set(outer, i);
      e.set(n, pick(0, 4));
      DirectFold direct{spec, body, init, e, llvm::APInt(32, 0)};
      ASSERT_EQ(direct.run(), e.eval(fold))
          << terms.print(fold) << "\nbody " << terms.print(body);
    }
  }
  EXPECT_GT(renamed, 500u);
}

// Attack 1: extents that may be negative must not be multiplied.
TEST_F(FoldTest, NegativeExtentsAreNotFused) {
  IndexTerm m = terms.index().freshDim("M");
  const TensorBase *x = terms.argumentBase("X", f32, 1);
  IndexContext g = terms.emptyContext();
  FoldSpec two, flat;
  two.op = flat.op = ScalarOp::AddF;
  IndexTerm i = terms.index().freshVar(), j = terms.index().freshVar(),
            r = terms.index().freshVar();
  two.vars = {i, j};
  two.extents = {m, m};
  two.guard = {geZero(m - 5 - i), geZero(m - 5 - j)};
  flat.vars = {r};
  flat.extents = {(m - 4) * (m - 4)};
  const Term *zero = terms.mkFloat(f32, 0);
  const Term *a =
      mkFold(terms, g, two, terms.mkRead(x, {i * (m - 4) + j}), zero);
  const Term *b = mkFold(terms, g, flat, terms.mkRead(x, {r}), zero);
  EXPECT_NE(a, b);
  const Term *no = terms.mkBool(false);
  CompareOptions options;
  EXPECT_FALSE(compareElements(terms, g, {a, no}, {b, no}, options).proved());
}

TEST_F(FoldTest, KeysDoNotSeeOffsets) {
  SymTensor x = input("x", {8, 10}), w = input("w", {10, 5});
  SymTensor full = matmul(x, w), part = matmul(rows(x, 3, 2), w);
  ASSERT_EQ(full.element.value->kind(), TermKind::App);
  EXPECT_EQ(full.element.value->closure(), part.element.value->closure());
  // Another extent is another key.
  SymTensor y = input("y", {8, 9}), v = input("v", {9, 5});
  EXPECT_NE(full.element.value->closure(),
            matmul(y, v).element.value->closure());
}

TEST_F(FoldTest, StepFoldsKeepTheirStep) {
  // acc := h - acc, twice as long as it looks: no identity, no reordering.
  SymTensor x = input("x", {6});
  IndexContext g = terms.emptyContext();
  FoldSpec spec;
  IndexTerm k = terms.index().freshVar();
  spec.vars = {k};
  spec.extents = {c(6)};
  const Term *h = terms.mkRead(x.element.value->base(), {k});
  const Term *step = terms.mkOp(ScalarOp::SubF, f32, {h, terms.mkAcc(f32, 0)});
  const Term *fold =
      mkStepFold(terms, g, spec, {step}, {terms.mkFloat(f32, 1)})[0];
  Evaluator e(contents);
  float acc = 1;
  for (int64_t i = 0; i < 6; ++i)
    acc = llvm::APFloat(llvm::APFloat::IEEEsingle(),
                        contents(x.element.value->base(), {i}))
              .convertToFloat() -
          acc;
  EXPECT_EQ(llvm::APFloat(acc).bitcastToAPInt(), e.eval(fold));
}

// A step so deep that parts of it get names: the accumulator is their argument.
TEST_F(FoldTest, DeepStepsReachTheirAccumulator) {
  SymTensor x = inputOf(i32, "ix2", shape({5}));
  FoldSpec spec;
  IndexTerm k = terms.index().freshVar();
  spec.vars = {k};
  spec.extents = {c(5)};
  const TensorBase *base = x.element.value->base();
  const Term *h = terms.mkRead(base, {k});
  const Term *step = terms.mkAcc(i32, 0);
  for (unsigned n = 0; n < 30; ++n)
    step = terms.mkOp(n % 2 ? ScalarOp::XOrI : ScalarOp::SubI, i32, {h, step});
  const Term *fold = mkStepFold(terms, terms.emptyContext(), spec, {step},
                                {terms.mkInt(i32, 3)})[0];
  llvm::APInt acc(32, 3);
  for (int64_t i = 0; i < 5; ++i) {
    llvm::APInt v = contents(base, {i});
    for (unsigned n = 0; n < 30; ++n)
      acc = n % 2 ? v ^ acc : v - acc;
  }
  EXPECT_EQ(acc, Evaluator(contents).eval(fold));
}

} // namespace
