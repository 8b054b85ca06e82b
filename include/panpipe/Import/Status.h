//===- Status.h - Success or a message to the user --------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The error type of the readers. It knows nothing of MLIR or LLVM, so that the
/// readers can be fuzzed alone and used by the runtime.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_IMPORT_STATUS_H
#define PANPIPE_IMPORT_STATUS_H

#include <string>
#include <utility>

namespace panpipe::import {

/// Success, or one message that says what is wrong, what was expected, and what
/// the user can do.
class [[nodiscard]] Status {
public:
  static Status success() { return Status(); }
  static Status error(std::string message) {
    Status status;
    status.isError = true;
    status.text = std::move(message);
    return status;
  }

  bool failed() const { return isError; }
  bool succeeded() const { return !isError; }
  /// Empty on success.
  const std::string &message() const { return text; }

private:
  bool isError = false;
  std::string text;
};

} // namespace panpipe::import

#endif // PANPIPE_IMPORT_STATUS_H
