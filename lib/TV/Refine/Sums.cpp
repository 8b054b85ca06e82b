//===- Sums.cpp - Sum normal form -----------------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComparerImpl.h"

using namespace panpipe::tv;

bool Comparer::Impl::bySums(const IndexContext &, const Term *, const Term *,
                            unsigned) {
  return false;
}
