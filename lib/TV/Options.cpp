//===- Options.cpp - Options a user may have got wrong --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Options.h"

#include "panpipe/TV/Validate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <iterator>

using namespace panpipe::tv;

/// All kinds of assumptions a report may name, so that what one run printed can
/// be allowed in the next one.
static constexpr llvm::StringRef kinds[] = {
    "nsz",     "contract",   "reassoc",       "finite",         "real",
    "choices", "nan-bits",   "bounded-trips", "parallel-order", "library",
    "noalias", "index-width"};

std::string panpipe::tv::explainBadOptions(const Options &options) {
  // Also false for NaN.
  if (!(options.seconds > 0))
    return "the timeout must be a positive number of seconds";
  if (options.indexWidth < 1 || options.indexWidth > 64)
    return "the width of index must be 1 to 64 bits, not " +
           std::to_string(options.indexWidth);
  for (const std::string &name : options.allow)
    if (!llvm::is_contained(kinds, llvm::StringRef(name)))
      return "there is no assumption '" + name + "' to allow; there are: " +
             llvm::join(std::begin(kinds), std::end(kinds), ", ");
  return "";
}
