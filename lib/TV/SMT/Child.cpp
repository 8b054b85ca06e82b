//===- Child.cpp - Killable child processes -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Child.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace panpipe::tv::smt {

/// The child's side: a group of its own, limits, then `body`.
static void childMain(const std::function<void(int)> &body, int fd,
                      unsigned memoryMegabytes, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1); // the parent died before the line above
  if (memoryMegabytes) {
    rlim_t bytes = rlim_t(memoryMegabytes) << 20;
    rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  body(fd);
  _exit(0);
}

ChildResult runChild(const std::function<void(int)> &body, double seconds,
                     unsigned memoryMegabytes) {
  using Clock = std::chrono::steady_clock;
  ChildResult result;
  int fds[2];
  if (pipe(fds) != 0) {
    result.failed = true;
    return result;
  }
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) {
    close(fds[0]);
    close(fds[1]);
    result.failed = true;
    return result;
  }
  if (child == 0) {
    close(fds[0]);
    childMain(body, fds[1], memoryMegabytes, parent);
  }
  close(fds[1]);
  setpgid(child, child); // both sides set it: no race with the kill below
  auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds));
  char buffer[4096];
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                    deadline - Clock::now())
                    .count();
    pollfd p{fds[0], POLLIN, 0};
    int ready = left > 0 ? poll(&p, 1, int(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0) {
      result.timedOut = true;
      break;
    }
    ssize_t n = read(fds[0], buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    result.output.append(buffer, n);
  }
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  close(fds[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
  return result;
}

} // namespace panpipe::tv::smt
