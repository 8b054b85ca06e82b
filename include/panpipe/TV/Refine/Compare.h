//===- Compare.h - Refinement of elements -----------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Does an element of the target refine the element of the source, for every
/// input and every index of the context? Proved by congruence, case splits,
/// opening of folds and the sum normal form; what remains are pairs of scalar
/// terms for the scalar ladder. docs/TV/Terms.md has the rules.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_REFINE_COMPARE_H
#define PANPIPE_TV_REFINE_COMPARE_H

#include "panpipe/TV/Term/Tensor.h"
#include "panpipe/TV/Verdict.h"

#include <memory>
#include <string>
#include <vector>

namespace panpipe::tv {

/// A pair of scalar elements over common symbols: leaves proved equal are one
/// symbol, all others are different ones. Proving it proves the place it is
/// from.
struct ScalarPair {
  Element source, target;
  std::string where; ///< for messages
};

/// Decides scalar pairs on the spot; see ScalarLadder.h.
class ScalarOracle {
public:
  virtual ~ScalarOracle();
  /// True only if the target refines the source for all symbol values.
  virtual bool proves(TermContext &terms, const ScalarPair &pair) = 0;
  /// Assumptions made by successful answers so far.
  std::vector<Assumption> assumptions;
  /// Makes none: a pair that differs in an execution need not be asked.
  bool isStrict = true;
};

struct CompareOptions {
  /// Floating-point classes the proof may use; it uses as few as it can and
  /// lists what it used. Integers and min/max need none.
  bool reassoc = false; ///< any order of float sums and products of a fold
  bool nsz = false;     ///< the sign of zero results does not matter
  bool real = false;    ///< exact arithmetic (implies the two above)
  /// Picks (ScalarAttrs::pick) up to this number are the target's; the others
  /// are of source operations that copy none.
  uint32_t targetPicks = 0;
  /// Decides what ranges cannot; null: Presburger in process.
  IndexOracle *indexOracle = nullptr;
  /// Null: scalar pairs are collected and returned as residuals.
  ScalarOracle *scalarOracle = nullptr;
  unsigned maxCells = 20000;    ///< per comparison
  unsigned maxOpenDepth = 4096; ///< nested openings; pairs are remembered
  /// Steps (pairs looked at) before a comparison gives up.
  unsigned maxSteps = 200000;
};

struct CompareResult {
  enum class Kind : uint8_t {
    Proved,   ///< a proof, under `assumptions`
    Residual, ///< proved if every pair of `residuals` is (under `assumptions`)
    Unproved  ///< no proof found; `culprit` says where it ended
  };
  Kind kind = Kind::Unproved;
  std::vector<ScalarPair> residuals;
  std::vector<Assumption> assumptions;
  std::string culprit;
  bool proved() const { return kind == Kind::Proved; }
};

/// Compares elements of one source and one target function. Keeps what it has
/// proved, so use one comparer for all results of a pair of functions; this
/// also keeps the choices it made for unspecified contents of the source
/// consistent between results.
class Comparer {
public:
  Comparer(TermContext &terms, const CompareOptions &options);
  ~Comparer();

  CompareResult compareElements(const IndexContext &context, Element source,
                                Element target);
  /// Shapes, then one symbolic index.
  CompareResult compareTensors(const SymTensor &source,
                               const SymTensor &target);
  /// Is the boolean term false (no undefined behaviour, say) in the context?
  CompareResult proveFalse(const IndexContext &context, const Term *condition);

  /// Is `excuse` true wherever the boolean term `condition` is?
  CompareResult proveImplied(const IndexContext &context, const Term *condition,
                             const Term *excuse);

  /// How obligations were settled so far: congruence, cells, sums, queries.
  const ProofStats &stats() const;
  /// Operations of the source (ScalarAttrs::pick) that pick as one of the
  /// proofs so far needs it.
  llvm::ArrayRef<uint32_t> freePicks() const;

  struct Impl;

private:
  std::unique_ptr<Impl> impl;
};

/// One comparison with its own Comparer.
CompareResult compareElements(TermContext &terms, const IndexContext &context,
                              Element source, Element target,
                              const CompareOptions &options);

/// Presburger queries in process (libMLIR), for linear guards with at most
/// `maxDivisions` floor divisions; everything else is unknown.
std::unique_ptr<IndexOracle> makePresburgerOracle(unsigned maxDivisions = 6);

} // namespace panpipe::tv

#endif // PANPIPE_TV_REFINE_COMPARE_H
