//===- CInterface.cpp - C interface of the runtime ------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/panpipe_runtime.h"

#include "panpipe/Runtime/Executable.h"

using namespace panpipe::rt;

struct panpipe_executable {
  std::unique_ptr<Executable> net;
};

static std::string &lastError() {
  static thread_local std::string message;
  return message;
}

static int finish(const Status &status) {
  lastError() = status.message();
  return status.ok() ? 0 : 1;
}

static const TensorInfo &infoOf(const panpipe_executable *executable, int which,
                                size_t index) {
  return which == 0 ? executable->net->inputs()[index]
                    : executable->net->outputs()[index];
}

int panpipe_load(const char *path, const char *weights, unsigned threads,
                 panpipe_executable **executable) {
  LoadOptions options;
  if (weights)
    options.weights = weights;
  options.threadsPerDevice = threads ? threads : 1;
  Result<std::unique_ptr<Executable>> net = Executable::load(path, options);
  *executable = nullptr;
  if (net.ok())
    *executable = new panpipe_executable{std::move(*net)};
  return finish(net.status());
}

void panpipe_free(panpipe_executable *executable) { delete executable; }

size_t panpipe_tensor_count(const panpipe_executable *executable, int which) {
  return which == 0 ? executable->net->inputs().size()
                    : executable->net->outputs().size();
}

const char *panpipe_tensor_name(const panpipe_executable *executable, int which,
                                size_t index) {
  return infoOf(executable, which, index).name.c_str();
}

const char *panpipe_tensor_dtype(const panpipe_executable *executable,
                                 int which, size_t index) {
  return nameOf(infoOf(executable, which, index).dtype);
}

size_t panpipe_tensor_rank(const panpipe_executable *executable, int which,
                           size_t index) {
  return infoOf(executable, which, index).shape.size();
}

const int64_t *panpipe_tensor_shape(const panpipe_executable *executable,
                                    int which, size_t index) {
  return infoOf(executable, which, index).shape.data();
}

size_t panpipe_tensor_bytes(const panpipe_executable *executable, int which,
                            size_t index) {
  return infoOf(executable, which, index).bytes();
}

int panpipe_run(panpipe_executable *executable, const void *const *inputs,
                void *const *outputs) {
  std::vector<const void *> in(inputs,
                               inputs + executable->net->inputs().size());
  std::vector<void *> out(outputs, outputs + executable->net->outputs().size());
  return finish(executable->net->run(in, out));
}

const char *panpipe_last_error(void) { return lastError().c_str(); }
