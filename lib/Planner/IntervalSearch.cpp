//===- IntervalSearch.cpp - Dynamic programme over intervals --------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Intervals.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

using namespace panpipe::planner;

static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Rows of interval costs
//===----------------------------------------------------------------------===//

Intervals::Intervals(const Graph &graph, const std::vector<unsigned> &order,
                     unsigned microbatches)
    : graph(graph), order(order), microbatches(microbatches) {
  size_t count = order.size();
  std::vector<size_t> position(count);
  for (size_t i = 0; i < count; ++i)
    position[order[i]] = i;
  inputs.resize(count);
  lastUse.resize(count);
  for (size_t i = 0; i < count; ++i)
    lastUse[i] = graph.nodes[order[i]].isOutput ? count : i;
  std::map<std::pair<unsigned, unsigned>, unsigned> ids;
  for (const Edge &edge : graph.edges) {
    auto [it, isNew] =
        ids.try_emplace({edge.source, edge.value}, values.size());
    if (isNew)
      values.push_back({0, position[edge.source]});
    Value &value = values[it->second];
    value.bytes = std::max(value.bytes, edge.bytes);
    inputs[position[edge.target]].push_back(it->second);
    size_t &last = lastUse[value.position];
    last = std::max(last, position[edge.target]);
  }
  valueSeen.assign(values.size(), 0);
  paramSeen.assign(graph.params.size(), 0);
}

void Intervals::computeRow(size_t begin, std::vector<Cell> &row) {
  size_t count = order.size();
  row.assign(count + 1, Cell());
  ++rowsComputed;
  double work = 0;
  uint64_t received = 0, params = 0, live = 0, peak = 0;
  bool receives = false;
  std::vector<uint64_t> dying(count + 1, 0);
  for (size_t i = begin; i < count; ++i) {
    const Node &node = graph.nodes[order[i]];
    work += node.forward;
    params += node.paramBytes;
    for (unsigned param : node.params)
      if (paramSeen[param] != rowsComputed) {
        paramSeen[param] = rowsComputed;
        params += graph.params[param].bytes;
      }
    for (unsigned value : inputs[i])
      if (values[value].position < begin && valueSeen[value] != rowsComputed) {
        valueSeen[value] = rowsComputed;
        received += values[value].bytes;
        receives = true;
      }
    live += node.outBytes;
    dying[lastUse[i]] += node.outBytes;
    peak = std::max(peak, live);
    live -= dying[i];
    Cell &cell = row[i + 1];
    cell.work = work;
    cell.transfer = receives ? graph.link.time(received) : 0;
    auto resident =
        static_cast<uint64_t>(static_cast<double>(params) * graph.paramFactor);
    cell.memory = resident + received * (microbatches > 1 ? 2 : 1) + peak;
  }
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {
/// The best ways known to cut the first nodes into the first stages: none is
/// better than another in both costs.
struct Entry {
  double bottleneck = 0; ///< Slowest stage or transfer so far.
  double sum = 0;        ///< What is added up: transfers (and unequal work).
  size_t begin = 0;      ///< Where the last stage starts.
  size_t previous = 0;   ///< Entry it extends.
};

class Search {
public:
  Search(const PartitionRequest &request, const std::vector<unsigned> &order)
      : request(request),
        intervals(request.graph, order, request.microbatches) {
    // On equal devices the work of all stages adds up to the same anyway.
    for (const DeviceSpec &device : request.devices)
      countWork |= request.objective == Objective::Makespan &&
                   device.speed != request.devices.front().speed;
  }

  /// Cuts (begin of each stage) of the best partition; empty if none fits.
  std::vector<size_t> run();
  double getBottleneck() const { return result.bottleneck; }
  double getSum() const { return result.sum; }

private:
  /// One pass over all intervals. Bottlenecks are counted from `floor` up,
  /// which no partition can beat; entries that reach neither `ceiling` nor,
  /// with `repeat` bottlenecks added, `limit` are dropped.
  struct Bounds {
    bool countSum = false;
    double floor = 0, ceiling = infinity, repeat = 0, limit = infinity;
  };
  bool pass(const Bounds &bounds, double repeatInResult);
  void extend(size_t begin, size_t stage, size_t end,
              const Intervals::Cell &cell, const Bounds &bounds);
  std::vector<size_t> traceBack() const;

  const PartitionRequest &request;
  Intervals intervals;
  bool countWork = false;
  /// table[stages used][nodes covered].
  std::vector<std::vector<std::vector<Entry>>> table;
  Entry result;
};
} // namespace

/// Adds `entry` unless an older one is as good in both costs; drops those it
/// beats. Older entries win ties, so that the result is deterministic.
static void insert(std::vector<Entry> &front, const Entry &entry) {
  for (const Entry &other : front)
    if (other.bottleneck <= entry.bottleneck && other.sum <= entry.sum)
      return;
  front.erase(std::remove_if(front.begin(), front.end(),
                             [&](const Entry &other) {
                               return entry.bottleneck <= other.bottleneck &&
                                      entry.sum <= other.sum;
                             }),
              front.end());
  front.push_back(entry);
}

void Search::extend(size_t begin, size_t stage, size_t end,
                    const Intervals::Cell &cell, const Bounds &bounds) {
  const DeviceSpec &device = request.devices[stage];
  if (device.memoryCap && cell.memory > device.memoryCap)
    return;
  double time = cell.work / device.speed;
  double slowest = std::max({bounds.floor, time, cell.transfer});
  if (slowest > bounds.ceiling)
    return;
  const std::vector<Entry> &from = table[stage][begin];
  for (size_t index = 0; index < from.size(); ++index) {
    Entry entry;
    entry.bottleneck = std::max(from[index].bottleneck, slowest);
    if (bounds.countSum)
      entry.sum = from[index].sum + cell.transfer + (countWork ? time : 0);
    entry.begin = begin;
    entry.previous = index;
    if (entry.sum + bounds.repeat * entry.bottleneck <= bounds.limit)
      insert(table[stage + 1][end], entry);
  }
}

bool Search::pass(const Bounds &bounds, double repeatInResult) {
  size_t count = intervals.size(), stages = request.devices.size();
  table.assign(stages + 1, std::vector<std::vector<Entry>>(count + 1));
  table[0][0].push_back(Entry());
  double fastest = 0;
  for (const DeviceSpec &device : request.devices)
    fastest = std::max(fastest, device.speed);
  std::vector<Intervals::Cell> row;
  for (size_t begin = 0; begin < count; ++begin) {
    bool isReached = false;
    for (size_t stage = 0; stage < stages; ++stage)
      isReached |= !table[stage][begin].empty();
    if (!isReached)
      continue;
    intervals.computeRow(begin, row);
    for (size_t end = begin + 1;
         end <= count && row[end].work / fastest <= bounds.ceiling; ++end)
      for (size_t stage = 0; stage < stages; ++stage)
        if (end < count || stage + 1 == stages)
          extend(begin, stage, end, row[end], bounds);
  }
  const std::vector<Entry> &last = table[stages][count];
  if (last.empty())
    return false;
  auto value = [&](const Entry &entry) {
    return entry.sum + repeatInResult * entry.bottleneck;
  };
  result = *std::min_element(
      last.begin(), last.end(),
      [&](const Entry &a, const Entry &b) { return value(a) < value(b); });
  return true;
}

std::vector<size_t> Search::traceBack() const {
  std::vector<size_t> begins;
  Entry entry = result;
  for (size_t stage = request.devices.size(); stage-- > 0;) {
    begins.push_back(entry.begin);
    if (stage > 0)
      entry = table[stage][entry.begin][entry.previous];
  }
  std::reverse(begins.begin(), begins.end());
  return begins;
}

std::vector<size_t> Search::run() {
  // First the smallest bottleneck, which is then a bound for everything else.
  Bounds bounds;
  if (!pass(bounds, 1))
    return {};
  bounds.countSum = true;
  bounds.floor = bounds.ceiling = result.bottleneck;
  pass(bounds, 1);
  if (request.objective == Objective::Bottleneck || request.microbatches == 0)
    return traceBack();
  // A larger bottleneck may pay if it saves transfers.
  bounds.repeat = request.microbatches - 1.0;
  bounds.ceiling = infinity;
  // The slack keeps rounding from dropping the incumbent itself.
  bounds.limit = (result.sum + bounds.repeat * result.bottleneck) * (1 + 1e-12);
  pass(bounds, bounds.repeat);
  return traceBack();
}

//===----------------------------------------------------------------------===//
// Why nothing fits
//===----------------------------------------------------------------------===//

static std::string bytesText(uint64_t bytes) {
  return std::to_string(bytes) + " bytes";
}

namespace {
/// Looks for the smallest change of the caps that admits a partition.
class Shortage {
public:
  Shortage(const PartitionRequest &request, const std::vector<unsigned> &order)
      : request(request), intervals(request.graph, order, request.microbatches),
        stages(request.devices.size()), count(order.size()) {}

  std::string explain();

private:
  bool fits(size_t stage, uint64_t memory) const {
    uint64_t cap = request.devices[stage].memoryCap;
    return cap == 0 || memory <= cap;
  }
  uint64_t excess(size_t stage, uint64_t memory) const {
    return fits(stage, memory) ? 0 : memory - request.devices[stage].memoryCap;
  }
  void sweepForward();
  void sweepBackward();

  const PartitionRequest &request;
  Intervals intervals;
  size_t stages, count;
  static constexpr uint64_t never = UINT64_MAX;
  std::vector<std::vector<bool>> prefix, suffix;
  std::vector<std::vector<uint64_t>> worst; ///< Smallest largest excess.
  std::vector<uint64_t>
      alone; ///< Smallest excess if only this device is short.
  std::vector<uint64_t> needed; ///< Devices of the first cap to reach a node.
};
} // namespace

void Shortage::sweepForward() {
  prefix.assign(stages + 1, std::vector<bool>(count + 1, false));
  worst.assign(stages + 1, std::vector<uint64_t>(count + 1, never));
  needed.assign(count + 1, never);
  prefix[0][0] = true;
  worst[0][0] = needed[0] = 0;
  std::vector<Intervals::Cell> row;
  for (size_t begin = 0; begin < count; ++begin) {
    intervals.computeRow(begin, row);
    for (size_t end = begin + 1; end <= count; ++end) {
      uint64_t memory = row[end].memory;
      if (needed[begin] != never && fits(0, memory))
        needed[end] = std::min(needed[end], needed[begin] + 1);
      for (size_t stage = 0; stage < stages; ++stage) {
        if (prefix[stage][begin] && fits(stage, memory))
          prefix[stage + 1][end] = true;
        if (worst[stage][begin] != never)
          worst[stage + 1][end] =
              std::min(worst[stage + 1][end],
                       std::max(worst[stage][begin], excess(stage, memory)));
      }
    }
  }
}

void Shortage::sweepBackward() {
  suffix.assign(stages + 1, std::vector<bool>(count + 1, false));
  suffix[stages][count] = true;
  alone.assign(stages, never);
  std::vector<Intervals::Cell> row;
  for (size_t begin = count; begin-- > 0;) {
    intervals.computeRow(begin, row);
    for (size_t end = begin + 1; end <= count; ++end)
      for (size_t stage = 0; stage < stages; ++stage) {
        if (!suffix[stage + 1][end])
          continue;
        if (fits(stage, row[end].memory))
          suffix[stage][begin] = true;
        if (prefix[stage][begin])
          alone[stage] = std::min(alone[stage], excess(stage, row[end].memory));
      }
  }
}

std::string Shortage::explain() {
  sweepForward();
  sweepBackward();
  std::string text;
  size_t device = std::min_element(alone.begin(), alone.end()) - alone.begin();
  if (alone[device] != never) {
    uint64_t cap = request.devices[device].memoryCap;
    text = "device " + std::to_string(device) + " is short by " +
           bytesText(alone[device]) +
           "; smallest change that fits: raise its cap from " +
           std::to_string(cap) + " to " + bytesText(cap + alone[device]);
  } else {
    uint64_t more = worst[stages][count];
    text = "more than one device is short, by up to " + bytesText(more) +
           "; smallest equal change that fits: raise every cap by " +
           bytesText(more);
  }
  bool sameCaps = true;
  for (const DeviceSpec &spec : request.devices)
    sameCaps &= spec.memoryCap == request.devices.front().memoryCap;
  if (sameCaps && needed[count] != never && needed[count] > stages)
    text +=
        ", or use " + std::to_string(needed[count]) + " devices of this size";
  return "no partition fits into the memory caps: " + text;
}

//===----------------------------------------------------------------------===//
// The policy
//===----------------------------------------------------------------------===//

static Partition makePartition(const std::vector<unsigned> &order,
                               const std::vector<size_t> &begins) {
  Partition partition;
  partition.devices = begins.size();
  for (size_t stage = 0; stage < begins.size(); ++stage) {
    size_t end = stage + 1 < begins.size() ? begins[stage + 1] : order.size();
    std::vector<unsigned> nodes(order.begin() + begins[stage],
                                order.begin() + end);
    std::sort(nodes.begin(), nodes.end());
    partition.stages.push_back(nodes);
    partition.stageDevice.push_back(stage);
  }
  return partition;
}

static bool fitsCaps(const PartitionRequest &request,
                     const Partition &partition) {
  PartitionCost cost = partitionCost(request, partition);
  for (size_t stage = 0; stage < cost.stages.size(); ++stage) {
    uint64_t cap = request.devices[stage].memoryCap;
    if (cap && cost.stages[stage].memory > cap)
      return false;
  }
  return true;
}

PartitionResult
panpipe::planner::partitionByIntervals(const PartitionRequest &request) {
  size_t count = request.graph.nodes.size(), devices = request.devices.size();
  if (count < devices || devices == 0)
    return {std::nullopt, "cannot cut " + std::to_string(count) +
                              " nodes into " + std::to_string(devices) +
                              " stages: every stage needs a node"};
  std::vector<unsigned> program(count);
  std::iota(program.begin(), program.end(), 0);
  std::vector<std::vector<unsigned>> orders = {program};
  std::vector<unsigned> deep = depthFirstOrder(request.graph);
  if (deep != program)
    orders.push_back(deep);
  double repeat =
      request.objective == Objective::Makespan ? request.microbatches - 1.0 : 0;
  PartitionResult best;
  std::pair<double, double> bestCost = {infinity, infinity};
  for (const std::vector<unsigned> &order : orders) {
    Search search(request, order);
    std::vector<size_t> begins = search.run();
    if (begins.empty())
      continue;
    // Inside a stage nodes run in program order, whatever order cut them.
    Partition partition = makePartition(order, begins);
    if (!fitsCaps(request, partition))
      continue;
    std::pair<double, double> cost = {search.getBottleneck(), search.getSum()};
    if (request.objective == Objective::Makespan)
      cost = {search.getSum() + repeat * search.getBottleneck(), 0};
    if (cost < bestCost) {
      bestCost = cost;
      best.partition = partition;
    }
  }
  if (!best.partition)
    best.error = Shortage(request, program).explain();
  return best;
}
