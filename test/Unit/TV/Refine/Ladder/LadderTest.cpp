//===- LadderTest.cpp - The scalar ladder on pairs with known verdicts -*- C++
//-*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rung may lose proofs, never invent one. PANPIPE_LONG_TESTS=1 adds the
/// rungs in child processes; PANPIPE_PAIR=name runs one pair.
///
//===----------------------------------------------------------------------===//

#include "ScalarPairs.h"
#include "panpipe/TV/Refine/ScalarLadder.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace panpipe::tv;
using namespace panpipe::tv::test;

namespace {

std::vector<Pair> allPairs(Dsl &d) {
  addAlgebra(d);
  addConversions(d);
  addComparisons(d);
  addRounding(d);
  addFastMath(d);
  addReductions(d);
  addIntegers(d);
  return d.pairs;
}

struct Score {
  unsigned valid = 0, proved = 0, invalid = 0, refuted = 0;
  std::string missed;
};

Score runPairs(bool rewriting, const LadderOptions &options) {
  TermContext terms;
  Dsl dsl(terms, rewriting);
  ScalarLadder ladder(terms, options);
  Score score;
  const char *only = std::getenv("PANPIPE_PAIR");
  bool verbose = std::getenv("PANPIPE_VERBOSE");
  for (const Pair &p : allPairs(dsl)) {
    if (only && p.name != only)
      continue;
    const Term *never = terms.mkBool(false);
    LadderResult r = ladder.prove(p.name, {p.source, never}, {p.target, never});
    (p.valid ? score.valid : score.invalid)++;
    bool isProof = r.proved();
    bool isCandidate = r.kind == LadderResult::Kind::Candidate;
    EXPECT_FALSE(!p.valid && isProof)
        << p.name << " was proved at rung " << toString(r.rung).str();
    EXPECT_FALSE(p.valid && isCandidate)
        << p.name << " was refuted at rung " << toString(r.rung).str();
    if (verbose && isCandidate && p.valid)
      for (const LadderInput &in : r.inputs)
        printf("  %s = %s\n", terms.print(in.term).c_str(),
               toString(in.term->type(), in.value).c_str());
    if (isProof)
      ++score.proved;
    else if (isCandidate)
      ++score.refuted;
    else
      score.missed += p.name + " (" + r.reason + "), ";
    if (verbose)
      printf("%-26s %s %-9s %-16s %.3f s %u queries %s\n", p.name.c_str(),
             p.valid ? "V" : "I",
             isProof       ? "proved"
             : isCandidate ? "candidate"
                           : "unknown",
             toString(r.rung).str().c_str(), r.seconds, r.queries,
             r.reason.c_str());
  }
  return score;
}

LadderOptions quick() {
  LadderOptions o;
  o.exactSeconds = 0;
  o.theorySeconds = 0;
  // The same on a busy machine.
  o.abstractSeconds = 100;
  o.abstractResources = 1500000;
  if (const char *resources = std::getenv("PANPIPE_RESOURCES"))
    o.abstractResources = std::atoi(resources);
  return o;
}

TEST(Ladder, QuickRungsOnAllPairs) {
  Score s = runPairs(/*rewriting=*/true, quick());
  printf("valid %u, proved %u; invalid %u, refuted %u; missed: %s\n", s.valid,
         s.proved, s.invalid, s.refuted, s.missed.c_str());
  EXPECT_EQ(s.refuted, s.invalid);
  EXPECT_GE(s.proved + 10, s.valid);
}

TEST(Ladder, WithoutRewriting) {
  Score s = runPairs(/*rewriting=*/false, quick());
  printf("valid %u, proved %u; invalid %u, refuted %u; missed: %s\n", s.valid,
         s.proved, s.invalid, s.refuted, s.missed.c_str());
  EXPECT_EQ(s.refuted, s.invalid);
  EXPECT_GE(s.proved + 30, s.valid);
}

TEST(Ladder, AllRungs) {
  if (!std::getenv("PANPIPE_LONG_TESTS"))
    GTEST_SKIP() << "set PANPIPE_LONG_TESTS=1";
  LadderOptions options;
  Score s = runPairs(true, options);
  printf("valid %u, proved %u; invalid %u, refuted %u; missed: %s\n", s.valid,
         s.proved, s.invalid, s.refuted, s.missed.c_str());
}

} // namespace
