//===- Executor.cpp - Device programs on threads --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include <chrono>
#include <cstring>

using namespace panpipe::rt;

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

//===----------------------------------------------------------------------===//
// BlockPool
//===----------------------------------------------------------------------===//

std::shared_ptr<uint8_t> BlockPool::take(size_t bytes) {
  AlignedBytes block;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = free.find(bytes);
    if (found != free.end()) {
      block = std::move(found->second);
      free.erase(found);
    }
  }
  if (!block.data())
    block = AlignedBytes(bytes ? bytes : 1);
  uint8_t *pointer = block.data();
  auto held = std::make_shared<AlignedBytes>(std::move(block));
  std::shared_ptr<BlockPool> self = shared_from_this();
  return std::shared_ptr<uint8_t>(pointer, [self, held, bytes](uint8_t *) {
    std::lock_guard<std::mutex> lock(self->mutex);
    self->free.emplace(bytes, std::move(*held));
  });
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

void Channels::send(const Key &key, Value value) {
  std::lock_guard<std::mutex> lock(mutex);
  queues[key].push_back(std::move(value));
  changed.notify_all();
}

/// Every device that still runs waits for an empty channel.
bool Channels::stuck() const {
  if (waiting.size() != running || running == 0)
    return false;
  for (const Key &key : waiting) {
    auto queue = queues.find(key);
    if (queue != queues.end() && !queue->second.empty())
      return false;
  }
  return true;
}

void Channels::failLocked(Status status) {
  if (state.ok())
    state = std::move(status);
  changed.notify_all();
}

static Status deadlock(const Channels::Key &key) {
  return Status::error(
      "deadlock: device " + std::to_string(std::get<1>(key)) +
      " waits for a value from device " + std::to_string(std::get<0>(key)) +
      " (tag " + std::to_string(std::get<2>(key)) + ") that nobody will send");
}

bool Channels::receive(const Key &key, Value &value) {
  std::unique_lock<std::mutex> lock(mutex);
  std::deque<Value> &queue = queues[key];
  if (queue.empty()) {
    waiting.push_back(key);
    if (stuck())
      failLocked(deadlock(key));
    changed.wait(lock, [&] { return !state.ok() || !queue.empty(); });
    for (size_t i = 0; i != waiting.size(); ++i)
      if (waiting[i] == key) {
        waiting.erase(waiting.begin() + i);
        break;
      }
  }
  if (!state.ok())
    return false;
  value = std::move(queue.front());
  queue.pop_front();
  return true;
}

void Channels::fail(Status status) {
  std::lock_guard<std::mutex> lock(mutex);
  failLocked(std::move(status));
}

void Channels::finish() {
  std::lock_guard<std::mutex> lock(mutex);
  --running;
  if (state.ok() && stuck())
    failLocked(deadlock(waiting.front()));
}

Status Channels::status() {
  std::lock_guard<std::mutex> lock(mutex);
  return state;
}

//===----------------------------------------------------------------------===//
// Worker
//===----------------------------------------------------------------------===//

Worker::Worker() : thread([this] { loop(); }) {}

Worker::~Worker() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    changed.notify_all();
  }
  thread.join();
}

void Worker::start(std::function<void()> next) {
  std::lock_guard<std::mutex> lock(mutex);
  job = std::move(next);
  busy = true;
  changed.notify_all();
}

void Worker::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return !busy; });
}

void Worker::loop() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return busy || stopping; });
    if (!busy)
      return;
    std::function<void()> current = std::move(job);
    lock.unlock();
    current();
    current = nullptr;
    lock.lock();
    busy = false;
    changed.notify_all();
  }
}

//===----------------------------------------------------------------------===//
// DeviceRun
//===----------------------------------------------------------------------===//

const TensorInfo &DeviceRun::info(int32_t operand) const {
  return operand >= 0 ? device->program->values[operand]
                      : program->inputs[-1 - operand];
}

Value DeviceRun::get(int32_t operand) const {
  if (operand >= 0)
    return values[operand];
  Value value;
  value.data = static_cast<const uint8_t *>((*inputs)[-1 - operand]);
  value.bytes = info(operand).bytes();
  return value;
}

Status DeviceRun::runStage(const Instruction &inst) {
  LoadedStage &stage = *device->stages.at(inst.index);
  std::vector<Value> operands;
  std::vector<const uint8_t *> arguments;
  std::vector<uint8_t *> results;
  for (int32_t operand : inst.operands) {
    operands.push_back(get(operand));
    arguments.push_back(operands.back().data);
  }
  for (uint32_t result : inst.results) {
    Value value;
    value.bytes = device->program->values[result].bytes();
    value.owner = pool->take(value.bytes);
    value.data = value.owner.get();
    results.push_back(value.owner.get());
    values[result] = std::move(value);
  }
  double start = now();
  Status status = stage.run(arguments, results, device->arena.data());
  StageReport &report = device->reports[inst.index];
  report.seconds += now() - start;
  ++report.runs;
  std::string prefix = "stage " + stage.stage().name;
  if (inst.microbatch >= 0)
    prefix += ", microbatch " + std::to_string(inst.microbatch);
  return status.withPrefix(prefix + ": ");
}

/// Elements before `dim`, and bytes of one step of everything behind it.
static void around(const TensorInfo &info, int64_t dim, int64_t &outer,
                   int64_t &inner) {
  outer = 1;
  inner = static_cast<int64_t>(byteSize(info.dtype));
  for (size_t i = 0; i != info.shape.size(); ++i) {
    if (static_cast<int64_t>(i) < dim)
      outer *= info.shape[i];
    else if (static_cast<int64_t>(i) > dim)
      inner *= info.shape[i];
  }
}

void DeviceRun::split(const Instruction &inst) {
  Value source = get(inst.operands[0]);
  int64_t outer, inner, offset = 0;
  const TensorInfo &whole = info(inst.operands[0]);
  around(whole, inst.dim, outer, inner);
  int64_t stride = whole.shape[inst.dim] * inner;
  for (size_t i = 0; i != inst.results.size(); ++i) {
    int64_t length = inst.sizes[i] * inner;
    Value &piece = values[inst.results[i]];
    piece = source;
    piece.bytes = static_cast<uint64_t>(outer * length);
    if (outer == 1) { // a view: nothing moves
      piece.data = source.data + offset;
    } else {
      piece.owner = pool->take(piece.bytes);
      piece.data = piece.owner.get();
      for (int64_t o = 0; o != outer; ++o)
        std::memcpy(piece.owner.get() + o * length,
                    source.data + o * stride + offset, length);
    }
    offset += length;
  }
}

void DeviceRun::concat(const Instruction &inst) {
  const TensorInfo &whole = device->program->values[inst.results[0]];
  int64_t outer, inner, offset = 0;
  around(whole, inst.dim, outer, inner);
  int64_t stride = whole.shape[inst.dim] * inner;
  Value result;
  result.bytes = whole.bytes();
  result.owner = pool->take(result.bytes);
  result.data = result.owner.get();
  for (int32_t operand : inst.operands) {
    Value piece = get(operand);
    int64_t length = info(operand).shape[inst.dim] * inner;
    for (int64_t o = 0; o != outer; ++o)
      std::memcpy(result.owner.get() + o * stride + offset,
                  piece.data + o * length, length);
    offset += length;
  }
  values[inst.results[0]] = std::move(result);
}

Status DeviceRun::step(const Instruction &inst, bool &stop) {
  uint32_t self = device->program->device;
  switch (inst.op) {
  case Opcode::Recv: {
    Value &value = values[inst.results[0]];
    stop = !channels->receive({inst.peer, self, inst.tag}, value);
    if (!stop &&
        value.bytes != device->program->values[inst.results[0]].bytes())
      return Status::error("a value received from device " +
                           std::to_string(inst.peer) + " has the wrong size");
    return Status::success();
  }
  case Opcode::Send:
    channels->send({self, inst.peer, inst.tag}, get(inst.operands[0]));
    return Status::success();
  case Opcode::Run:
    return runStage(inst);
  case Opcode::Free:
    if (inst.operands[0] >= 0)
      values[inst.operands[0]] = Value();
    return Status::success();
  case Opcode::Split:
    split(inst);
    return Status::success();
  case Opcode::Concat:
    concat(inst);
    return Status::success();
  case Opcode::Deliver: {
    Value value = get(inst.operands[0]);
    std::memcpy((*outputs)[inst.index], value.data, value.bytes);
    return Status::success();
  }
  }
  return Status::error("unknown instruction");
}

void DeviceRun::execute() {
  values.assign(device->program->values.size(), Value());
  bool stop = false;
  for (const Instruction &inst : device->program->code) {
    // A value that never came would be a null pointer in a kernel.
    for (int32_t operand : inst.operands)
      if (inst.op != Opcode::Free && !get(operand).data &&
          get(operand).bytes == 0 && info(operand).bytes() != 0) {
        channels->fail(Status::error("device " +
                                     std::to_string(device->program->device) +
                                     " uses a value that it does not have"));
        stop = true;
      }
    if (stop)
      break;
    Status status = step(inst, stop);
    if (!status.ok()) {
      channels->fail(std::move(status));
      stop = true;
    }
    if (stop)
      break;
  }
  values.clear();
  channels->finish();
}
