//===- Memory.h - Memory as terms -------------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Memory is a list of blocks that do not overlap. A block is a tensor that
/// changes: its contents are one element at its own indices, and a store makes
/// a new one. Memrefs are views into blocks (SymValue.h). docs/TV/Memory.md
/// says what is assumed of arguments.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_MEMORY_H
#define PANPIPE_TV_ENCODE_MEMORY_H

#include "panpipe/TV/Encode/SymValue.h"

#include <string>
#include <vector>

namespace panpipe::tv {

/// What of a block never changes.
struct MemBlock {
  enum class Kind : uint8_t {
    Argument, ///< observable at the end
    Global,   ///< observable at the end
    Constant, ///< a global that nobody may write
    Frozen,   ///< a tensor as a buffer
    Heap,     ///< made by the function; may be freed
    Stack     ///< made by the function
  };
  Kind kind = Kind::Heap;
  std::string name; ///< for messages; identity of globals
  ScalarType type = ScalarType::boolean();
  IndexList shape;
  /// Contents on entry, of blocks that exist then.
  Element initial;

  bool isObservable() const {
    return kind == Kind::Argument || kind == Kind::Global;
  }
};

/// What of a block changes.
struct MemState {
  Element contents; ///< at the block's own indices; null: not made on this path
  const Term *dead = nullptr; ///< it was freed
};

/// The memory at one point of one path, by number of the block.
using Memory = std::vector<MemState>;

/// The view of a whole block.
MemView wholeView(TermContext &terms, unsigned block,
                  llvm::ArrayRef<IndexTerm> shape);

/// Views of a view, as the operations of the same names make them. `context`
/// holds where the view is made. Null if the view has no closed form.
std::optional<MemView> subView(TermContext &terms, const MemView &source,
                               llvm::ArrayRef<IndexTerm> offsets,
                               llvm::ArrayRef<IndexTerm> sizes,
                               llvm::ArrayRef<IndexTerm> strides,
                               llvm::ArrayRef<bool> dropped,
                               llvm::ArrayRef<IndexTerm> blockShape);
MemView transposedView(TermContext &terms, const MemView &source,
                       llvm::ArrayRef<int64_t> permutation);
MemView collapsedView(TermContext &terms, const MemView &source,
                      Reassociation groups);
std::optional<MemView> expandedView(TermContext &terms, const MemView &source,
                                    Reassociation groups,
                                    llvm::ArrayRef<IndexTerm> shape,
                                    llvm::ArrayRef<IndexTerm> blockShape);

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_MEMORY_H
