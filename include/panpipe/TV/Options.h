//===- Options.h - Options a user may have got wrong ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_OPTIONS_H
#define PANPIPE_TV_OPTIONS_H

#include <string>

namespace panpipe::tv {

struct Options;

/// What is wrong with options that came from a command line, or an empty text.
/// `validate` itself takes what it is given: an assumption it does not know is
/// never made, and a budget below zero is used up at once.
std::string explainBadOptions(const Options &options);

} // namespace panpipe::tv

#endif // PANPIPE_TV_OPTIONS_H
