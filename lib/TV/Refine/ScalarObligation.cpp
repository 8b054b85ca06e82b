//===- ScalarObligation.cpp - One obligation over a slice -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarObligation.h"

#include "llvm/ADT/STLExtras.h"

#include <ctime>

using namespace llvm;

namespace panpipe::tv {

ScalarObligation::ScalarObligation(Element source,
                                   ArrayRef<const Term *> sources,
                                   Element target, const Term *chosenTarget,
                                   ArrayRef<const Term *> factTerms,
                                   TermContext *open, bool exactBits)
    : slice(open, exactBits), type(source.value->type()) {
  for (const Term *f : factTerms)
    facts.push_back(slice.add(f));
  sourcePoison = slice.add(source.poison);
  sourceStrict = slice.add(source.value);
  for (const Term *s : sources)
    instances.push_back(slice.add(s));
  targetPoison = slice.add(target.poison);
  targetStrict = slice.add(target.value);
  targetValue = slice.add(chosenTarget);
}

ScalarObligation::Outcome
ScalarObligation::execute(ArrayRef<APInt> leaves, ScalarSlice::Run &run) const {
  slice.run(leaves, run);
  auto value = [&](unsigned n) -> const ScalarValue & { return run.values[n]; };
  auto holds = [&](unsigned n) {
    return value(n).poison || !value(n).bits.isZero();
  };
  for (unsigned f : facts)
    if (value(f).poison || value(f).bits.isZero())
      return Outcome::Skipped;
  if (run.undefined || run.readAnyNaN)
    return Outcome::Undecided;
  if (holds(sourcePoison) || value(sourceStrict).poison)
    return Outcome::Skipped;
  if (holds(targetPoison) || value(targetStrict).poison ||
      value(targetValue).poison)
    return Outcome::Fails;
  for (unsigned i : instances)
    if (!value(i).poison &&
        sameValue(type, value(i).bits, value(targetValue).bits))
      return Outcome::Holds;
  return Outcome::Fails;
}

void ScalarObligation::fillCandidate(ArrayRef<APInt> leaves,
                                     const ScalarSlice::Run &run,
                                     LadderRung rung,
                                     LadderResult &result) const {
  result.kind = LadderResult::Kind::Candidate;
  result.rung = rung;
  result.inputs.clear();
  result.approximate = slice.hasUnknownFunctions();
  for (auto [leaf, bits] : zip(slice.leaves(), leaves)) {
    if (!leaf.term || leaf.term->kind() == TermKind::App ||
        leaf.term->kind() == TermKind::IndexValue) {
      result.approximate = true;
      if (!leaf.term)
        continue;
    }
    result.inputs.push_back({leaf.term, {bits, false}});
  }
  result.source = run.values[sourceStrict];
  result.target = run.values[targetValue];
  if (run.values[targetPoison].poison ||
      !run.values[targetPoison].bits.isZero())
    result.target.poison = true;
}

bool ScalarObligation::tryCandidate(ArrayRef<APInt> leaves, LadderRung rung,
                                    LadderResult &result) const {
  ScalarSlice::Run run;
  if (execute(leaves, run) != Outcome::Fails)
    return false;
  fillCandidate(leaves, run, rung, result);
  return true;
}

//===----------------------------------------------------------------------===//
// Exhaustion
//===----------------------------------------------------------------------===//

/// CPU time: the verdict must not depend on what else runs.
static double threadSeconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

bool climbExhaustive(const ScalarObligation &obligation, bool small,
                     LadderTools &tools, LadderResult &result) {
  const ScalarSlice &slice = obligation.slice;
  unsigned bits = slice.inputBits();
  if (slice.hasLibraryFunctions() || slice.hasUnknownFunctions() ||
      bits > (small ? 16u : 32u))
    return false;
  double budget = small ? 20.0 : tools.options.exhaustSeconds;
  if (budget <= 0)
    return false;
  double start = threadSeconds();
  ScalarSlice::Run run;
  std::vector<APInt> leaves;
  for (const SliceLeaf &l : slice.leaves())
    leaves.push_back(APInt(l.type.width(), 0));
  bool certain = true;
  for (uint64_t n = 0; n < uint64_t(1) << bits; ++n) {
    uint64_t rest = n;
    for (APInt &leaf : leaves) {
      leaf = APInt(leaf.getBitWidth(), rest, false, /*implicitTrunc=*/true);
      rest >>= leaf.getBitWidth();
    }
    switch (obligation.execute(leaves, run)) {
    case ScalarObligation::Outcome::Fails:
      obligation.fillCandidate(
          leaves, run, small ? LadderRung::SmallDomain : LadderRung::Exhaustion,
          result);
      return true;
    case ScalarObligation::Outcome::Undecided:
      certain = false;
      break;
    case ScalarObligation::Outcome::Holds:
      // Bits of a NaN of the target may be others: see the encoder's sides.
      certain &= !run.readNaN;
      break;
    case ScalarObligation::Outcome::Skipped:
      break;
    }
    if ((n & 4095) == 4095 && threadSeconds() - start > budget)
      return false;
  }
  if (!certain)
    return false;
  result.kind = LadderResult::Kind::Proved;
  result.rung = small ? LadderRung::SmallDomain : LadderRung::Exhaustion;
  return true;
}

} // namespace panpipe::tv
