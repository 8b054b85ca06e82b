//===- Strips.h - Structured operations, many points at once ----*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Private to lib/TV/Interp. Points that write different elements are
/// independent: a strip of them goes through each instruction of the payload
/// together, while the loops of a reduction run in their order around it. So
/// every element sees the same operations in the same order as in the run point
/// by point, and the results are equal bit for bit and mark for mark.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_STRIPS_H
#define PANPIPE_LIB_TV_INTERP_STRIPS_H

#include "Payload.h"

namespace panpipe::tv::interp {

/// Computes `count` lanes: (target, operands, count).
using StripKernel = void (*)(char *, const char *const *, unsigned);

/// A kernel on lanes of the host format (4 bytes for f32, 8 for f64) that
/// agrees with lookupFast's function for `op`; null if there is none.
StripKernel lookupStripKernel(const ScalarMapping &mapping, ScalarType type);

class Strips {
public:
  /// position = base + Σ steps·loop.
  struct Operand {
    const ConcreteValue *value;
    int64_t base;
    llvm::ArrayRef<int64_t> steps;
  };

  /// Nothing if an instruction must run point by point: it can be undefined, or
  /// reads a tensor. Arguments from number `numInputs` on are accumulators.
  static std::optional<Strips> prepare(Executor &e, Payload &payload,
                                       unsigned numInputs);

  /// `parallel`: the loops that number the elements of every output. Operands
  /// of the outputs come last. False if the outcome is set.
  bool run(mlir::Operation *op, llvm::ArrayRef<int64_t> extents,
           llvm::ArrayRef<unsigned> parallel, llvm::ArrayRef<Operand> operands,
           llvm::MutableArrayRef<ConcreteValue> outputs);

private:
  static constexpr unsigned kLanes = 512;

  /// A slot of the payload, once per point of the strip.
  struct Column {
    std::unique_ptr<char[]> lanes;
    std::vector<uint8_t> marks;
    bool isNarrow = false; ///< f32: 4 bytes a lane, otherwise 8
    bool isMarked = false;
    uint64_t word(unsigned i) const;
    void setWord(unsigned i, uint64_t word);
  };
  /// Where an operand's elements of a strip are, at the first reduction point.
  struct Gather {
    bool isUsed = false, isReduced = false;
    bool isContiguous = false, isUniform = false;
    std::vector<int64_t> offsets;
  };

  Strips(Executor &e, Payload &payload) : e(e), payload(payload) {}
  Column makeColumn(ScalarType type) const;
  void locate(llvm::ArrayRef<Operand> operands, uint64_t first);
  void load(unsigned slot, const Operand &operand, int64_t shift);
  void loadIndices(llvm::ArrayRef<int64_t> reduction);
  bool runStrip(llvm::ArrayRef<Operand> operands);
  bool runInstructions();
  bool runMarked(const Payload::Instruction &instruction);
  void keepResults();
  void store(llvm::ArrayRef<Operand> operands,
             llvm::MutableArrayRef<ConcreteValue> outputs);

  Executor &e;
  Payload &payload;
  unsigned numInputs = 0;
  std::vector<Column> columns;      ///< by slot
  std::vector<StripKernel> kernels; ///< by instruction
  std::vector<bool> isTarget;       ///< by slot
  std::vector<Gather> gathers;      ///< by operand

  /// Of the current run.
  llvm::ArrayRef<int64_t> extents;
  llvm::SmallVector<unsigned> parallel, reduced;
  /// Of the current strip: its length, and the parallel loops at each lane.
  unsigned lanes = 0;
  std::vector<std::vector<int64_t>> loopAt;
  uint64_t slowLanes = 0;
};

} // namespace panpipe::tv::interp

#endif // PANPIPE_LIB_TV_INTERP_STRIPS_H
