//===- ScalarLadder.h - Proof of one scalar obligation ----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides whether one element of the target refines one of the source, for all
/// values of the leaves of their terms. A ladder: congruence, execution, an
/// abstract query that is refined, exhaustion, the FP theory in child
/// processes. docs/TV/Floats.md describes it.
///
/// Leaves are reads, symbols, index values, guards and applications without
/// element arguments. They are taken as independent of each other, which is
/// sound for proofs. A difference found is therefore only a candidate: the
/// caller executes both functions before it says INVALID.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_REFINE_SCALARLADDER_H
#define PANPIPE_TV_REFINE_SCALARLADDER_H

#include "panpipe/TV/Term/Term.h"
#include "panpipe/TV/Verdict.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace panpipe::tv {

/// Where a verdict came from.
enum class LadderRung : uint8_t {
  None = 0,
  Congruence = 1,  ///< equal terms
  Execution = 2,   ///< chosen inputs (candidates only)
  SmallDomain = 3, ///< all inputs of at most 16 bits
  Abstract = 4,    ///< circuits and abstract operations
  Lemmas = 5,      ///< pair axioms, value lemmas
  ExactOps = 6,    ///< some operations made exact
  Exhaustion = 7,  ///< all inputs of at most 32 bits
  Theory = 8       ///< FP theory in child processes
};
llvm::StringRef toString(LadderRung rung);

struct LadderOptions {
  /// Number of executions in rung 2; 0 switches it off.
  unsigned executions = 500;
  uint64_t seed = 1;
  /// Wall seconds of the queries in this process (rungs 3 and 4).
  double abstractSeconds = 2;
  /// z3's resource limit of each of these queries, which unlike seconds gives
  /// the same answer on a busy machine; 0: none.
  unsigned abstractResources = 0;
  /// Seconds per child of rungs 5 and 7; 0 switches the rung off.
  double exactSeconds = 5;
  double theorySeconds = 20;
  /// CPU seconds of rung 6; 0 switches it off.
  double exhaustSeconds = 0;
  /// Memory of one child.
  unsigned memoryMegabytes = 2048;
  /// Rounds of value lemmas.
  unsigned lemmaRounds = 2;
  /// Instances of a source with a set of allowed results.
  unsigned maxInstances = 16;
  /// Named facts about library functions may be used ("exp.range").
  bool libraryFacts = true;
  /// Ask every solver and accept no answer on which two disagree.
  bool crossCheck = false;
  /// Write every query here; empty: nowhere.
  std::string dumpFolder;
  /// If strict proof fails, assumptions to try, in this order: nsz, contract,
  /// reassoc, finite.
  std::vector<std::string> assumptions;
};

/// One leaf of a candidate.
struct LadderInput {
  const Term *term; ///< Read, PoisonRead, Symbol, IndexValue, App
  ScalarValue value;
};

struct LadderResult {
  enum class Kind : uint8_t { Proved, Candidate, Unknown };
  Kind kind = Kind::Unknown;
  LadderRung rung = LadderRung::None;
  /// Unknown: why ("timeout", "solvers disagree", "no encoding of …").
  std::string reason;
  /// True if `reason` is an operation or type without encoding.
  bool unsupported = false;
  /// Candidate: values of the leaves, and what the sides become.
  std::vector<LadderInput> inputs;
  ScalarValue source, target;
  /// Candidate: guards on indices were chosen freely, or applications have
  /// values of their own; the leaves may not be reachable together.
  bool approximate = false;
  /// Proved: what had to be assumed (library functions, nsz, …).
  std::vector<Assumption> assumptions;
  /// Proved: operations of the source (ScalarAttrs::pick) that pick as this
  /// obligation needs it; another obligation may need another pick.
  llvm::SmallVector<uint32_t, 4> freePicks;
  unsigned queries = 0;
  double seconds = 0;

  bool proved() const { return kind == Kind::Proved; }
};

/// Totals over all obligations of a ladder.
struct LadderStats {
  uint64_t obligations = 0;
  uint64_t provedBy[9] = {};
  uint64_t candidates = 0, unknown = 0, queries = 0;
  double seconds = 0;
};

/// Decides obligations over the terms of one context.
class ScalarLadder {
public:
  ScalarLadder(TermContext &terms, LadderOptions options);
  ~ScalarLadder();

  /// Does `target` refine `source`, where all `facts` (boolean terms) hold? The
  /// poison terms must be complete but for fast-math and integer flags and
  /// conditions of the operations in the value terms, which are read there too.
  /// Undefined behaviour is not looked at. `name` names the queries.
  LadderResult prove(llvm::StringRef name, Element source, Element target,
                     llvm::ArrayRef<const Term *> facts = {});

  const LadderStats &stats() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_REFINE_SCALARLADDER_H
