//===- Executor.h - Device programs on threads ---------------- -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One thread per device for the life of the executable, and the channels
/// between them. Waiting blocks; nothing spins.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_RUNTIME_CPU_EXECUTOR_H
#define PANPIPE_LIB_RUNTIME_CPU_EXECUTOR_H

#include "LoadedStage.h"
#include "panpipe/Runtime/Executable.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

namespace panpipe::rt {

/// A value of a run: bytes, and what keeps them alive (null for host memory).
struct Value {
  const uint8_t *data = nullptr;
  std::shared_ptr<uint8_t> owner;
  uint64_t bytes = 0;
};

/// Memory for values that cross instructions, reused from run to run.
class BlockPool : public std::enable_shared_from_this<BlockPool> {
public:
  std::shared_ptr<uint8_t> take(size_t bytes);

private:
  std::mutex mutex;
  std::multimap<size_t, AlignedBytes> free;
};

/// The channels of one run: first in, first out per (source, destination, tag).
class Channels {
public:
  using Key = std::tuple<uint32_t, uint32_t, int64_t>;
  explicit Channels(size_t devices) : running(devices) {}

  void send(const Key &key, Value value);
  /// False when the run has failed; a receive that nobody can serve fails it.
  bool receive(const Key &key, Value &value);
  /// Ends the run with an error; the first one counts.
  void fail(Status status);
  /// A device has reached the end of its program.
  void finish();
  Status status();

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::map<Key, std::deque<Value>> queues;
  std::vector<Key> waiting;
  size_t running;
  Status state;

  bool stuck() const;
  void failLocked(Status status);
};

/// A thread that runs one job at a time.
class Worker {
public:
  Worker();
  ~Worker();
  void start(std::function<void()> job);
  void wait();

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> job;
  bool busy = false, stopping = false;
  std::thread thread;

  void loop();
};

/// What one device owns.
struct Device {
  const DeviceProgram *program = nullptr;
  std::map<uint32_t, std::unique_ptr<LoadedStage>> stages; // by number
  std::map<uint32_t, StageReport> reports;
  AlignedBytes arena;
  Worker worker; // last: its thread ends before the rest is destroyed
};

/// One run of one device's program; errors go to `channels`.
struct DeviceRun {
  const Program *program = nullptr;
  Device *device = nullptr;
  Channels *channels = nullptr;
  BlockPool *pool = nullptr;
  const std::vector<const void *> *inputs = nullptr;
  const std::vector<void *> *outputs = nullptr;

  void execute();

private:
  std::vector<Value> values;

  Value get(int32_t operand) const;
  const TensorInfo &info(int32_t operand) const;
  Status step(const Instruction &inst, bool &stop);
  Status runStage(const Instruction &inst);
  void split(const Instruction &inst);
  void concat(const Instruction &inst);
};

} // namespace panpipe::rt

#endif // PANPIPE_LIB_RUNTIME_CPU_EXECUTOR_H
