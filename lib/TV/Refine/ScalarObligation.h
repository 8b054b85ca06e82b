//===- ScalarObligation.h - One obligation over a slice -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_REFINE_SCALAROBLIGATION_H
#define PANPIPE_LIB_TV_REFINE_SCALAROBLIGATION_H

#include "ScalarSlice.h"
#include "panpipe/TV/Refine/ScalarLadder.h"
#include "panpipe/TV/SMT/Solver.h"

namespace panpipe::tv {

/// The question of one attempt: for all leaves with the facts, unless the
/// source is poison, the target is not, and is one of the source's instances.
struct ScalarObligation {
  ScalarSlice slice;
  ScalarType type = ScalarType::boolean();
  std::vector<unsigned> facts;
  unsigned sourcePoison = 0, sourceStrict = 0;
  std::vector<unsigned> instances;
  unsigned targetPoison = 0, targetStrict = 0, targetValue = 0;

  ScalarObligation(Element source, llvm::ArrayRef<const Term *> instances,
                   Element target, const Term *chosenTarget,
                   llvm::ArrayRef<const Term *> facts, TermContext *open,
                   bool exactBits = false);

  enum class Outcome : uint8_t {
    Holds,
    Fails,
    Skipped,  ///< a fact does not hold, or the source is poison
    Undecided ///< undefined behaviour, or bits of a NaN that is anyone's
  };
  /// Executes on leaf values.
  Outcome execute(llvm::ArrayRef<llvm::APInt> leaves,
                  ScalarSlice::Run &run) const;
  /// Fills a candidate from leaf values.
  void fillCandidate(llvm::ArrayRef<llvm::APInt> leaves,
                     const ScalarSlice::Run &run, LadderRung rung,
                     LadderResult &result) const;
  /// Executes; if it fails, fills the candidate and returns true.
  bool tryCandidate(llvm::ArrayRef<llvm::APInt> leaves, LadderRung rung,
                    LadderResult &result) const;
};

/// What an attempt shares with the others.
struct LadderTools {
  const LadderOptions &options;
  smt::QueryDump *dump;
  std::vector<smt::ExternalSolver> solvers;
  unsigned queries = 0;
};

/// Rungs 3 to 5. Returns true if the result is final.
bool climbAbstract(const std::string &name, const ScalarObligation &obligation,
                   LadderTools &tools, LadderResult &result);

/// All inputs: at most 16 bits (`small`), else at most 32 within the budget of
/// options.exhaustSeconds. Returns true if the result is final.
bool climbExhaustive(const ScalarObligation &obligation, bool small,
                     LadderTools &tools, LadderResult &result);

/// The FP theory in child processes.
bool climbTheory(const std::string &name, const ScalarObligation &obligation,
                 LadderTools &tools, LadderResult &result);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_SCALAROBLIGATION_H
