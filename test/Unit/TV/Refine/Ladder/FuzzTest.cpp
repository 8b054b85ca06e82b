//===- FuzzTest.cpp - Random terms against exhaustion -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random f16 and bf16 terms of one input. Rewriting must not change any of the
/// 65,536 results, and what the abstract query proves must hold for all of
/// them.
///
//===----------------------------------------------------------------------===//

#include "ScalarPairs.h"
#include "panpipe/TV/Refine/ScalarLadder.h"
#include "panpipe/TV/SMT/ScalarInputs.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace panpipe::tv;
using namespace panpipe::tv::test;
using panpipe::tv::smt::Random;

namespace {

/// A recipe, so that one term can be built with and without rewriting, and with
/// small changes.
struct Recipe {
  ScalarOp op = ScalarOp::AddF;
  uint8_t fastMath = 0;
  double constant = 0;
  enum { Input, Constant, Operation } kind = Input;
  std::vector<Recipe> operands;
};

Recipe randomRecipe(Random &random, unsigned depth) {
  static const ScalarOp ops[] = {
      ScalarOp::AddF,  ScalarOp::SubF,     ScalarOp::MulF,     ScalarOp::DivF,
      ScalarOp::Fma,   ScalarOp::NegF,     ScalarOp::AbsF,     ScalarOp::Sqrt,
      ScalarOp::Floor, ScalarOp::MaximumF, ScalarOp::MinimumF, ScalarOp::AddF,
      ScalarOp::MulF,  ScalarOp::NegF,     ScalarOp::CopySign, ScalarOp::Trunc};
  static const double constants[] = {0.0, -0.0, 1.0,  -1.0, 2.0,  0.5,
                                     3.0, 4.0,  0.25, -2.0, 1e-7, 100.0};
  Recipe r;
  if (depth == 0 || random.below(6) == 0) {
    if (random.below(2))
      return r;
    r.kind = Recipe::Constant;
    r.constant = constants[random.below(12)];
    return r;
  }
  r.kind = Recipe::Operation;
  r.op = ops[random.below(16)];
  for (unsigned i = 0; i < scalarOpArity(r.op); ++i)
    r.operands.push_back(randomRecipe(random, depth - 1));
  return r;
}

/// Changes one thing, often without effect on the meaning.
void mutate(Recipe &r, Random &random) {
  if (r.kind == Recipe::Operation && random.below(2)) {
    mutate(r.operands[random.below(r.operands.size())], random);
    return;
  }
  Recipe old = r;
  switch (random.below(5)) {
  case 0:
    if (r.operands.size() >= 2)
      std::swap(r.operands[0], r.operands[1]);
    return;
  case 1: {
    Recipe inner;
    inner.kind = Recipe::Operation;
    inner.op = ScalarOp::NegF;
    inner.operands = {old};
    r = Recipe();
    r.kind = Recipe::Operation;
    r.op = ScalarOp::NegF;
    r.operands = {inner};
    return;
  }
  case 2:
  case 3: {
    Recipe unit;
    unit.kind = Recipe::Constant;
    bool product = random.below(2);
    unit.constant = product ? 1.0 : (random.below(3) ? -0.0 : 0.0);
    r = Recipe();
    r.kind = Recipe::Operation;
    r.op = product ? ScalarOp::MulF : ScalarOp::AddF;
    r.operands = {old, unit};
    return;
  }
  default:
    r = randomRecipe(random, 1);
  }
}

T build(Dsl &d, const Recipe &r, ScalarType t) {
  if (r.kind == Recipe::Input)
    return d.var("x", t);
  if (r.kind == Recipe::Constant)
    return d.c(r.constant, t);
  std::vector<T> args;
  for (const Recipe &o : r.operands)
    args.push_back(build(d, o, t));
  return d.f(r.op, args, r.fastMath);
}

/// More of them with PANPIPE_LONG_TESTS=1.
unsigned rounds(unsigned quick) {
  return std::getenv("PANPIPE_LONG_TESTS") ? 50 * quick : quick;
}

LadderOptions options(bool exhaustive) {
  LadderOptions o;
  o.exactSeconds = 0;
  o.theorySeconds = 0;
  o.abstractSeconds = exhaustive ? 0.001 : 20;
  o.abstractResources = 300000;
  return o;
}

TEST(Fuzz, RewritingKeepsEveryResult) {
  Random random(2024);
  for (unsigned i = 0; i < rounds(24); ++i) {
    ScalarType t = i % 2 ? Dsl::f16() : Dsl::bf16();
    TermContext terms;
    Dsl raw(terms, false), normal(terms, true);
    normal.symbols["x:" + toString(t)] = raw.var("x", t).term;
    Recipe r = randomRecipe(random, 4);
    const Term *a = build(raw, r, t).term, *b = build(normal, r, t).term;
    if (a == b)
      continue;
    ScalarLadder ladder(terms, options(true));
    const Term *never = terms.mkBool(false);
    LadderResult result = ladder.prove("fuzz", {a, never}, {b, never});
    // Reads of the sign of a NaN (copysign) may leave the exhaustion open.
    EXPECT_NE(result.kind, LadderResult::Kind::Candidate)
        << terms.print(a, 20) << "\n  became " << terms.print(b, 20);
  }
}

/// The target's value for each input, or poison, by evaluating all inputs.
TEST(Fuzz, AbstractProofsHold) {
  Random random(7);
  unsigned proofs = 0;
  for (unsigned i = 0; i < rounds(40); ++i) {
    ScalarType t = i % 2 ? Dsl::f16() : Dsl::bf16();
    TermContext terms;
    Dsl raw(terms, false);
    Recipe r = randomRecipe(random, 3), s = r;
    for (unsigned k = 0; k <= random.below(2); ++k)
      mutate(s, random);
    const Term *a = build(raw, r, t).term, *b = build(raw, s, t).term;
    const Term *never = terms.mkBool(false);
    // A second, unused input keeps the small-domain rung out.
    T y = raw.var("unused", t);
    const Term *fact = raw.cmp("true", y, y).term;
    LadderOptions abstractOnly = options(false);
    abstractOnly.executions = 0;
    ScalarLadder prover(terms, abstractOnly);
    LadderResult proof = prover.prove("fuzz", {a, never}, {b, never}, {fact});
    if (!proof.proved())
      continue;
    ++proofs;
    ScalarLadder judge(terms, options(true));
    LadderResult truth = judge.prove("fuzz", {a, never}, {b, never});
    EXPECT_NE(truth.kind, LadderResult::Kind::Candidate)
        << terms.print(a, 20) << "\n  against " << terms.print(b, 20);
  }
  EXPECT_GT(proofs, 5u);
}

} // namespace
