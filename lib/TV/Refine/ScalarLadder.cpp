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
  LadderResult strict(const std::string &name, Element source, Element target,
                      ArrayRef<const Term *> facts);
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
      coversTargets(terms, target.value, sides.sources, options.maxInstances)) {
    result.kind = LadderResult::Kind::Proved;
    result.rung = LadderRung::Congruence;
    return true;
  }
  ScalarObligation closed(source, sides.sources, target, sides.target, facts,
                          nullptr);
  std::optional<ScalarObligation> opened;
  if (closed.slice.hasClosedNames())
    opened.emplace(source, sides.sources, target, sides.target, facts, &terms);
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

/// Weaker and weaker relations: the source's operations get flags.
bool ScalarLadder::Impl::assume(const std::string &name, Element source,
                                Element target, ArrayRef<const Term *> facts,
                                LadderResult &result) {
  uint8_t flags = 0;
  std::string kinds;
  for (const std::string &kind : options.assumptions) {
    uint8_t f = kind == "nsz"        ? FMF_nsz
                : kind == "contract" ? FMF_contract
                : kind == "reassoc"  ? FMF_reassoc
                : kind == "finite"   ? FMF_nnan | FMF_ninf
                                     : 0;
    if (!f)
      continue;
    flags |= f;
    kinds += (kinds.empty() ? "" : "+") + kind;
    // Alone first, then with the earlier ones.
    for (uint8_t tried : {f, flags}) {
      Element weaker = source;
      weaker.value = withFastMath(terms, source.value, tried);
      LadderResult r = strict(name + "-" + kind, weaker, target, facts);
      result.queries += r.queries;
      if (r.proved()) {
        r.assumptions.push_back(
            {tried == f ? kind : kinds,
             "on the float operations of the source's value"});
        result = std::move(r);
        return true;
      }
      if (f == flags)
        break;
    }
  }
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
