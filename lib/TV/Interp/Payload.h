//===- Payload.h - Bodies of structured operations, flattened ---*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV/Interp. The body of a linalg operation, tensor.generate or
/// tensor.pad runs once per element: it is flattened into a list of scalar
/// instructions on numbered slots first. Bodies with wide types or operations
/// that have no instruction are run as ordinary blocks instead.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_PAYLOAD_H
#define PANPIPE_LIB_TV_INTERP_PAYLOAD_H

#include "Executor.h"
#include "ScalarFast.h"

namespace panpipe::tv::interp {

class Payload {
public:
  struct Slot {
    uint64_t word = 0;
    uint8_t marks = EM_none;
  };

  /// Flattens `block`; nothing if it needs the slow way. Values from outside
  /// the block are read from the executor's frame now.
  static std::optional<Payload> compile(Executor &e, mlir::Block &block);

  /// Slots of the block's arguments come first; set them, then run.
  Slot &argument(unsigned i) { return slots[i]; }
  bool run(Executor &e, llvm::ArrayRef<int64_t> loopIndex);
  const Slot &result(unsigned i) const { return slots[results[i]]; }

private:
  friend class Strips;
  struct Instruction {
    enum Kind : uint8_t { Scalar, LoopIndex, Extract } kind;
    mlir::Operation *op;
    ScalarMapping mapping;
    ScalarType type;
    llvm::SmallVector<unsigned, 3> operands;
    llvm::SmallVector<ScalarType, 3> types;
    FastFunction fast = nullptr;
    unsigned target = 0;
    int64_t dim = 0;           ///< LoopIndex
    ValuePtr tensor = nullptr; ///< Extract
  };

  bool add(Executor &e, mlir::Operation *op);
  bool addExtract(Executor &e, mlir::Operation *op);
  std::optional<unsigned> slotOf(Executor &e, mlir::Value value);
  bool runScalar(Executor &e, const Instruction &instruction);
  bool runExtract(Executor &e, const Instruction &instruction);

  std::vector<Slot> slots;
  std::vector<ScalarType> slotTypes;
  std::vector<Instruction> instructions;
  llvm::SmallVector<unsigned> results;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
};

/// Runs `block` once per call, by its Payload if it has one. Arguments and
/// results are elements of the given types.
class Body {
public:
  Body(Executor &e, mlir::Block &block);
  bool isFast() const { return payload.has_value(); }
  Payload &fast() { return *payload; }
  /// The slow way.
  bool run(llvm::ArrayRef<ConcreteValue> arguments,
           llvm::ArrayRef<int64_t> loopIndex,
           llvm::SmallVectorImpl<ConcreteElement> &results);

private:
  Executor &e;
  mlir::Block &block;
  std::optional<Payload> payload;
};

} // namespace panpipe::tv::interp

#endif // PANPIPE_LIB_TV_INTERP_PAYLOAD_H
