//===- FoldDomain.cpp - Normal form of fold domains -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Order-preserving rules on domains, each with its argument.
///
//===----------------------------------------------------------------------===//

#include "FoldDomain.h"

using namespace panpipe::tv;

const Term *FoldNormalizer::run(const Term *body, const Term *init) {
  return closeFold(terms, context, spec, body, init);
}
