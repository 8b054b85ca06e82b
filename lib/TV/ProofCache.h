//===- ProofCache.h - Proofs kept between runs ------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV. Only proofs are kept: no timeout, no failure, no proof
/// under assumptions that were not allowed (with more time it might need none).
/// The key is a hash of both functions with all they refer to, the options, and
/// the validator's own sources, so that a proof is never older than the
/// encodings it rests on. An entry is one file, made whole by a rename; what
/// does not match its own checksum counts as absent.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_PROOFCACHE_H
#define PANPIPE_LIB_TV_PROOFCACHE_H

#include "panpipe/TV/Refine/Check.h"

#include <optional>
#include <string>

namespace panpipe::tv {

class ProofCache {
public:
  /// `folder` is made when the first proof is kept; empty: no cache.
  ProofCache(std::string folder, mlir::FunctionOpInterface source,
             mlir::FunctionOpInterface target, const CheckOptions &options);

  /// The proof of an earlier run.
  std::optional<CheckResult> lookup() const;
  /// Keeps `result` if it is a proof; a folder that cannot be written to is no
  /// error.
  void store(const CheckResult &result) const;

private:
  std::string folder, key;
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_PROOFCACHE_H
