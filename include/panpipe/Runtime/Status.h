//===- Status.h - Success or an error message -------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one error type of the runtime. A message names the user's thing (file,
/// tensor, stage), says what was expected, and where possible what to do.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_STATUS_H
#define PANPIPE_RUNTIME_STATUS_H

#include <cassert>
#include <string>
#include <utility>

namespace panpipe::rt {

/// Success, or an error with a message.
class [[nodiscard]] Status {
public:
  Status() = default;
  static Status success() { return Status(); }
  static Status error(std::string message) {
    Status status;
    status.failed = true;
    status.text = std::move(message);
    return status;
  }

  bool ok() const { return !failed; }
  /// Empty on success.
  const std::string &message() const { return text; }
  /// The same error with `prefix` in front of the message.
  Status withPrefix(const std::string &prefix) const {
    return failed ? error(prefix + text) : *this;
  }

private:
  bool failed = false;
  std::string text;
};

/// A value, or the error that prevented it.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status error) : state(std::move(error)) {
    assert(!state.ok() && "a Result without value needs an error");
  }

  bool ok() const { return state.ok(); }
  const Status &status() const { return state; }
  const std::string &message() const { return state.message(); }
  T &operator*() {
    assert(ok() && "no value");
    return held;
  }
  const T &operator*() const {
    assert(ok() && "no value");
    return held;
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

private:
  Status state;
  T held{};
};

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_STATUS_H
