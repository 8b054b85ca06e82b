//===- Verdict.h - What the validator says ----------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Verdicts, their order and exit codes, and the report of one function pair.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_VERDICT_H
#define PANPIPE_TV_VERDICT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace panpipe::tv {

/// The seven verdicts; the values are the exit codes of panpipe-tv.
enum class VerdictKind : uint8_t {
  Valid = 0,       ///< proved
  Invalid = 1,     ///< refuted by an input executed on both sides
  Unconfirmed = 2, ///< the abstraction has a counterexample, no execution does
  Timeout = 3,     ///< budget spent
  Unsupported = 4, ///< an operation, type or shape without encoding
  BadInput = 5,    ///< does not parse, or functions cannot be paired
  ValidUnder = 6   ///< proved, but only under assumptions not allowed by caller
};

/// "VALID", "INVALID", …, "VALID-UNDER".
llvm::StringRef toString(VerdictKind kind);
/// The worse of two in the order INVALID, bad input, UNCONFIRMED, TIMEOUT,
/// UNSUPPORTED, VALID-UNDER, VALID.
VerdictKind worse(VerdictKind a, VerdictKind b);

/// INVALID or bad input: not the same program any more.
inline bool isBroken(VerdictKind kind) {
  return kind == VerdictKind::Invalid || kind == VerdictKind::BadInput;
}

/// An assumption a proof used, e.g. {"reassoc", "sum at conv3, 4 terms"}.
struct Assumption {
  /// nsz, contract, reassoc, finite, real, noalias, library, index-width, …
  std::string kind;
  /// Where and how: the operation's location and what was assumed of it.
  std::string detail;
};

/// How the obligations of a function were discharged.
struct ProofStats {
  uint64_t nodes = 0;         ///< distinct terms of both sides
  uint64_t obligations = 0;   ///< result elements, bounds and definedness
  uint64_t congruence = 0;    ///< settled by equal terms
  uint64_t cells = 0;         ///< settled by case split and linear arithmetic
  uint64_t sums = 0;          ///< settled by the sum normal form
  uint64_t abstractFloat = 0; ///< settled by an abstract solver query
  uint64_t exactFloat = 0;    ///< settled by exact operations or exhaustion
  uint64_t queries = 0;       ///< solver queries of any kind
  uint64_t cached = 0;        ///< proved in an earlier run (--proof-cache)
  double seconds = 0;         ///< wall time
};

/// An executed counterexample.
struct Counterexample {
  struct Input {
    std::string name;  ///< "%arg0", or the tensor's own name
    std::string type;  ///< MLIR type
    std::string value; ///< printed value
  };
  std::vector<Input> inputs;
  /// Values after each operation up to the first difference, as printed lines.
  std::vector<std::string> sourceTrace, targetTrace;
  /// "result #0 at [1, 2]: source 0.5, target 0.25".
  std::string difference;
  /// A self-contained module with the inputs as constants, replayable.
  std::string reproducer;
};

/// The report of one pair of functions.
struct FunctionReport {
  std::string function;
  VerdictKind verdict = VerdictKind::Unsupported;
  /// The sentence behind the verdict: what failed, where.
  std::string reason;
  /// Location of the operation the reason is about, if any.
  std::string location;
  bool sourceAlwaysUndefined = false; ///< VALID, but vacuously
  std::vector<Assumption> assumptions;
  std::optional<Counterexample> counterexample;
  ProofStats stats;
};

/// The report of a pair of modules.
struct Report {
  std::vector<FunctionReport> functions;
  VerdictKind verdict() const; ///< worst of all; BadInput when empty
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_VERDICT_H
