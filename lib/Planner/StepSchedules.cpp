//===- StepSchedules.cpp - Schedules of the literature --------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/StepSchedules.h"

#include <algorithm>

using namespace panpipe::planner;

using List = std::vector<Instruction>;

static Schedule makeEmpty(unsigned devices, unsigned microbatches) {
  Schedule schedule;
  schedule.microbatches = microbatches;
  schedule.order.resize(devices);
  return schedule;
}

std::vector<unsigned> panpipe::planner::loopedPlacement(unsigned devices,
                                                        unsigned chunks) {
  std::vector<unsigned> result;
  for (unsigned stage = 0; stage < devices * chunks; ++stage)
    result.push_back(stage % devices);
  return result;
}

std::vector<unsigned> panpipe::planner::vPlacement(unsigned devices) {
  std::vector<unsigned> result;
  for (unsigned stage = 0; stage < 2 * devices; ++stage)
    result.push_back(stage < devices ? stage : 2 * devices - 1 - stage);
  return result;
}

Schedule panpipe::planner::scheduleGPipe(unsigned devices,
                                         unsigned microbatches) {
  Schedule schedule = makeEmpty(devices, microbatches);
  for (unsigned stage = 0; stage < devices; ++stage)
    for (Phase phase : {Phase::Forward, Phase::Backward})
      for (unsigned mb = 0; mb < microbatches; ++mb)
        schedule.order[stage].push_back({stage, mb, phase});
  return schedule;
}

Schedule panpipe::planner::scheduleOneFOneB(unsigned devices,
                                            unsigned microbatches) {
  Schedule schedule = makeEmpty(devices, microbatches);
  for (unsigned stage = 0; stage < devices; ++stage) {
    List &list = schedule.order[stage];
    unsigned next = std::min(devices - 1 - stage, microbatches);
    for (unsigned mb = 0; mb < next; ++mb)
      list.push_back({stage, mb, Phase::Forward});
    for (unsigned mb = 0; mb < microbatches; ++mb) {
      if (next < microbatches)
        list.push_back({stage, next++, Phase::Forward});
      list.push_back({stage, mb, Phase::Backward});
    }
  }
  return schedule;
}

std::optional<Schedule>
panpipe::planner::scheduleInterleaved(unsigned devices, unsigned microbatches,
                                      unsigned chunks) {
  if (microbatches % devices != 0)
    return std::nullopt;
  Schedule schedule = makeEmpty(devices, microbatches);
  unsigned total = microbatches * chunks, group = devices * chunks;
  for (unsigned device = 0; device < devices; ++device) {
    List &list = schedule.order[device];
    // The index-th run of a device: groups of p microbatches, chunk by chunk.
    auto add = [&](unsigned index, Phase phase) {
      unsigned chunk = index % group / devices;
      if (phase == Phase::Backward)
        chunk = chunks - 1 - chunk;
      list.push_back({device + devices * chunk,
                      index / group * devices + index % devices, phase});
    };
    unsigned next =
        std::min((devices - device - 1) * 2 + (chunks - 1) * devices, total);
    for (unsigned index = 0; index < next; ++index)
      add(index, Phase::Forward);
    for (unsigned index = 0; index < total; ++index) {
      if (next < total)
        add(next++, Phase::Forward);
      add(index, Phase::Backward);
    }
  }
  return schedule;
}

Schedule panpipe::planner::scheduleZeroBubbleH1(unsigned devices,
                                                unsigned microbatches) {
  Schedule schedule = makeEmpty(devices, microbatches);
  for (unsigned stage = 0; stage < devices; ++stage) {
    List &list = schedule.order[stage];
    unsigned depth = devices - 1 - stage;
    unsigned next = std::min(depth, microbatches), weight = 0;
    for (unsigned mb = 0; mb < next; ++mb)
      list.push_back({stage, mb, Phase::Forward});
    for (unsigned mb = 0; mb < microbatches; ++mb) {
      if (next < microbatches)
        list.push_back({stage, next++, Phase::Forward});
      list.push_back({stage, mb, Phase::Backward});
      // Late by `stage` microbatches; in the cool-down, as many as there are.
      bool isCoolDown = next >= microbatches && mb + depth >= microbatches;
      if (mb >= stage || isCoolDown)
        list.push_back({stage, weight++, Phase::Weight});
    }
    while (weight < microbatches)
      list.push_back({stage, weight++, Phase::Weight});
  }
  return schedule;
}

namespace {
/// The order of one device of the V: counts what each chunk did. Runs of
/// microbatches that do not exist are left out.
class VDevice {
public:
  VDevice(unsigned devices, unsigned device, unsigned microbatches, List &list)
      : devices(devices), device(device), microbatches(microbatches),
        padded(std::max(microbatches, 2 * devices - 1)), list(list) {}

  void run() {
    unsigned depth = devices - device;
    for (unsigned i = 0; i < 2 * depth - 1; ++i)
      add(0, Phase::Forward);
    for (unsigned i = 0; i < device; ++i) {
      add(1, Phase::Forward);
      add(0, Phase::Forward);
    }
    for (unsigned i = 0; i < depth; ++i) {
      add(1, Phase::Forward);
      addBackward(1);
    }
    while (count(1, Phase::Forward) < count(0, Phase::Forward) ||
           count(0, Phase::Forward) < padded) {
      if (count(0, Phase::Forward) < padded)
        add(0, Phase::Forward);
      addBackward(0);
      add(1, Phase::Forward);
      addBackward(1);
    }
    coolDown(depth);
  }

private:
  unsigned &count(unsigned chunk, Phase phase) {
    return counts[chunk][static_cast<unsigned>(phase)];
  }
  void add(unsigned chunk, Phase phase) {
    unsigned mb = count(chunk, phase)++;
    if (mb < microbatches)
      list.push_back(
          {chunk == 0 ? device : 2 * devices - 1 - device, mb, phase});
  }
  void addBackward(unsigned chunk) {
    add(chunk, Phase::Backward);
    add(chunk, Phase::Weight);
  }
  void coolDown(unsigned depth) {
    for (unsigned i = 0; i < device; ++i) {
      add(0, Phase::Backward);
      add(1, Phase::Backward);
    }
    for (unsigned i = 0; i < depth; ++i)
      addBackward(0);
    for (unsigned chunk : {1u, 0u})
      while (count(chunk, Phase::Weight) < count(chunk, Phase::Backward))
        add(chunk, Phase::Weight);
  }

  unsigned devices, device, microbatches, padded;
  List &list;
  unsigned counts[2][3] = {};
};
} // namespace

Schedule panpipe::planner::scheduleZeroBubbleV(unsigned devices,
                                               unsigned microbatches) {
  Schedule schedule = makeEmpty(devices, microbatches);
  for (unsigned device = 0; device < devices; ++device)
    VDevice(devices, device, microbatches, schedule.order[device]).run();
  return schedule;
}
