//===- ScalarChoices.h - Fast-math as sets of allowed results -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A flagged operation denotes a set of results. The source may pick, so some
/// instances of it are listed (leaving some out only loses proofs); the target
/// may compute any, so its picks become unknown booleans (leaving one out would
/// be unsound, so a set that is not covered is an error). A choice belongs to
/// an operation, not to its uses.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_REFINE_SCALARCHOICES_H
#define PANPIPE_LIB_TV_REFINE_SCALARCHOICES_H

#include "panpipe/TV/Term/Term.h"

#include <string>
#include <vector>

namespace panpipe::tv {

/// True if the operation may have more than one result.
bool denotesSet(const Term *term);

struct ChosenSides {
  /// Instances of the source's value; the first is the strict one.
  std::vector<const Term *> sources;
  const Term *target = nullptr;
  /// Not empty: an operation of the target whose set has no encoding.
  std::string unsupported;
  /// Some operation of either side denotes a set.
  bool any = false;
  /// Operations of the source (ScalarAttrs::pick) that copy the target's.
  llvm::SmallVector<uint32_t, 4> copied;
};

/// `shareCommon`: an operation that occurs on both sides is one unknown value
/// (the source copies the target's pick); proves less but is cheap and covers
/// every flag.
ChosenSides expandChoices(TermContext &terms, const Term *source,
                          const Term *target, unsigned maxInstances,
                          bool shareCommon);

/// True if the target's picks are few, and each gives one of `sources`.
bool coversTargets(TermContext &terms, const Term *target,
                   llvm::ArrayRef<const Term *> sources, unsigned maxInstances);

/// `term` with `flags` added to every float operation.
const Term *withFastMath(TermContext &terms, const Term *term, uint8_t flags);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_SCALARCHOICES_H
