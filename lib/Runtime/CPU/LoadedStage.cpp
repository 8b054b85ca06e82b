//===- LoadedStage.cpp - A stage with its kernels and memory --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadedStage.h"

#include <ctime>

using namespace panpipe::rt;

/// CPU time of this thread: what other programs do does not count.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + time.tv_nsec * 1e-9;
}

static std::string callName(const KernelCall &call) {
  return call.location.empty() ? call.symbol : call.location;
}

/// Where a slot's bytes are when that does not change from run to run.
void *LoadedStage::fixedPointer(const Slot &slot) {
  const uint8_t *pointer = nullptr;
  switch (slot.place) {
  case Place::Parameter:
    pointer = (*environment.parameters)[slot.index] + slot.offset;
    break;
  case Place::Constant:
    pointer = environment.program->constants.data() + slot.offset;
    break;
  case Place::Persistent:
    pointer = persistent.data() + slot.offset;
    break;
  default:
    break;
  }
  return const_cast<uint8_t *>(pointer);
}

Status LoadedStage::makeKernel(size_t index) {
  const KernelCall &call = source->calls[index];
  KernelContext context;
  context.code = environment.code;
  context.threads = environment.threads;
  std::vector<void *> operands;
  for (size_t i = 0; i != call.operands.size(); ++i) {
    const Slot &slot = source->slots[call.operands[i]];
    if (call.kind != KernelKind::Compiled && call.kind != KernelKind::Copy &&
        slot.bytes != expectedBytes(call, i))
      return Status::error("operand " + std::to_string(i) + " has " +
                           std::to_string(slot.bytes) + " bytes instead of " +
                           std::to_string(expectedBytes(call, i)));
    operands.push_back(pointers[call.operands[i]]);
    context.constants.push_back(i < call.inputs ? operands.back() : nullptr);
    if (call.atLoad && !operands.back() && slot.bytes)
      return Status::error("it is not computable when loading");
  }
  Result<std::unique_ptr<Kernel>> kernel = createKernel(call, context);
  if (!kernel.ok())
    return kernel.status();
  if (call.atLoad)
    return (*kernel)->run(operands.data());
  kernels[index] = std::move(*kernel);
  return Status::success();
}

Result<std::unique_ptr<LoadedStage>>
LoadedStage::load(const Stage &stage, const StageEnvironment &environment) {
  auto loaded = std::make_unique<LoadedStage>();
  loaded->source = &stage;
  loaded->environment = environment;
  loaded->persistent = AlignedBytes(stage.persistentBytes);
  loaded->kernels.resize(stage.calls.size());
  loaded->callSeconds.assign(stage.calls.size(), 0);
  for (const Slot &slot : stage.slots)
    loaded->pointers.push_back(loaded->fixedPointer(slot));
  for (size_t i = 0; i != stage.calls.size(); ++i) {
    Status status = loaded->makeKernel(i);
    if (!status.ok())
      return status.withPrefix("stage " + stage.name + ", " +
                               callName(stage.calls[i]) + ": ");
  }
  return loaded;
}

size_t LoadedStage::weightBytes() const {
  size_t bytes = persistent.size();
  for (const std::unique_ptr<Kernel> &kernel : kernels)
    if (kernel)
      bytes += kernel->bytes();
  return bytes;
}

Status LoadedStage::run(const std::vector<const uint8_t *> &arguments,
                        const std::vector<uint8_t *> &results, uint8_t *arena) {
  for (size_t i = 0; i != pointers.size(); ++i) {
    const Slot &slot = source->slots[i];
    if (slot.place == Place::Argument)
      pointers[i] = const_cast<uint8_t *>(arguments[slot.index]) + slot.offset;
    else if (slot.place == Place::Result)
      pointers[i] = results[slot.index] + slot.offset;
    else if (slot.place == Place::Arena)
      pointers[i] = arena + slot.offset;
  }
  std::vector<void *> operands;
  for (size_t i = 0; i != kernels.size(); ++i) {
    if (!kernels[i])
      continue;
    operands.clear();
    for (uint32_t operand : source->calls[i].operands)
      operands.push_back(pointers[operand]);
    double start = profile ? now() : 0;
    Status status = kernels[i]->run(operands.data());
    if (!status.ok())
      return status.withPrefix(callName(source->calls[i]) + ": ");
    if (profile)
      callSeconds[i] += now() - start;
  }
  return Status::success();
}
