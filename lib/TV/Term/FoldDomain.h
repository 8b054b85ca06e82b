//===- FoldDomain.h - Normal form of fold domains ---------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Internal to lib/TV/Term and lib/TV/Refine: rewriting the domain of a fold
/// without changing the order of its points (validation-tensors 4.2).
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_TERM_FOLDDOMAIN_H
#define PANPIPE_LIB_TV_TERM_FOLDDOMAIN_H

#include "panpipe/TV/Term/Closure.h"

namespace panpipe::tv {

/// Closes a fold as it stands (4.3).
const Term *closeFold(TermContext &terms, const IndexContext &context,
                      const FoldSpec &spec, const Term *body, const Term *init);

/// Brings a fold into normal form, rule by rule, until nothing applies.
class FoldNormalizer {
public:
  FoldNormalizer(TermContext &terms, const IndexContext &context, FoldSpec spec)
      : terms(terms), context(context), spec(std::move(spec)) {}

  const Term *run(const Term *body, const Term *init);

private:
  TermContext &terms;
  IndexContext context;
  FoldSpec spec;
};

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_TERM_FOLDDOMAIN_H
