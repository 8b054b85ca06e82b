//===- CodeObject.h - Native code of an executable ------------ -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_RUNTIME_CPU_CODEOBJECT_H
#define PANPIPE_LIB_RUNTIME_CPU_CODEOBJECT_H

#include "panpipe/Runtime/Status.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace panpipe::rt {

/// A compiled kernel: reads the pointers of its operands from `operands`, and
/// does the share of thread `thread` of `threads`, which wait for each other in
/// `barrier`.
using CompiledFunction = void (*)(void *const *operands, size_t thread,
                                  size_t threads, void (*barrier)());

/// A shared object loaded from memory. Movable, not copyable.
class CodeObject {
public:
  CodeObject() = default;
  ~CodeObject();
  CodeObject(CodeObject &&other) noexcept { *this = std::move(other); }
  CodeObject &operator=(CodeObject &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }

  /// No bytes give an object without functions.
  static Result<CodeObject> load(const std::vector<uint8_t> &bytes);
  /// Null when there is no such function.
  CompiledFunction find(const std::string &symbol) const;

private:
  void *handle = nullptr;
};

} // namespace panpipe::rt

#endif // PANPIPE_LIB_RUNTIME_CPU_CODEOBJECT_H
