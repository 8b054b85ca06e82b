//===- AccessLog.h - Accesses of parallel iterations ------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV/Interp. Iterations of a parallel loop run one after the
/// other; two that access one byte, one of them writing, are in conflict,
/// unless both accesses are atomic.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_ACCESSLOG_H
#define PANPIPE_LIB_TV_INTERP_ACCESSLOG_H

#include "panpipe/TV/Interp/Memory.h"

#include "llvm/ADT/DenseMap.h"

namespace panpipe::tv::interp {

enum class AccessKind : uint8_t { Read, Write, Atomic };

/// The log of one parallel loop; loops nest.
class AccessLog {
public:
  explicit AccessLog(AccessLog *outer) : outer(outer) {}

  void beginIteration() { ++iteration; }
  /// False if the access conflicts with one of another iteration, of this loop
  /// or of one around it.
  bool note(const MemoryBlock *block, int64_t byte, AccessKind kind) {
    Cell &cell = cells[{block, byte}];
    auto isOther = [&](int64_t by) { return by != none && by != iteration; };
    bool clean = !isOther(cell.writer);
    if (kind == AccessKind::Write)
      clean &= !isOther(cell.reader) && !cell.isReadByMany;
    if (kind != AccessKind::Atomic)
      clean &= !isOther(cell.atomic) && !cell.isAtomicByMany;
    else
      clean &= !isOther(cell.reader) && !cell.isReadByMany;
    switch (kind) {
    case AccessKind::Read:
      cell.isReadByMany |= isOther(cell.reader);
      cell.reader = iteration;
      break;
    case AccessKind::Write:
      cell.writer = iteration;
      break;
    case AccessKind::Atomic:
      cell.isAtomicByMany |= isOther(cell.atomic);
      cell.atomic = iteration;
      break;
    }
    return clean && (!outer || outer->note(block, byte, kind));
  }

private:
  static constexpr int64_t none = -1;
  struct Cell {
    int64_t writer = none, reader = none, atomic = none;
    bool isReadByMany = false, isAtomicByMany = false;
  };
  AccessLog *outer;
  int64_t iteration = none;
  llvm::DenseMap<std::pair<const MemoryBlock *, int64_t>, Cell> cells;
};

} // namespace panpipe::tv::interp

#endif // PANPIPE_LIB_TV_INTERP_ACCESSLOG_H
