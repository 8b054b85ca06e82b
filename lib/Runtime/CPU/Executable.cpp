//===- Executable.cpp - Loading and running a compiled model --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Runtime/Executable.h"

#include "CodeObject.h"
#include "CpuFeatures.h"
#include "Executor.h"
#include "panpipe/Runtime/Files.h"

#include <chrono>
#include <cstring>
#include <set>

using namespace panpipe::rt;

extern "C" void omp_set_num_threads(int);

struct Executable::Impl {
  Program program;
  CodeObject code;
  MappedFile archive;
  std::vector<AlignedBytes> copies;
  std::vector<const uint8_t *> parameters;
  std::shared_ptr<BlockPool> pool = std::make_shared<BlockPool>();
  std::vector<std::unique_ptr<Device>> devices;

  Status open(const std::string &path, const LoadOptions &options);
  Status loadDevice(Device &device, unsigned threads);
};

Status Executable::Impl::open(const std::string &path,
                              const LoadOptions &options) {
  Result<ExecutableFile> file = readExecutableFile(path);
  if (!file.ok())
    return file.status();
  std::string prefix = "cannot load " + path + ": ";
  program = std::move(file->program);
  Status status = checkCpuFeatures(program.cpuFeatures, program.cpuName);
  if (!status.ok())
    return status.withPrefix(prefix);
  Result<CodeObject> object = CodeObject::load(file->code);
  if (!object.ok())
    return object.status().withPrefix(prefix);
  code = std::move(*object);
  if (!program.parameters.empty()) {
    Result<MappedFile> mapped =
        openArchive(program.archive, path, options.weights);
    if (!mapped.ok())
      return mapped.status().withPrefix(prefix);
    archive = std::move(*mapped);
    Result<std::vector<const uint8_t *>> pointers =
        mapParameters(program.parameters, archive, copies);
    if (!pointers.ok())
      return pointers.status().withPrefix(prefix);
    parameters = std::move(*pointers);
  }
  // Every device loads its own stages, on its own thread, all at once.
  std::vector<Status> states(program.devices.size());
  for (const DeviceProgram &deviceProgram : program.devices) {
    devices.push_back(std::make_unique<Device>());
    devices.back()->program = &deviceProgram;
  }
  for (size_t i = 0; i != devices.size(); ++i)
    devices[i]->worker.start([this, i, &states, &options] {
      states[i] = loadDevice(*devices[i], options.threadsPerDevice);
    });
  for (const std::unique_ptr<Device> &device : devices)
    device->worker.wait();
  for (const Status &state : states)
    if (!state.ok())
      return state.withPrefix(prefix);
  return Status::success();
}

Status Executable::Impl::loadDevice(Device &device, unsigned threads) {
  omp_set_num_threads(static_cast<int>(threads)); // of this thread only
  StageEnvironment environment;
  environment.program = &program;
  environment.parameters = &parameters;
  environment.code = &code;
  environment.threads = threads;
  size_t arena = 0;
  for (const Instruction &inst : device.program->code) {
    if (inst.op != Opcode::Run || device.stages.count(inst.index))
      continue;
    const Stage &stage = program.stages[inst.index];
    Result<std::unique_ptr<LoadedStage>> loaded =
        LoadedStage::load(stage, environment);
    if (!loaded.ok())
      return loaded.status();
    arena = std::max<size_t>(arena, stage.arenaBytes);
    StageReport &report = device.reports[inst.index];
    report.name = stage.name;
    report.device = device.program->device;
    report.arenaBytes = stage.arenaBytes;
    report.weightBytes = (*loaded)->weightBytes();
    device.stages[inst.index] = std::move(*loaded);
  }
  // Touched once here, so that the first run meets no fresh pages.
  device.arena = AlignedBytes(arena);
  if (arena)
    std::memset(device.arena.data(), 0, arena);
  return Status::success();
}

Executable::Executable(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Executable::~Executable() = default;

Result<std::unique_ptr<Executable>>
Executable::load(const std::string &path, const LoadOptions &options) {
  auto impl = std::make_unique<Impl>();
  Status status = impl->open(path, options);
  if (!status.ok())
    return status;
  return std::make_unique<Executable>(std::move(impl));
}

const std::vector<TensorInfo> &Executable::inputs() const {
  return impl->program.inputs;
}
const std::vector<TensorInfo> &Executable::outputs() const {
  return impl->program.outputs;
}

static void fillReport(const std::vector<std::unique_ptr<Device>> &devices,
                       RunReport &report) {
  for (const std::unique_ptr<Device> &device : devices)
    for (auto &[index, stage] : device->stages) {
      report.stages.push_back(device->reports[index]);
      const Stage &source = stage->stage();
      for (size_t i = 0; report.profile && i != source.calls.size(); ++i) {
        if (source.calls[i].atLoad)
          continue;
        KernelReport kernel;
        kernel.stage = source.name;
        kernel.kernel = source.calls[i].symbol;
        kernel.location = source.calls[i].location;
        kernel.calls = device->reports[index].runs;
        kernel.seconds = stage->callSeconds[i];
        report.kernels.push_back(std::move(kernel));
      }
    }
}

Status Executable::run(const std::vector<const void *> &inputs,
                       const std::vector<void *> &outputs, RunReport *report) {
  const Program &program = impl->program;
  if (inputs.size() != program.inputs.size() ||
      outputs.size() != program.outputs.size())
    return Status::error(
        "the model has " + std::to_string(program.inputs.size()) +
        " inputs and " + std::to_string(program.outputs.size()) +
        " outputs, but the call gives " + std::to_string(inputs.size()) +
        " and " + std::to_string(outputs.size()));
  auto start = std::chrono::steady_clock::now();
  Channels channels(impl->devices.size());
  std::vector<DeviceRun> runs(impl->devices.size());
  for (size_t i = 0; i != runs.size(); ++i) {
    Device &device = *impl->devices[i];
    for (auto &[index, state] : device.reports) {
      state.seconds = 0;
      state.runs = 0;
    }
    for (auto &[index, stage] : device.stages) {
      stage->profile = report && report->profile;
      stage->callSeconds.assign(stage->callSeconds.size(), 0);
    }
    runs[i].program = &program;
    runs[i].device = &device;
    runs[i].channels = &channels;
    runs[i].pool = impl->pool.get();
    runs[i].inputs = &inputs;
    runs[i].outputs = &outputs;
    device.worker.start([&run = runs[i]] { run.execute(); });
  }
  for (const std::unique_ptr<Device> &device : impl->devices)
    device->worker.wait();
  if (report) {
    report->seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    report->stages.clear();
    report->kernels.clear();
    fillReport(impl->devices, *report);
  }
  return channels.status();
}

Result<std::vector<HostTensor>>
Executable::run(const std::vector<HostTensor> &given, RunReport *report) {
  std::vector<const void *> in;
  std::vector<void *> out;
  std::vector<HostTensor> results;
  for (size_t i = 0; i != given.size() && i != inputs().size(); ++i) {
    const TensorInfo &want = inputs()[i], &have = given[i].info;
    if (have.dtype != want.dtype || have.shape != want.shape)
      return Status::error("input " + want.name + " must be " +
                           want.typeString() + ", but the given one is " +
                           have.typeString());
  }
  for (const HostTensor &tensor : given)
    in.push_back(tensor.storage.data());
  for (const TensorInfo &info : outputs())
    results.emplace_back(info);
  for (HostTensor &tensor : results)
    out.push_back(tensor.storage.data());
  Status status = run(in, out, report);
  if (!status.ok())
    return status;
  return results;
}

static std::string megabytes(uint64_t bytes) {
  return std::to_string(bytes / 1048576) + "." +
         std::to_string(bytes % 1048576 * 10 / 1048576) + " MiB";
}

std::string Executable::describe() const {
  const Program &p = impl->program;
  std::string text = "model " + p.name + ", compiled for " + p.cpuName + "\n";
  for (const TensorInfo &info : p.inputs)
    text += "  input " + info.name + ": " + info.typeString() + "\n";
  for (const TensorInfo &info : p.outputs)
    text += "  output " + info.name + ": " + info.typeString() + "\n";
  uint64_t weights = 0;
  for (const Parameter &parameter : p.parameters)
    weights += parameter.info.bytes();
  text += "  weights: " + std::to_string(p.parameters.size()) + " tensors, " +
          megabytes(weights) + ", in " + p.archive.path + "\n";
  for (const Stage &stage : p.stages) {
    size_t compiled = 0, atLoad = 0;
    for (const KernelCall &call : stage.calls) {
      compiled += call.kind == KernelKind::Compiled;
      atLoad += call.atLoad;
    }
    text += "  stage " + stage.name + " on device " +
            std::to_string(stage.device) + ": " +
            std::to_string(stage.calls.size() - compiled) +
            " library kernels, " + std::to_string(compiled) +
            " compiled kernels, " + std::to_string(atLoad) +
            " run when loading, arena " + megabytes(stage.arenaBytes) + "\n";
  }
  for (const std::string &assumption : p.assumptions)
    text += "  assumes: " + assumption + "\n";
  return text;
}
