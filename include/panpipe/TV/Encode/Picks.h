//===- Picks.h - Which execution picks its result ---------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A flagged operation, maxnumf, and, where bits of NaNs are read, all float
/// arithmetic denote sets of results. A pick belongs to an execution, so equal
/// operands do not make equal results: the terms of such operations carry the
/// name of the operation that picks (ScalarAttrs::pick).
///
/// Names are given so that a proof by equal terms is a proof that the source
/// copies: every operation of the target has a name of its own, and an
/// operation of the source gets the name of the operation of the target whose
/// picks it copies. Any function from the source's operations to the target's
/// is sound (picks of the source are a permission); which one is a guess, so
/// that programs that do the same keep equal terms. Encode the target first.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_ENCODE_PICKS_H
#define PANPIPE_TV_ENCODE_PICKS_H

#include "panpipe/TV/Term/Term.h"

#include "llvm/ADT/SmallVector.h"

#include <map>
#include <tuple>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace panpipe::tv {

class PickTable {
public:
  enum class Mode : uint8_t {
    Off,   ///< no names: equal operands are taken to make equal picks
    Flags, ///< operations whose results are sets
    Bits   ///< all float arithmetic as well: bits of NaNs are read
  };
  Mode mode = Mode::Off;
  /// Which side is being encoded.
  bool target = true;

  /// The name for one operation, executed in block execution number
  /// `instance`; 0 if its result is no set.
  uint32_t name(mlir::Operation *op, unsigned instance, ScalarOp scalarOp,
                const ScalarAttrs &attrs, ScalarType type,
                llvm::ArrayRef<Element> operands);

  /// How many names there are.
  uint32_t count() const { return next; }

  struct Site {
    mlir::Operation *op;
    uint32_t pick;
  };
  /// Operations of the source, with the names they got.
  std::vector<Site> sources;
  /// Operations of the target whose term does not tell its iteration: their
  /// executions share a name, which is not modelled.
  std::vector<mlir::Operation *> merged;
  /// An operation of the source that got several names.
  std::vector<mlir::Operation *> split;

private:
  using Key = std::tuple<mlir::Operation *, unsigned, uint64_t>;
  std::map<Key, uint32_t> known;
  std::map<uint64_t, llvm::SmallVector<uint32_t, 2>> targets;
  std::map<uint64_t, unsigned> used;
  uint32_t next = 0;
};

} // namespace panpipe::tv

#endif // PANPIPE_TV_ENCODE_PICKS_H
