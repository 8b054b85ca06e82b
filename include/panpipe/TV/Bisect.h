//===- Bisect.h - Finding the step that broke a program ---------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the pass of a pipeline, and the pattern inside a pass, behind which
/// the program is no longer what it was. Verdicts are asked of the validator;
/// only INVALID counts as broken.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_BISECT_H
#define PANPIPE_TV_BISECT_H

#include "panpipe/TV/Steps.h"
#include "panpipe/TV/Validate.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace panpipe::tv {

/// The smallest `n` in (good, bad] with `isBroken(n)`, given that `bad` is
/// broken and `good` is not; asks about log2(bad - good) times. Where breaking
/// is not monotonous, some `n` that is broken while `n - 1` is not.
size_t bisect(size_t good, size_t bad,
              llvm::function_ref<bool(size_t)> isBroken);

/// The first application of a rewrite pattern behind which a pass has broken
/// the program.
struct BrokenRewrite {
  size_t number = 0;    ///< of the application, from 1
  size_t total = 0;     ///< applications that the pass tried
  std::string pattern;  ///< the pattern's name; empty: none is to blame, the
                        ///< pass broke the program without its patterns
  std::string location; ///< of the operation it was applied to
  std::string root;     ///< that operation's name
};

/// Runs `step` on copies of `module`, in a context of their own, with the
/// patterns stopped after some number of applications. Nothing if the result
/// of the whole step is not INVALID there.
std::optional<BrokenRewrite> bisectRewrites(mlir::ModuleOp module,
                                            const PipelineStep &step,
                                            const Options &options);

} // namespace panpipe::tv

#endif // PANPIPE_TV_BISECT_H
