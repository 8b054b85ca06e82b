//===- Child.h - Killable child processes -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_SMT_CHILD_H
#define PANPIPE_LIB_TV_SMT_CHILD_H

#include <functional>
#include <string>

namespace panpipe::tv::smt {

struct ChildResult {
  std::string output;
  bool timedOut = false;
  bool failed = false; ///< could not be started
};

/// Forks, runs `body(fd)` in a process group of its own with `memoryMegabytes`
/// of address space (0: no limit), and collects what it writes to `fd`. The
/// whole group is killed after `seconds`. `body` must not return to the
/// caller's code: the child exits behind it.
ChildResult runChild(const std::function<void(int fd)> &body, double seconds,
                     unsigned memoryMegabytes);

} // namespace panpipe::tv::smt

#endif // PANPIPE_LIB_TV_SMT_CHILD_H
