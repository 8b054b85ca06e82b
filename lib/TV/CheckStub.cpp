//===- CheckStub.cpp - Stands in for the prover where it is not built -----===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Refine/Check.h"

using namespace panpipe::tv;

CheckResult panpipe::tv::checkRefinement(mlir::FunctionOpInterface source,
                                         mlir::FunctionOpInterface target,
                                         const CheckOptions &options) {
  CheckResult result;
  result.kind = CheckResult::Kind::Unsupported;
  result.reason = "this build has no prover";
  return result;
}
