//===- CandidateInputs.h - From models to inputs ----------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_REFINE_CANDIDATEINPUTS_H
#define PANPIPE_LIB_TV_REFINE_CANDIDATEINPUTS_H

#include "panpipe/TV/Refine/Check.h"
#include "panpipe/TV/Refine/ScalarLadder.h"

namespace panpipe::tv {

struct SharedEncoding;

/// Translates the leaves of a scalar model into elements of the arguments.
/// Reads at symbolic indices are placed at a few points each, one candidate a
/// point.
void addCandidates(const SharedEncoding &shared,
                   llvm::ArrayRef<LadderInput> model,
                   std::vector<Candidate> &candidates);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_REFINE_CANDIDATEINPUTS_H
