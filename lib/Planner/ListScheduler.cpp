//===- ListScheduler.cpp - List schedules of a step -----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/ListScheduler.h"

#include <algorithm>
#include <limits>

using namespace panpipe::planner;

static constexpr double never = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Setting up
//===----------------------------------------------------------------------===//

void ListScheduler::prepare(const StepGraph &g, const ListPolicy &p) {
  graph = &g;
  policy = &p;
  unsigned stages = g.stages(), devices = g.devices;
  size_t count = static_cast<size_t>(stages) * g.microbatches;
  slots.clear();
  firstSlot.assign(devices + 1, 0);
  runsLeft.assign(g.microbatches, 0);
  for (unsigned device = 0; device < devices; ++device) {
    for (unsigned stage = 0; stage < stages; ++stage) {
      if (g.stageDevice[stage] != device)
        continue;
      auto add = [&](Phase phase, double duration, int64_t bytes) {
        auto index = static_cast<size_t>(phase);
        slots.push_back(
            {stage, 0, phase, p.offset[index][stage], duration, bytes});
      };
      add(Phase::Forward, g.forward[stage],
          g.hasBackward[stage] ? g.saved[stage] : 0);
      if (g.hasBackward[stage])
        add(Phase::Backward, g.backward[stage], g.again[stage]);
      if (g.weight[stage] > 0)
        add(Phase::Weight, g.weight[stage], 0);
    }
    firstSlot[device + 1] = slots.size();
  }
  for (unsigned &left : runsLeft)
    left = slots.size();
  for (int phase = 0; phase < 3; ++phase) {
    ready[phase].assign(count, 0);
    missing[phase].resize(count);
    for (unsigned stage = 0; stage < stages; ++stage) {
      unsigned operands = phase == 0   ? g.activationsIn[stage].size()
                          : phase == 1 ? g.gradientsIn[stage].size() + 1
                                       : 1;
      std::fill_n(missing[phase].begin() + at(stage, 0), g.microbatches,
                  operands);
    }
  }
  free.assign(devices, 0);
  workLeft.assign(devices, 0);
  for (unsigned device = 0; device < devices; ++device)
    for (unsigned i = firstSlot[device]; i < firstSlot[device + 1]; ++i)
      workLeft[device] += slots[i].duration * g.microbatches;
  estimate.assign(devices, never);
  linkFree.assign(static_cast<size_t>(devices) * devices, 0);
  isDirty.assign(devices, 1);
  isBlocked.assign(devices, 0);
  inFlight.assign(devices, 0);
  clock = makespan = 0;
}

/// What one microbatch needs at most on each device when it is alone and runs
/// W right after B: an older microbatch must always be able to get that.
void ListScheduler::computeClaims() {
  const StepGraph &g = *graph;
  std::vector<int64_t> now(g.devices, 0);
  auto claim = [&](unsigned device, int64_t bytes) {
    now[device] += bytes;
    memory[device].claim = std::max(memory[device].claim, now[device]);
  };
  auto exchange = [&](Phase phase, unsigned stage) {
    for (const auto &message : g.out(phase)[stage])
      if (message.isRemote)
        claim(g.stageDevice[message.stage], message.bytes);
    for (const auto &message : g.in(phase)[stage])
      if (message.isRemote)
        now[g.stageDevice[stage]] -= message.bytes;
  };
  for (unsigned stage = 0; stage < g.stages(); ++stage) {
    if (g.hasBackward[stage])
      claim(g.stageDevice[stage], g.saved[stage]);
    exchange(Phase::Forward, stage);
  }
  for (unsigned stage = g.stages(); stage-- > 0;) {
    if (!g.hasBackward[stage])
      continue;
    unsigned device = g.stageDevice[stage];
    claim(device, g.again[stage]);
    now[device] -= g.again[stage];
    exchange(Phase::Backward, stage);
    now[device] -= g.saved[stage];
    if (g.weight[stage] > 0)
      claim(device, g.pending[stage]);
    if (g.weight[stage] > 0)
      now[device] -= g.pending[stage];
  }
}

void ListScheduler::prepareMemory(const std::vector<int64_t> &caps) {
  isCapped = false;
  for (int64_t cap : caps)
    isCapped |= cap > 0;
  if (!isCapped)
    return;
  memory.assign(graph->devices, Memory());
  for (unsigned device = 0; device < graph->devices; ++device) {
    memory[device].used = graph->resident[device];
    memory[device].cap =
        caps[device] > 0 ? caps[device] : std::numeric_limits<int64_t>::max();
  }
  held.assign(static_cast<size_t>(graph->devices) * graph->microbatches, 0);
  oldest = 0;
  computeClaims();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether microbatch `mb` may claim `bytes` at `time`: they are there, and
/// afterwards every unfinished microbatch, oldest first, can still get what it
/// needs from what is left and from what those before it give back.
bool ListScheduler::isSafe(unsigned device, unsigned mb, int64_t bytes,
                           double time) const {
  const Memory &it = memory[device];
  if (bytes == 0 || it.cap == std::numeric_limits<int64_t>::max())
    return true;
  int64_t left = it.cap - it.used - bytes;
  if (it.pendingTime <= time)
    left += it.pending;
  if (left < 0)
    return false;
  const int64_t *mine =
      held.data() + static_cast<size_t>(device) * graph->microbatches;
  for (unsigned older = oldest; older < mb; ++older) {
    if (it.claim - mine[older] > left)
      return false;
    left += mine[older];
  }
  return true;
}

bool ListScheduler::isAllowed(unsigned device, const Slot &slot,
                              double start) const {
  unsigned mb = slot.next;
  if (slot.phase == Phase::Forward && !policy->limit.empty() &&
      policy->limit[device] != 0 && inFlight[device] >= policy->limit[device])
    return false;
  if (!isCapped || slot.phase == Phase::Weight)
    return true;
  if (!isSafe(device, mb, slot.bytes, start))
    return false;
  double end = start + slot.duration;
  for (const auto &message : graph->out(slot.phase)[slot.stage])
    if (message.isRemote && !isSafe(graph->stageDevice[message.stage], mb,
                                    message.bytes, end + message.time))
      return false;
  return true;
}

/// What the last run of `device` gave back is free from `time` on.
void ListScheduler::settle(unsigned device, double time) {
  Memory &it = memory[device];
  if (it.pendingTime > time)
    return;
  it.used -= it.pending;
  it.pending = 0;
}

/// Notes what the run of `slot` gives back when it ends.
void ListScheduler::release(unsigned device, const Slot &slot, double end) {
  const StepGraph &g = *graph;
  unsigned stage = slot.stage, mb = slot.next;
  int64_t bytes = slot.phase == Phase::Weight ? g.pending[stage] : 0;
  if (slot.phase == Phase::Backward) {
    bytes = g.again[stage] + g.saved[stage];
    if (g.weight[stage] > 0)
      bytes -= g.pending[stage];
  }
  if (slot.phase != Phase::Weight)
    for (const auto &message : g.in(slot.phase)[stage])
      if (message.isRemote)
        bytes += message.bytes;
  Memory &it = memory[device];
  it.pending = bytes;
  it.pendingTime = end;
  held[static_cast<size_t>(device) * g.microbatches + mb] -= bytes;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

double ListScheduler::nextReady(const Slot &slot) const {
  if (slot.next == graph->microbatches)
    return never;
  auto phase = static_cast<size_t>(slot.phase);
  size_t index = at(slot.stage, slot.next);
  return missing[phase][index] == 0 ? ready[phase][index] : never;
}

void ListScheduler::updateEstimate(unsigned device) {
  isDirty[device] = isBlocked[device] = 0;
  checked += isCapped;
  double best = never;
  for (unsigned i = firstSlot[device]; i < firstSlot[device + 1]; ++i) {
    double time = nextReady(slots[i]);
    if (time == never)
      continue;
    time = std::max(time, free[device]);
    // Memory is known up to the clock only.
    if (isCapped || !policy->limit.empty()) {
      time = std::max(time, clock);
      if (!isAllowed(device, slots[i], time)) {
        isBlocked[device] = 1;
        continue;
      }
    }
    best = std::min(best, time);
  }
  estimate[device] = best;
}

unsigned ListScheduler::pickSlot(unsigned device) const {
  unsigned best = firstSlot[device + 1];
  double bestKey = never;
  bool isChecked = isCapped || !policy->limit.empty();
  for (unsigned i = firstSlot[device]; i < firstSlot[device + 1]; ++i) {
    const Slot &slot = slots[i];
    if (nextReady(slot) > estimate[device])
      continue;
    double key = slot.offset + policy->stride * slot.next;
    if (key >= bestKey ||
        (isChecked && !isAllowed(device, slot, estimate[device])))
      continue;
    bestKey = key;
    best = i;
  }
  return best;
}

void ListScheduler::arrive(Phase phase, unsigned stage, unsigned mb,
                           double time) {
  auto index = static_cast<size_t>(phase);
  size_t slot = at(stage, mb);
  ready[index][slot] = std::max(ready[index][slot], time);
  if (--missing[index][slot] == 0)
    isDirty[graph->stageDevice[stage]] = 1;
}

void ListScheduler::place(unsigned device, Slot &slot, Schedule *order) {
  const StepGraph &g = *graph;
  unsigned stage = slot.stage, mb = slot.next;
  double start = estimate[device], end = start + slot.duration;
  clock = std::max(clock, start);
  if (isCapped) {
    settle(device, start);
    memory[device].used += slot.bytes;
    held[static_cast<size_t>(device) * g.microbatches + mb] += slot.bytes;
  }
  if (slot.phase != Phase::Weight)
    for (const auto &message : g.out(slot.phase)[stage]) {
      double time = end;
      if (message.isRemote) {
        unsigned target = g.stageDevice[message.stage];
        double &link =
            linkFree[static_cast<size_t>(device) * g.devices + target];
        time = link = std::max(end, link) + message.time;
        if (isCapped) {
          settle(target, clock);
          memory[target].used += message.bytes;
          held[static_cast<size_t>(target) * g.microbatches + mb] +=
              message.bytes;
          isDirty[target] = 1;
        }
      }
      arrive(slot.phase, message.stage, mb, time);
    }
  if (isCapped)
    release(device, slot, end);
  if (slot.phase == Phase::Forward && g.hasBackward[stage])
    arrive(Phase::Backward, stage, mb, end);
  if (slot.phase == Phase::Backward && g.weight[stage] > 0)
    arrive(Phase::Weight, stage, mb, end);
  Phase last = policy->limitsWeight && g.weight[stage] > 0 ? Phase::Weight
                                                           : Phase::Backward;
  if (slot.phase == Phase::Forward && g.hasBackward[stage])
    ++inFlight[device];
  else if (slot.phase == last)
    --inFlight[device];
  if (--runsLeft[mb] == 0)
    while (oldest < g.microbatches && runsLeft[oldest] == 0)
      ++oldest;
  if (order)
    order->order[device].push_back({stage, mb, slot.phase});
  free[device] = end;
  workLeft[device] -= slot.duration;
  makespan = std::max(makespan, end);
  isDirty[device] = 1;
  ++slot.next;
  ++placed;
}

/// Everybody waits for memory: on to the next run's end. False if there is
/// none.
bool ListScheduler::advanceClock() {
  double next = never;
  for (double end : free)
    if (end > clock)
      next = std::min(next, end);
  if (next == never)
    return false;
  clock = next;
  for (unsigned device = 0; device < graph->devices; ++device) {
    if (isCapped)
      settle(device, clock);
    isDirty[device] = 1;
  }
  return true;
}

double ListScheduler::run(const StepGraph &g, const ListPolicy &p,
                          const std::vector<int64_t> &caps, double cutoff,
                          Schedule *order) {
  prepare(g, p);
  prepareMemory(caps);
  if (order) {
    order->microbatches = g.microbatches;
    order->order.assign(g.devices, {});
  }
  for (unsigned stage = 0; stage < g.stages(); ++stage)
    if (g.activationsIn[stage].empty())
      isDirty[g.stageDevice[stage]] = 1;
  for (double work : workLeft)
    if (work * (1 - 1e-12) >= cutoff)
      return never;
  size_t left = slots.size() * g.microbatches;
  while (left > 0) {
    unsigned best = g.devices;
    double bestTime = never;
    for (unsigned device = 0; device < g.devices; ++device) {
      if (isDirty[device] || isBlocked[device])
        updateEstimate(device);
      if (estimate[device] < bestTime) {
        bestTime = estimate[device];
        best = device;
      }
    }
    if (best == g.devices) {
      if (!advanceClock())
        return never;
      continue;
    }
    unsigned slot = pickSlot(best);
    // Another device's message took the memory since the estimate.
    if (slot == firstSlot[best + 1]) {
      isDirty[best] = 1;
      continue;
    }
    place(best, slots[slot], order);
    // What is left of the device's work takes at least its time.
    if (free[best] + workLeft[best] * (1 - 1e-12) >= cutoff)
      return never;
    --left;
  }
  return makespan;
}
