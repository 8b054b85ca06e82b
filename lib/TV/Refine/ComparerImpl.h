//===- ComparerImpl.h - State of a comparison -------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Internal to lib/TV/Refine. The comparison is one recursion over pairs of
/// terms, memoised; its parts are in CompareValue, CompareFold, CompareScalar
/// and Sums.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_REFINE_COMPARERIMPL_H
#define PANPIPE_LIB_TV_REFINE_COMPARERIMPL_H

#include "panpipe/TV/Refine/Compare.h"
#include "panpipe/TV/Term/FoldDomain.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace panpipe::tv {

class SumForm;

/// What may be done to a sum.
enum class SumRules : uint8_t {
  Flags,     ///< what the flags of the source's operations allow
  Order,     ///< any order
  Real,      ///< and constants pulled out, exactly
  Distribute ///< and products distributed over sums
};

struct Comparer::Impl {
  Impl(TermContext &terms, const CompareOptions &options);

  TermContext &terms;
  CompareOptions options;
  std::unique_ptr<IndexOracle> ownOracle;
  IndexOracle *oracle;
  ProofStats stats;

  //===--- State of the current comparison --------------------------------===//
  /// Everything a proof rests on besides the terms. A failed attempt is rolled
  /// back to where it started.
  struct Trail {
    llvm::SmallVector<unsigned, 4> residuals;   ///< into allResiduals
    llvm::SmallVector<unsigned, 4> assumptions; ///< into allAssumptions
    llvm::SmallVector<const TensorBase *, 2> choices;
    llvm::SmallVector<uint32_t, 2> picks; ///< keys of copiedPicks
  };
  Trail trail;
  struct Mark {
    size_t residuals, assumptions, choices, picks;
  };
  Mark mark() const {
    return {trail.residuals.size(), trail.assumptions.size(),
            trail.choices.size(), trail.picks.size()};
  }
  void rollBack(Mark m);
  void startPass(bool scalars);
  std::vector<ScalarPair> allResiduals;
  std::vector<Assumption> allAssumptions;
  void assume(Assumption a);

  std::string culprit;
  unsigned culpritDepth = 0;
  unsigned steps = 0, cellsLeft = 0;
  bool usedCells = false, usedSums = false, usedScalars = false;
  bool hitLimit = false;
  /// The first pass does without scalar pairs, the second allows them; failures
  /// are remembered within a pass only.
  bool scalarsOn = false;
  unsigned pass = 0;
  unsigned choiceUses = 0; ///< proofs that used a choice are not remembered

  //===--- What was proved, kept between comparisons ----------------------===//
  using PairKey =
      std::pair<std::pair<const Term *, const Term *>, const void *>;
  struct Proof {
    bool ok = false;
    unsigned pass = 0; ///< in which it failed
    llvm::SmallVector<unsigned, 0> residuals, assumptions;
    llvm::SmallVector<std::pair<uint32_t, uint32_t>, 0> picks;
  };
  llvm::DenseMap<PairKey, Proof> equalMemo, impliedMemo;
  /// Choices of unspecified contents of the source that proofs rely on.
  struct ChoiceBinding {
    llvm::SmallVector<IndexTerm, 4> vars;
    const Term *value;
  };
  llvm::DenseMap<const TensorBase *, ChoiceBinding> choices;
  /// Whose picks an operation of the source copies: each copies one operation
  /// of the target only, which may have one result (0).
  llvm::DenseMap<uint32_t, uint32_t> copiedPicks;
  /// Operations of the source that had to pick as some proof needs it.
  llvm::SmallVector<uint32_t, 4> freePicks;
  /// Symbols of scalar pairs by element parameter, so that equal pairs are
  /// equal terms wherever they come from.
  llvm::DenseMap<const Term *, const Term *> scalarSymbols;

  //===--- Entry points (Compare.cpp) -------------------------------------===//
  CompareResult run(llvm::function_ref<bool()> proof);
  bool refines(const IndexContext &context, Element s, Element t,
               unsigned depth);
  /// target poison => source poison.
  bool poisonImplied(const IndexContext &context, const Term *target,
                     const Term *source, unsigned depth);
  bool implies(const IndexContext &context, const Term *target,
               const Term *source, unsigned depth);
  bool fail(unsigned depth, llvm::function_ref<std::string()> text);

  //===--- Points of a domain (ComparePoint.cpp) --------------------------===//
  bool impliesSomePoint(const IndexContext &context, const Term *target,
                        const Term *source, unsigned depth);
  bool impliesAt(const IndexContext &context, const Term *target,
                 const Term *source, llvm::ArrayRef<IndexTerm> point,
                 unsigned depth);
  bool impliesShort(const IndexContext &context, const Term *target,
                    const Term *source, llvm::ArrayRef<IndexTerm> sizes,
                    unsigned depth);

  //===--- Values (CompareValue.cpp) --------------------------------------===//
  /// a (source) and b (target) have the same value in `context`.
  bool equal(const IndexContext &context, const Term *a, const Term *b,
             unsigned depth);
  IndexContext canonicalize(const IndexContext &context, const Term *&a,
                            const Term *&b);
  /// The pair with fewer and renamed variables, and the context for it.
  IndexContext simplifyPair(const IndexContext &outer, const Term *&a,
                            const Term *&b, unsigned depth);
  bool generalize(IndexContext &context, const Term *&a, const Term *&b,
                  unsigned number);
  bool equalUncached(const IndexContext &context, const Term *a, const Term *b,
                     unsigned depth);
  bool equalIndex(const IndexContext &context, IndexTerm p, IndexTerm q);
  bool proveGuard(const IndexContext &context, GuardAtom g);
  bool isEmptyCell(const IndexContext &context);
  bool byDigits(const IndexContext &context, const Term *a, const Term *b,
                unsigned depth, bool &applied);
  /// Splits on the guards of the terms until none is open, and proves each
  /// cell; every list holds the terms rebuilt in the cell.
  bool forEachCell(const IndexContext &context,
                   llvm::ArrayRef<const Term *> list,
                   llvm::function_ref<bool(const IndexContext &,
                                           llvm::ArrayRef<const Term *>)>
                       proof);
  bool unfoldAndCompare(const IndexContext &context, const Term *a,
                        const Term *b, unsigned depth, bool &applied);
  bool descend(const IndexContext &context, const Term *a, const Term *b,
               unsigned depth);
  bool equalReads(const IndexContext &context, const Term *a, const Term *b,
                  unsigned depth);
  bool equalOps(const IndexContext &context, const Term *a, const Term *b,
                unsigned depth);
  bool copies(uint32_t source, uint32_t target);
  /// May the source's operation (a fold's, too) do what the target's does?
  bool attrsRefine(const ScalarAttrs &s, const ScalarAttrs &t, const Term *a,
                   const Term *b);
  bool sameOpaque(const TensorBase *a, const TensorBase *b, unsigned depth);
  bool chooseFor(const Term *read, const Term *value);

  //===--- Folds (CompareFold.cpp) ----------------------------------------===//
  bool equalApps(const IndexContext &context, const Term *a, const Term *b,
                 unsigned depth);
  bool equalArguments(const IndexContext &context, const Term *a, const Term *b,
                      unsigned depth);
  bool openBoth(const IndexContext &context, const Term *a, const Term *b,
                unsigned depth);
  /// Variables for opening at this depth.
  IndexTerm openVar(unsigned depth, unsigned i);

  //===--- Scalars (CompareScalar.cpp) ------------------------------------===//
  bool byScalars(const IndexContext &context, Element s, Element t,
                 unsigned depth);
  bool decideScalars(const IndexContext &context, Element s, Element t,
                     unsigned depth, unsigned unfoldings);

  //===--- Sums (Sums.cpp) ------------------------------------------------===//
  bool bySums(const IndexContext &context, const Term *a, const Term *b,
              unsigned depth);
  bool compareSums(const IndexContext &context, ScalarOp op, const Term *a,
                   const Term *b, unsigned depth, SumRules rules);
  void recordSums(llvm::StringRef kind, const SumForm &s, const SumForm &t);
};

/// Turns naming off while names are unfolded.
class NamingOff {
public:
  explicit NamingOff(TermContext &terms) : terms(terms), old(terms.naming) {
    terms.naming = false;
  }
  ~NamingOff() { terms.naming = old; }

private:
  TermContext &terms;
  bool old;
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_COMPARERIMPL_H
