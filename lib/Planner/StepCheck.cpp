//===- StepCheck.cpp - Checker of finished plans --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/StepCheck.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace panpipe::planner;

namespace {
/// What happens in a step: runs of stages and messages between them. Each
/// starts when everything it waits for is over.
struct Activity {
  std::string text;
  double duration = 0, start = 0, end = 0;
  std::vector<size_t> waitsFor;
};

/// Ordered as it travels.
struct Message {
  unsigned from = 0, to = 0; ///< Devices.
  size_t sender = 0;         ///< Activity.
  unsigned stage = 0;        ///< Of the receiver.
  size_t receiver = 0;       ///< Activity.
  int64_t bytes = 0;
  size_t activity = 0;
  bool operator<(const Message &other) const {
    return std::tie(from, to, sender, stage) <
           std::tie(other.from, other.to, other.sender, other.stage);
  }
};

class Checker {
public:
  Checker(const Graph &graph, const Cluster &cluster, const Plan &plan)
      : graph(graph), cluster(cluster), plan(plan) {}
  StepReport run();

private:
  using Key = std::pair<unsigned, unsigned>; ///< Two stages, or stage and slot.
  using Runs = std::map<Key, size_t>; ///< (stage, microbatch) -> activity.

  // Structure.
  void fail(const std::string &text) { report.mistakes.push_back(text); }
  std::string name(unsigned node) const {
    return "node " + std::to_string(node) + " (" + graph.nodes[node].name + ")";
  }
  bool checkShape();
  void checkCover();
  void checkCycles();
  void collectValues();
  bool hasBackward(unsigned stage) const;
  // Instructions.
  void checkRuns();
  void checkRun(unsigned device, size_t position, const Instruction &run);
  void checkComplete();
  void checkLocalOrder();
  // Times.
  void addRuns();
  void collectMessages(Phase phase, std::vector<Message> &messages);
  void addMessages();
  void wait(size_t activity, size_t other) {
    activities[activity].waitsFor.push_back(other);
  }
  bool computeTimes();
  void describeCircle(const std::vector<char> &isDone);
  // Memory.
  double residentBytes(unsigned device) const;
  void claimRun(unsigned device, const Instruction &run);
  void sumMemory();
  void checkRemarks();

  double sum(unsigned stage, double Node::*member) const;
  int64_t sum(unsigned stage, uint64_t Node::*member) const;
  bool isRecomputed(unsigned stage) const {
    return stage < plan.recompute.size() && plan.recompute[stage] &&
           hasBackward(stage);
  }
  int64_t inputBytes(unsigned stage) const;

  const Graph &graph;
  const Cluster &cluster;
  const Plan &plan;
  StepReport report;
  std::vector<unsigned> stageOf;
  /// Producer and consumer stage of an edge -> bytes, each value once.
  std::map<Key, int64_t> activations, gradients;
  /// Positions in the device's list, per phase.
  std::map<Key, size_t> position[3];
  Runs runs[3];
  std::vector<Activity> activities;
  std::vector<Message> messages;
  struct Change {
    double time;
    int64_t bytes;
    size_t cause; ///< Activity.
  };
  std::vector<std::vector<Change>> changes;
};
} // namespace

double Checker::sum(unsigned stage, double Node::*member) const {
  double total = 0;
  for (unsigned node : plan.partition.stages[stage])
    total += graph.nodes[node].*member;
  return total / cluster.devices[plan.partition.stageDevice[stage]].speed;
}

int64_t Checker::sum(unsigned stage, uint64_t Node::*member) const {
  int64_t total = 0;
  for (unsigned node : plan.partition.stages[stage])
    total += static_cast<int64_t>(graph.nodes[node].*member);
  return total;
}

int64_t Checker::inputBytes(unsigned stage) const {
  int64_t total = 0;
  for (const auto &[key, bytes] : activations)
    if (key.second == stage)
      total += bytes;
  return total;
}

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Whether the lists fit together; nothing else is looked at otherwise.
bool Checker::checkShape() {
  const Partition &partition = plan.partition;
  if (!plan.schedule)
    fail("the plan has no order of instructions");
  else if (plan.schedule->order.size() != cluster.devices.size())
    fail("the order has " + std::to_string(plan.schedule->order.size()) +
         " lists for " + std::to_string(cluster.devices.size()) + " devices");
  if (partition.stageDevice.size() != partition.stages.size())
    fail("there are " + std::to_string(partition.stages.size()) +
         " stages, but devices for " +
         std::to_string(partition.stageDevice.size()));
  if (plan.microbatches == 0)
    fail("a step needs at least one microbatch");
  for (size_t stage = 0; stage < partition.stageDevice.size(); ++stage)
    if (partition.stageDevice[stage] >= cluster.devices.size())
      fail("stage " + std::to_string(stage) + " is on unknown device " +
           std::to_string(partition.stageDevice[stage]));
  return report.isValid();
}

void Checker::checkCover() {
  std::vector<std::vector<unsigned>> owners(graph.nodes.size());
  for (unsigned stage = 0; stage < plan.partition.stages.size(); ++stage) {
    if (plan.partition.stages[stage].empty())
      fail("stage " + std::to_string(stage) + " is empty");
    for (unsigned node : plan.partition.stages[stage])
      if (node >= graph.nodes.size())
        fail("stage " + std::to_string(stage) + " holds unknown node " +
             std::to_string(node));
      else
        owners[node].push_back(stage);
  }
  stageOf.assign(graph.nodes.size(), 0);
  for (unsigned node = 0; node < owners.size(); ++node) {
    if (owners[node].empty())
      fail("dropped node: " + name(node) + " is in no stage");
    else if (owners[node].size() > 1)
      fail("node computed twice: " + name(node) + " is in stages " +
           std::to_string(owners[node][0]) + " and " +
           std::to_string(owners[node][1]));
    else
      stageOf[node] = owners[node][0];
  }
}

void Checker::collectValues() {
  std::map<std::tuple<unsigned, unsigned, unsigned, unsigned>, int64_t>
      values[2];
  for (const Edge &edge : graph.edges) {
    unsigned from = stageOf[edge.source], to = stageOf[edge.target];
    if (from == to)
      continue;
    for (int kind = 0; kind < (edge.gradient ? 2 : 1); ++kind) {
      int64_t &bytes = values[kind][{from, to, edge.source, edge.value}];
      bytes = std::max(bytes, static_cast<int64_t>(edge.bytes));
    }
  }
  for (int kind = 0; kind < 2; ++kind)
    for (const auto &[key, bytes] : values[kind])
      (kind == 0 ? activations
                 : gradients)[{std::get<0>(key), std::get<1>(key)}] += bytes;
}

void Checker::checkCycles() {
  std::set<unsigned> left;
  for (unsigned stage = 0; stage < plan.partition.stages.size(); ++stage)
    left.insert(stage);
  for (bool progress = true; progress;) {
    progress = false;
    for (auto it = left.begin(); it != left.end();) {
      bool isFree = true;
      for (const auto &entry : activations)
        isFree &= entry.first.second != *it || !left.count(entry.first.first);
      it = isFree ? left.erase(it) : std::next(it);
      progress |= isFree;
    }
  }
  for (const auto &entry : activations)
    if (left.count(entry.first.first) && left.count(entry.first.second)) {
      fail("the stages depend on each other in a circle, through stages " +
           std::to_string(entry.first.first) + " and " +
           std::to_string(entry.first.second));
      return;
    }
}

bool Checker::hasBackward(unsigned stage) const {
  for (const auto &entry : gradients)
    if (entry.first.second == stage)
      return true;
  return sum(stage, &Node::backwardInput) + sum(stage, &Node::backwardWeight) >
         0;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Checker::checkRun(unsigned device, size_t index, const Instruction &run) {
  std::string text = instructionText(run);
  if (run.stage >= plan.partition.stages.size() ||
      run.microbatch >= plan.microbatches)
    return fail("wrong slot: device " + std::to_string(device) + " runs " +
                text + ", but there are " +
                std::to_string(plan.partition.stages.size()) + " stages and " +
                std::to_string(plan.microbatches) + " microbatches");
  unsigned owner = plan.partition.stageDevice[run.stage];
  if (owner != device)
    return fail("wrong device: " + text + " is listed on device " +
                std::to_string(device) + ", but its stage is on device " +
                std::to_string(owner));
  auto &slots = position[static_cast<size_t>(run.phase)];
  if (slots.emplace(Key{run.stage, run.microbatch}, index).second)
    return;
  static const char *const what[] = {
      "run twice: ", "double gradient: ", "double weight gradient: "};
  fail(what[static_cast<size_t>(run.phase)] + text + " comes twice");
}

void Checker::checkRuns() {
  for (unsigned device = 0; device < plan.schedule->order.size(); ++device)
    for (size_t i = 0; i < plan.schedule->order[device].size(); ++i)
      checkRun(device, i, plan.schedule->order[device][i]);
}

void Checker::checkComplete() {
  for (unsigned stage = 0; stage < plan.partition.stages.size(); ++stage)
    for (unsigned mb = 0; mb < plan.microbatches; ++mb) {
      Key key{stage, mb};
      if (!position[0].count(key))
        fail("missing run: " + instructionText({stage, mb}));
      bool hasB = position[1].count(key);
      if (!hasB && hasBackward(stage))
        fail("missing gradient: " +
             instructionText({stage, mb, Phase::Backward}));
      if (!hasB && position[2].count(key))
        fail("weight gradient without its input: " +
             instructionText({stage, mb, Phase::Weight}) + " has no B");
    }
}

void Checker::checkLocalOrder() {
  for (int phase = 1; phase < 3; ++phase)
    for (const auto &[key, index] : position[phase]) {
      auto before = position[phase - 1].find(key);
      if (before != position[phase - 1].end() && before->second > index)
        fail("wrong order: " +
             instructionText(
                 {key.first, key.second, static_cast<Phase>(phase)}) +
             " comes before the " +
             instructionText(
                 {key.first, key.second, static_cast<Phase>(phase - 1)}) +
             " that it needs");
    }
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

void Checker::addRuns() {
  for (const auto &list : plan.schedule->order)
    for (size_t i = 0; i < list.size(); ++i) {
      const Instruction &run = list[i];
      Key key{run.stage, run.microbatch};
      auto phase = static_cast<size_t>(run.phase);
      Activity activity;
      activity.text = instructionText(run);
      if (run.phase == Phase::Forward)
        activity.duration = sum(run.stage, &Node::forward);
      if (run.phase == Phase::Backward)
        activity.duration =
            sum(run.stage, &Node::backwardInput) +
            (isRecomputed(run.stage) ? sum(run.stage, &Node::forward) : 0);
      if (run.phase == Phase::Weight ||
          (run.phase == Phase::Backward && !position[2].count(key)))
        activity.duration += sum(run.stage, &Node::backwardWeight);
      if (i > 0)
        activity.waitsFor.push_back(activities.size() - 1);
      runs[phase][key] = activities.size();
      activities.push_back(activity);
    }
  for (int phase = 1; phase < 3; ++phase)
    for (const auto &[key, activity] : runs[phase])
      wait(activity, runs[phase - 1].at(key));
}

/// One message per pair of stages and microbatch.
void Checker::collectMessages(Phase phase, std::vector<Message> &messages) {
  const auto &values = phase == Phase::Forward ? activations : gradients;
  auto index = static_cast<size_t>(phase);
  for (const auto &[key, bytes] : values)
    for (unsigned mb = 0; mb < plan.microbatches; ++mb) {
      auto [producer, consumer] = key;
      if (phase == Phase::Backward)
        std::swap(producer, consumer);
      auto sender = runs[index].find({producer, mb});
      auto receiver = runs[index].find({consumer, mb});
      // A stage whose gradient nobody needs may leave its B out.
      if (sender == runs[index].end() || receiver == runs[index].end())
        continue;
      if (plan.partition.stageDevice[producer] ==
          plan.partition.stageDevice[consumer])
        wait(receiver->second, sender->second);
      else
        messages.push_back({plan.partition.stageDevice[producer],
                            plan.partition.stageDevice[consumer],
                            sender->second, consumer, receiver->second, bytes});
    }
}

/// The messages of one directed pair of devices follow each other in the order
/// in which their senders are listed.
void Checker::addMessages() {
  collectMessages(Phase::Forward, messages);
  collectMessages(Phase::Backward, messages);
  std::sort(messages.begin(), messages.end());
  for (size_t i = 0; i < messages.size(); ++i) {
    Message &message = messages[i];
    Activity activity;
    activity.text = "message of " + activities[message.sender].text +
                    " to stage " + std::to_string(message.stage);
    activity.duration = cluster.link(graph, message.from, message.to)
                            .time(static_cast<uint64_t>(message.bytes));
    activity.waitsFor.push_back(message.sender);
    if (i > 0 && messages[i - 1].from == message.from &&
        messages[i - 1].to == message.to)
      activity.waitsFor.push_back(messages[i - 1].activity);
    message.activity = activities.size();
    wait(message.receiver, message.activity);
    activities.push_back(activity);
  }
}

bool Checker::computeTimes() {
  std::vector<std::vector<size_t>> followers(activities.size());
  std::vector<size_t> missing(activities.size());
  for (size_t i = 0; i < activities.size(); ++i) {
    missing[i] = activities[i].waitsFor.size();
    for (size_t other : activities[i].waitsFor)
      followers[other].push_back(i);
  }
  std::vector<size_t> ready;
  std::vector<char> isDone(activities.size(), 0);
  for (size_t i = 0; i < activities.size(); ++i)
    if (missing[i] == 0)
      ready.push_back(i);
  for (size_t next = 0; next < ready.size(); ++next) {
    Activity &activity = activities[ready[next]];
    isDone[ready[next]] = 1;
    for (size_t other : activity.waitsFor)
      activity.start = std::max(activity.start, activities[other].end);
    activity.end = activity.start + activity.duration;
    for (size_t follower : followers[ready[next]])
      if (--missing[follower] == 0)
        ready.push_back(follower);
  }
  if (ready.size() == activities.size())
    return true;
  describeCircle(isDone);
  return false;
}

/// Walks back along unfinished activities until one repeats.
void Checker::describeCircle(const std::vector<char> &isDone) {
  size_t at = std::find(isDone.begin(), isDone.end(), 0) - isDone.begin();
  std::vector<size_t> path;
  std::vector<char> isOnPath(activities.size(), 0);
  while (!isOnPath[at]) {
    isOnPath[at] = 1;
    path.push_back(at);
    for (size_t other : activities[at].waitsFor)
      if (!isDone[other]) {
        at = other;
        break;
      }
  }
  auto first = std::find(path.begin(), path.end(), at);
  std::string text = "deadlock: ";
  // Long circles are cut: their first part says which devices are involved.
  for (size_t shown = 0; first != path.end() && shown < 12; ++first, ++shown)
    text += activities[*first].text + " waits for ";
  fail(text + (first == path.end() ? activities[at].text : "..."));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

double Checker::residentBytes(unsigned device) const {
  double total = 0;
  std::set<unsigned> shared;
  for (unsigned node = 0; node < graph.nodes.size(); ++node) {
    if (plan.partition.stageDevice[stageOf[node]] != device)
      continue;
    const Node &it = graph.nodes[node];
    total += graph.paramFactor * static_cast<double>(it.paramBytes) +
             static_cast<double>(it.frozenBytes);
    shared.insert(it.params.begin(), it.params.end());
  }
  for (unsigned param : shared)
    total += static_cast<double>(graph.params[param].bytes) *
             (graph.params[param].isFrozen ? 1 : graph.paramFactor);
  return std::ceil(total);
}

void Checker::claimRun(unsigned device, const Instruction &run) {
  Key key{run.stage, run.microbatch};
  size_t activity = runs[static_cast<size_t>(run.phase)].at(key);
  const Activity &it = activities[activity];
  auto change = [&](double time, int64_t bytes) {
    if (bytes != 0)
      changes[device].push_back({time, bytes, activity});
  };
  int64_t saved = sum(run.stage, &Node::savedBytes);
  int64_t kept = isRecomputed(run.stage) ? inputBytes(run.stage) : saved;
  int64_t pending = sum(run.stage, &Node::weightBytes);
  if (run.phase == Phase::Forward && runs[1].count(key))
    change(it.start, kept);
  if (run.phase == Phase::Weight)
    change(it.end, -pending);
  if (run.phase != Phase::Backward)
    return;
  if (isRecomputed(run.stage)) {
    change(it.start, saved);
    change(it.end, -saved);
  }
  change(it.end, -kept);
  if (runs[2].count(key))
    change(it.end, pending);
}

void Checker::sumMemory() {
  changes.resize(cluster.devices.size());
  for (unsigned device = 0; device < cluster.devices.size(); ++device)
    for (const Instruction &run : plan.schedule->order[device])
      claimRun(device, run);
  for (const Message &message : messages) {
    if (message.bytes == 0)
      continue;
    changes[message.to].push_back(
        {activities[message.activity].end, message.bytes, message.activity});
    changes[message.to].push_back(
        {activities[message.receiver].end, -message.bytes, message.receiver});
  }
  for (unsigned device = 0; device < cluster.devices.size(); ++device) {
    auto &list = changes[device];
    // At equal times, what becomes free is free for what is claimed.
    std::stable_sort(list.begin(), list.end(), [](auto &a, auto &b) {
      return std::pair(a.time, a.bytes > 0) < std::pair(b.time, b.bytes > 0);
    });
    auto now = static_cast<int64_t>(residentBytes(device)), peak = now;
    std::string cause = "its parameters";
    for (const Change &change : list) {
      now += change.bytes;
      if (now > peak) {
        peak = now;
        cause = activities[change.cause].text;
      }
    }
    report.peak.push_back(peak);
    auto cap = static_cast<int64_t>(cluster.devices[device].memoryCap);
    if (cap > 0 && peak > cap)
      fail("too little memory: device " + std::to_string(device) +
           " peaks at " + std::to_string(peak) + " bytes with " + cause + ", " +
           std::to_string(peak - cap) + " over its cap of " +
           std::to_string(cap));
  }
}

void Checker::checkRemarks() {
  // Files round.
  double tolerance = 1e-6 * std::max(1.0, report.makespan);
  if (plan.makespan && std::fabs(*plan.makespan - report.makespan) > tolerance)
    fail("wrong makespan: the plan says " + std::to_string(*plan.makespan) +
         " ms, its order takes " + std::to_string(report.makespan) + " ms");
  if (plan.lowerBound && *plan.lowerBound > report.makespan + tolerance)
    fail("wrong bound: the plan says that no step takes less than " +
         std::to_string(*plan.lowerBound) + " ms, its order takes " +
         std::to_string(report.makespan) + " ms");
}

StepReport Checker::run() {
  if (!checkShape())
    return report;
  checkCover();
  if (!report.isValid())
    return report;
  collectValues();
  checkCycles();
  checkRuns();
  checkComplete();
  checkLocalOrder();
  if (!report.isValid())
    return report;
  addRuns();
  addMessages();
  if (!computeTimes())
    return report;
  for (const Activity &activity : activities)
    report.makespan = std::max(report.makespan, activity.end);
  sumMemory();
  checkRemarks();
  return report;
}

StepReport panpipe::planner::checkStep(const Graph &graph,
                                       const Cluster &cluster,
                                       const Plan &plan) {
  return Checker(graph, cluster, plan).run();
}
