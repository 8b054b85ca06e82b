//===- ScalarLadder.cpp - Proof of one scalar obligation -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Refine/ScalarLadder.h"

#include "ScalarChoices.h"
#include "ScalarObligation.h"
#include "panpipe/TV/SMT/ScalarInputs.h"
#include "panpipe/TV/Term/Closure.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace llvm;

namespace panpipe::tv {

StringRef toString(LadderRung rung) {
  static const StringRef names[] = {
      "none",     "congruence", "execution", "all small inputs",
      "abstract", "lemmas",     "exact",     "all inputs",
      "theory"};
  return names[unsigned(rung)];
}

struct ScalarLadder::Impl {
  TermContext &terms;
  LadderOptions options;
  smt::QueryDump dump;
  LadderTools tools;
  LadderStats stats;

  Impl(TermContext &terms, LadderOptions o)
      : terms(terms), options(std::move(o)), dump(options.dumpFolder),
        tools{options, dump.enabled() ? &dump : nullptr,
              smt::findExternalSolvers()} {}

  bool congruent(Element source, Element target) const {
    return source.value == target.value &&
           (source.poison == target.poison || target.poison->isFalse());
  }
  bool execute(const ScalarObligation &obligation, LadderResult &result);
  bool attempt(const std::string &name, Element source, Element target,
               ArrayRef<const Term *> facts, bool shareCommon,
               LadderResult &result);
  bool climb(const std::string &name, const ScalarObligation &closed,
             const ScalarObligation *opened, bool shareCommon,
             LadderResult &result);
  LadderResult strict(const std::string &name, Element source, Element target,
                      ArrayRef<const Term *> facts);
  bool assumeAll(const std::string &name, Element source, Element target,
                 ArrayRef<const Term *> facts, ArrayRef<StringRef> kinds,
                 LadderResult &result);
  bool assume(const std::string &name, Element source, Element target,
              ArrayRef<const Term *> facts, LadderResult &result);
};

/// Rung 2.
bool ScalarLadder::Impl::execute(const ScalarObligation &obligation,
                                 LadderResult &result) {
  const ScalarSlice &slice = obligation.slice;
  std::vector<ScalarType> types;
  for (const SliceLeaf &l : slice.leaves())
    types.push_back(l.type);
  std::vector<smt::FloatFormat> formats;
  std::vector<unsigned> widths;
  slice.collectTypes(formats, widths);
  for (const auto &row : smt::scalarInputs(types, formats, widths,
                                           options.executions, options.seed))
    if (obligation.tryCandidate(row, LadderRung::Execution, result))
      return true;
  return false;
}

/// Names of the operations below the terms that pick.
static void collectPicks(ArrayRef<const Term *> roots,
                         SmallVectorImpl<uint32_t> &out) {
  SmallVector<const Term *, 16> work(roots);
  SmallPtrSet<const Term *, 16> seen;
  auto add = [&](uint32_t pick) {
    if (pick && !is_contained(out, pick))
      out.push_back(pick);
  };
  while (!work.empty()) {
    const Term *t = work.pop_back_val();
    if (!seen.insert(t).second)
      continue;
    add(t->attrs().pick);
    work.append(t->operands().begin(), t->operands().end());
    if (t->kind() != TermKind::App)
      continue;
    add(t->closure()->attrs.pick);
    work.append(t->closure()->bodies.begin(), t->closure()->bodies.end());
  }
}

/// All rungs on one way to treat sets. True if final.
bool ScalarLadder::Impl::attempt(const std::string &name, Element source,
                                 Element target, ArrayRef<const Term *> facts,
                                 bool shareCommon, LadderResult &result) {
  ChosenSides sides = expandChoices(terms, source.value, target.value,
                                    options.maxInstances, shareCommon);
  if (!sides.unsupported.empty()) {
    result.reason = sides.unsupported;
    result.unsupported = true;
    return false;
  }
  if (sides.any && !shareCommon &&
      (source.poison == target.poison || target.poison->isFalse()) &&
      !terms.nanBitsAreRead &&
      coversTargets(terms, target.value, sides.sources, options.maxInstances)) {
    result.kind = LadderResult::Kind::Proved;
    result.rung = LadderRung::Congruence;
    collectPicks({source.value, source.poison}, result.freePicks);
    return true;
  }
  bool exact = terms.nanBitsAreRead;
  ScalarObligation closed(source, sides.sources, target, sides.target, facts,
                          nullptr, exact);
  std::optional<ScalarObligation> opened;
  if (closed.slice.hasClosedNames())
    opened.emplace(source, sides.sources, target, sides.target, facts, &terms,
                   exact);
  bool final =
      climb(name, closed, opened ? &*opened : nullptr, shareCommon, result);
  if (result.proved() &&
      (sides.any || (opened ? opened->slice : closed.slice).readsBits())) {
    collectPicks({source.value, source.poison}, result.freePicks);
    if (shareCommon)
      erase_if(result.freePicks,
               [&](uint32_t p) { return is_contained(sides.copied, p); });
  }
  return final;
}

/// All rungs. `opened` has names replaced by what they stand for, if there are
/// any.
bool ScalarLadder::Impl::climb(const std::string &name,
                               const ScalarObligation &closed,
                               const ScalarObligation *opened, bool shareCommon,
                               LadderResult &result) {
  const ScalarObligation &obligation = opened ? *opened : closed;
  // With shared picks a difference may be one that the source can avoid.
  if (options.executions && execute(obligation, result))
    return !shareCommon;
  if (climbExhaustive(obligation, /*small=*/true, tools, result))
    return result.proved() || !shareCommon;
  // Names left closed prove less, but cheaply; they refute nothing.
  if (opened && climbAbstract(name + "-closed", closed, tools, result) &&
      result.proved())
    return true;
  result = LadderResult();
  if (climbAbstract(name, obligation, tools, result) ||
      climbExhaustive(obligation, /*small=*/false, tools, result) ||
      climbTheory(name, obligation, tools, result))
    return result.proved() || !shareCommon;
  return false;
}

LadderResult ScalarLadder::Impl::strict(const std::string &name, Element source,
                                        Element target,
                                        ArrayRef<const Term *> facts) {
  LadderResult result;
  if (congruent(source, target)) {
    result.kind = LadderResult::Kind::Proved;
    result.rung = LadderRung::Congruence;
    return result;
  }
  bool sets = expandChoices(terms, source.value, target.value, 1, false).any;
  if (sets && attempt(name + "-shared", source, target, facts, true, result))
    return result;
  result = LadderResult();
  attempt(name, source, target, facts, false, result);
  return result;
}

static uint8_t flagsOf(StringRef kind) {
  return kind == "nsz"        ? FMF_nsz
         : kind == "contract" ? FMF_contract
         : kind == "reassoc"  ? FMF_reassoc
         : kind == "finite"   ? FMF_nnan | FMF_ninf
                              : 0;
}

/// Proves it with the flags of all `kinds` on the source's operations.
bool ScalarLadder::Impl::assumeAll(const std::string &name, Element source,
                                   Element target, ArrayRef<const Term *> facts,
                                   ArrayRef<StringRef> kinds,
                                   LadderResult &result) {
  uint8_t flags = 0;
  for (StringRef kind : kinds)
    flags |= flagsOf(kind);
  Element weaker = source;
  weaker.value = withFastMath(terms, source.value, flags);
  std::string joined = join(kinds, "+");
  LadderResult r = strict(name + "-" + joined, weaker, target, facts);
  result.queries += r.queries;
  if (!r.proved())
    return false;
  r.assumptions.push_back(
      {joined, "on the float operations of the source's value"});
  result = std::move(r);
  return true;
}

/// Weaker relations: the source's operations get flags. With all of them first;
/// then, from strong to weak, those are dropped that the proof can do without.
bool ScalarLadder::Impl::assume(const std::string &name, Element source,
                                Element target, ArrayRef<const Term *> facts,
                                LadderResult &result) {
  SmallVector<StringRef, 4> kinds;
  for (const std::string &kind : options.assumptions)
    if (flagsOf(kind))
      kinds.push_back(kind);
  if (kinds.empty())
    return false;
  if (assumeAll(name, source, target, facts, kinds, result)) {
    for (unsigned i = kinds.size(); i-- > 0 && kinds.size() > 1;) {
      SmallVector<StringRef, 4> fewer(kinds);
      fewer.erase(fewer.begin() + i);
      if (assumeAll(name, source, target, facts, fewer, result))
        kinds = fewer;
    }
    return true;
  }
  // More flags make larger sets, which may be too large to list.
  for (StringRef kind : kinds)
    if (kinds.size() > 1 &&
        assumeAll(name, source, target, facts, kind, result))
      return true;
  return false;
}

ScalarLadder::ScalarLadder(TermContext &terms, LadderOptions options)
    : impl(std::make_unique<Impl>(terms, std::move(options))) {}
ScalarLadder::~ScalarLadder() = default;

const LadderStats &ScalarLadder::stats() const { return impl->stats; }

LadderResult ScalarLadder::prove(StringRef name, Element source, Element target,
                                 ArrayRef<const Term *> facts) {
  auto start = std::chrono::steady_clock::now();
  unsigned before = impl->tools.queries;
  LadderResult result;
  if (source.value->type() != target.value->type()) {
    result.reason = "elements of different types";
    result.unsupported = true;
  } else {
    result = impl->strict(name.str(), source, target, facts);
    if (!result.proved() && !impl->options.assumptions.empty())
      impl->assume(name.str(), source, target, facts, result);
  }
  if (result.kind != LadderResult::Kind::Unknown) {
    result.reason.clear();
    result.unsupported = false;
  } else if (result.reason.empty()) {
    result.reason = "timeout";
  }
  result.queries = impl->tools.queries - before;
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  LadderStats &stats = impl->stats;
  ++stats.obligations;
  stats.queries += result.queries;
  stats.seconds += result.seconds;
  if (result.proved())
    ++stats.provedBy[unsigned(result.rung)];
  else if (result.kind == LadderResult::Kind::Candidate)
    ++stats.candidates;
  else
    ++stats.unknown;
  return result;
}

} // namespace panpipe::tv
