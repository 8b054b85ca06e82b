//===- ScalarTheory.cpp - The whole slice in the FP theory -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarObligation.h"

namespace panpipe::tv {

bool climbTheory(const std::string &, const ScalarObligation &, LadderTools &,
                 LadderResult &) {
  return false;
}

} // namespace panpipe::tv
