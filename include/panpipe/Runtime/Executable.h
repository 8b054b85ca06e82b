//===- Executable.h - Loading and running a compiled model ------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The C++ face of the runtime:
///
///     auto net = rt::Executable::load("net.panpipe");
///     if (!net.ok()) … net.message() …
///     rt::HostTensor x((*net)->inputs()[0]), y((*net)->outputs()[0]);
///     … fill x.as<float>() …
///     rt::Status status = (*net)->run({x.as<float>()}, {y.as<float>()});
///
/// Loading maps the weights, packs what kernels want packed, and starts one
/// thread per device. Running is deterministic: equal inputs give equal bits,
/// however many stages and microbatches the program has.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_RUNTIME_EXECUTABLE_H
#define PANPIPE_RUNTIME_EXECUTABLE_H

#include "panpipe/Runtime/Status.h"
#include "panpipe/Runtime/Tensor.h"

#include <memory>
#include <string>
#include <vector>

namespace panpipe::rt {

struct LoadOptions {
  /// Weights archive to use instead of the one that the executable names. It
  /// must be the same archive (size and checksum are compared).
  std::string weights;
  /// Threads that each device may use inside one kernel.
  unsigned threadsPerDevice = 1;
};

/// Time and memory of one stage over all its microbatches of one run.
struct StageReport {
  std::string name;
  unsigned device = 0;
  unsigned runs = 0;
  double seconds = 0;
  size_t arenaBytes = 0;
  size_t weightBytes = 0;
};

/// CPU time of one kernel call on the device's thread, summed over the
/// microbatches of one run.
struct KernelReport {
  std::string stage;
  std::string kernel;
  std::string location; // the user's module path, may be empty
  unsigned calls = 0;
  double seconds = 0;
};

/// What happened in a run. Times but those of kernels are wall-clock seconds.
struct RunReport {
  double seconds = 0;
  std::vector<StageReport> stages;
  /// Filled when `profile` was set before the run.
  std::vector<KernelReport> kernels;
  bool profile = false;
};

/// A loaded model. Not copyable. `run` may be called again and again, by one
/// thread at a time.
class Executable {
public:
  /// Reads and checks the file (magic, version, checksum, CPU features, weights
  /// archive) and makes it ready to run.
  static Result<std::unique_ptr<Executable>>
  load(const std::string &path, const LoadOptions &options = {});
  ~Executable();

  /// In the model's order.
  const std::vector<TensorInfo> &inputs() const;
  const std::vector<TensorInfo> &outputs() const;

  /// Runs the model once. `inputs[i]` and `outputs[i]` point to dense row-major
  /// memory of `inputs()[i].bytes()` and `outputs()[i].bytes()`; the caller
  /// keeps ownership. On an error, the message names stage, microbatch and
  /// cause, and the outputs are unspecified.
  Status run(const std::vector<const void *> &inputs,
             const std::vector<void *> &outputs, RunReport *report = nullptr);

  /// The same with owned tensors; names, element types and shapes are checked.
  Result<std::vector<HostTensor>> run(const std::vector<HostTensor> &inputs,
                                      RunReport *report = nullptr);

  /// Some lines about the file for people: devices, stages, kernels, weights,
  /// assumptions made when compiling.
  std::string describe() const;

  struct Impl;
  explicit Executable(std::unique_ptr<Impl> impl);

private:
  std::unique_ptr<Impl> impl;
};

} // namespace panpipe::rt

#endif // PANPIPE_RUNTIME_EXECUTABLE_H
