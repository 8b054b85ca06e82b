//===- LoadedStage.h - A stage with its kernels and memory ---- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_RUNTIME_CPU_LOADEDSTAGE_H
#define PANPIPE_LIB_RUNTIME_CPU_LOADEDSTAGE_H

#include "Kernel.h"

#include <memory>

namespace panpipe::rt {

/// What a stage reads besides its arguments.
struct StageEnvironment {
  const Program *program = nullptr;
  const std::vector<const uint8_t *> *parameters = nullptr;
  const CodeObject *code = nullptr;
  unsigned threads = 1;
};

class LoadedStage {
public:
  /// Makes every kernel of the stage and runs those that depend on weights
  /// only. To be called on the thread that will run the stage.
  static Result<std::unique_ptr<LoadedStage>>
  load(const Stage &stage, const StageEnvironment &environment);

  const Stage &stage() const { return *source; }
  /// Packed weights and values computed at load.
  size_t weightBytes() const;

  /// Runs all kernels. `arena` has at least `stage().arenaBytes`.
  Status run(const std::vector<const uint8_t *> &arguments,
             const std::vector<uint8_t *> &results, uint8_t *arena);

  /// Seconds per call of the stage, summed over runs; only kept while
  /// `profile`.
  bool profile = false;
  std::vector<double> callSeconds;

private:
  const Stage *source = nullptr;
  StageEnvironment environment;
  AlignedBytes persistent;
  std::vector<std::unique_ptr<Kernel>> kernels; // null: ran at load
  std::vector<void *> pointers;                 // of the slots

  Status makeKernel(size_t index);
  void *fixedPointer(const Slot &slot);
};

} // namespace panpipe::rt

#endif // PANPIPE_LIB_RUNTIME_CPU_LOADEDSTAGE_H
