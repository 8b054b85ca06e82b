//===- Verdict.cpp - What the validator says ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Verdict.h"

using namespace panpipe::tv;

llvm::StringRef panpipe::tv::toString(VerdictKind kind) {
  switch (kind) {
  case VerdictKind::Valid:
    return "VALID";
  case VerdictKind::Invalid:
    return "INVALID";
  case VerdictKind::Unconfirmed:
    return "UNCONFIRMED";
  case VerdictKind::Timeout:
    return "TIMEOUT";
  case VerdictKind::Unsupported:
    return "UNSUPPORTED";
  case VerdictKind::BadInput:
    return "BAD-INPUT";
  case VerdictKind::ValidUnder:
    return "VALID-UNDER";
  }
  return "";
}

/// Place in the order INVALID, bad input, UNCONFIRMED, …, VALID.
static unsigned badness(VerdictKind kind) {
  static constexpr unsigned table[] = {
      /*Valid=*/0,       /*Invalid=*/6,
      /*Unconfirmed=*/4, /*Timeout=*/3,
      /*Unsupported=*/2, /*BadInput=*/5,
      /*ValidUnder=*/1};
  return table[static_cast<unsigned>(kind)];
}

VerdictKind panpipe::tv::worse(VerdictKind a, VerdictKind b) {
  return badness(a) >= badness(b) ? a : b;
}

VerdictKind Report::verdict() const {
  if (functions.empty())
    return VerdictKind::BadInput;
  VerdictKind worst = VerdictKind::Valid;
  for (const FunctionReport &report : functions)
    worst = worse(worst, report.verdict);
  return worst;
}
