//===- Check.h - Does one function refine another? --------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The prover: encodes both functions over the same arguments and proves that
/// the target refines the source. It never executes anything; a candidate it
/// returns counts only after the caller has executed it.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_REFINE_CHECK_H
#define PANPIPE_TV_REFINE_CHECK_H

#include "panpipe/TV/Encode/Picks.h"
#include "panpipe/TV/Term/Scalar.h"
#include "panpipe/TV/Verdict.h"

#include "mlir/IR/Location.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>
#include <string>
#include <vector>

namespace panpipe::tv {

struct CheckOptions {
  /// Wall-clock budget.
  double seconds = 60;
  /// Width of `index`.
  unsigned indexWidth = 64;
  /// Floating-point assumptions the caller allows: "nsz", "contract",
  /// "reassoc", "finite", "real". A proof that needs others is ProvedUnder.
  std::vector<std::string> allowed;
  /// Whether terms tell the picks of set-valued operations apart; Off is for
  /// proofs under the assumptions of Choices.h.
  PickTable::Mode picks = PickTable::Mode::Off;
  /// An execution already tells the two apart, so that only an assumption can
  /// save the pair: the plain attempt gets little of the time.
  bool refuted = false;
  /// Not empty: every solver query is written into this folder.
  std::string dumpFolder;
};

/// A partial input suggested by a model: what it does not mention is free.
struct Candidate {
  struct Element {
    unsigned argument;
    std::vector<int64_t> index; ///< empty for a scalar
    ScalarValue value;
  };
  std::vector<Element> elements;
  /// Sizes of dynamic dimensions: (argument, dimension, size).
  struct Size {
    unsigned argument, dimension;
    int64_t size;
  };
  std::vector<Size> sizes;
};

struct CheckResult {
  enum class Kind : uint8_t {
    Proved,      ///< needs only allowed assumptions, listed
    ProvedUnder, ///< needs assumptions that are not allowed
    Unproved, ///< the abstraction has a counterexample, or no proof was found
    Timeout,
    Unsupported, ///< `reason` names the operation, `where` is its place
    BadInput     ///< a side is no program (a pipeline that deadlocks)
  };
  Kind kind = Kind::Unproved;
  std::string reason;
  std::optional<mlir::Location> where;
  /// Proved vacuously: the source is undefined for every input.
  bool sourceAlwaysUndefined = false;
  std::vector<Assumption> assumptions;
  std::vector<Candidate> candidates;
  ProofStats stats;
};

/// Both functions (func.func, pipe.stage, pipe.pipeline) have bodies and equal
/// types, and live in modules of one context.
CheckResult checkRefinement(mlir::FunctionOpInterface source,
                            mlir::FunctionOpInterface target,
                            const CheckOptions &options);

} // namespace panpipe::tv

#endif // PANPIPE_TV_REFINE_CHECK_H
