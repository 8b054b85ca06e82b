//===- Memory.h - Memory of concrete execution ------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks of bytes, each byte with the marks of the element it is part of, and
/// views of them: what a memref holds while a function is executed. Two memrefs
/// alias if their views are of one block.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_INTERP_MEMORY_H
#define PANPIPE_TV_INTERP_MEMORY_H

#include "panpipe/TV/Interp/ConcreteValue.h"

namespace panpipe::tv {

/// Bytes from one element of `type` to the next: a power of two.
unsigned bytesOf(ScalarType type);

/// One allocation.
class MemoryBlock {
public:
  enum class Kind : uint8_t {
    Argument, ///< of the caller
    Global,
    Heap,   ///< memref.alloc and the like
    Stack,  ///< memref.alloca
    Foreign ///< made by a function without a body
  };

  /// `count` elements of `type`, all zero.
  MemoryBlock(Kind kind, ScalarType type, int64_t count)
      : kind(kind), type(type), bytes(count * bytesOf(type), 0),
        marks(bytes.size(), EM_none) {}

  int64_t size() const { return bytes.size(); }
  /// The same as `other` in the bytes that both have, from byte `at` of this.
  void copyFrom(const MemoryBlock &other, int64_t at);
  /// The element of `type` whose first byte is number `at`; its marks are those
  /// of all its bytes together. The caller checks the bounds.
  ConcreteElement load(int64_t at, ScalarType type) const;
  void store(int64_t at, ScalarType type, const ConcreteElement &element);

  Kind kind;
  /// What it was made to hold: how it is printed and compared.
  ScalarType type;
  bool isAlive = true;
  bool isReadOnly = false;
  /// "%arg0", "@weights"; empty for blocks made during the run.
  std::string name;

private:
  std::vector<uint8_t> bytes, marks;
};

using BlockPtr = std::shared_ptr<MemoryBlock>;

/// What a memref holds besides its sizes. The element at index i is
/// at byte origin + (offset + Σ i·stride) · bytesOf(type) of the block. The
/// origin is the aligned pointer of the descriptor: layouts do not see it.
struct MemoryView {
  BlockPtr block;
  int64_t origin = 0;
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 4> strides;
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_INTERP_MEMORY_H
