//===- JointSearch.cpp - Partition, placement and schedule ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Planner/JointSearch.h"

#include "Candidate.h"
#include "OrderSearch.h"

#include "panpipe/Planner/StepCheck.h"
#include "panpipe/Planner/StepSchedules.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace panpipe::planner;

static constexpr double never = std::numeric_limits<double>::infinity();

namespace {
/// A candidate and its makespan.
struct Scored {
  Candidate candidate;
  double cost = never;
  bool operator<(const Scored &other) const { return cost < other.cost; }
};

/// A plan in its final numbering, and its makespan.
struct Finished {
  Plan plan;
  double cost = never;
};

class Search {
public:
  explicit Search(const StepRequest &request);
  StepResult run();

private:
  void addSeeds();
  void addSeed(const std::vector<unsigned> &nodes, unsigned chunks, bool turns,
               bool recompute);
  void anneal(Scored &state, uint64_t effort, double hot, double cold);
  void keepBest(size_t count);
  Plan emptyPlan(Partition partition, std::vector<char> recompute) const;
  void finish(const Scored &state);
  void addNamed();
  void addNamed(const char *name, const std::vector<unsigned> &placement,
                std::optional<Schedule> schedule);
  void refine(Finished &finished, uint64_t effort);
  void offer(Plan plan);
  void report();
  bool isDone() const { return best.cost <= bound * (1 + 1e-9); }
  std::string explain() const;

  const StepRequest &request;
  const Graph &graph;
  unsigned devices;
  Random random;
  Evaluator evaluator;
  Mover mover;
  StepBounds bounds;
  double bound = 0;
  std::vector<Scored> pool;
  Finished best;
  uint64_t refined = 0; ///< Effort of order searches.
  double shown = never; ///< Best cost of candidates, for progress.
};
} // namespace

Search::Search(const StepRequest &request)
    : request(request), graph(request.graph),
      devices(request.cluster.devices.size()), random(devices),
      evaluator(graph, request.cluster, request.microbatches),
      mover(graph, request.cluster, request.allowsRecompute, random),
      bounds(lowerBounds(graph, request.cluster, request.microbatches)),
      bound(bounds.best()) {}

void Search::report() {
  if (request.progress)
    request.progress(evaluator.effort() + refined, request.effort,
                     std::min(best.cost, shown), bound);
}

//===----------------------------------------------------------------------===//
// Starting points
//===----------------------------------------------------------------------===//

/// Cuts `nodes` so that every stage has a part of the work like its device's
/// part of the speed. Stages go round the devices `chunks` times; with `turns`
/// every second time backwards.
void Search::addSeed(const std::vector<unsigned> &nodes, unsigned chunks,
                     bool turns, bool recompute) {
  unsigned stages = devices * chunks;
  Candidate c;
  c.nodes = nodes;
  double speeds = 0, work = 0;
  for (unsigned stage = 0; stage < stages; ++stage) {
    unsigned place = stage % devices;
    bool isBack = turns && stage / devices % 2 == 1;
    c.device.push_back(isBack ? devices - 1 - place : place);
    speeds += request.cluster.devices[c.device.back()].speed;
  }
  std::vector<double> sum(1, 0);
  for (unsigned node : nodes) {
    const Node &it = graph.nodes[node];
    sum.push_back(sum.back() + it.forward + it.backwardInput +
                  it.backwardWeight);
  }
  work = sum.back();
  double share = 0;
  for (unsigned stage = 0; stage < stages; ++stage) {
    double want = work * share / speeds;
    unsigned at = std::lower_bound(sum.begin(), sum.end(), want) - sum.begin();
    if (at > 0 &&
        want - sum[at - 1] < sum[std::min<size_t>(at, nodes.size())] - want)
      --at;
    unsigned low = stage == 0 ? 0 : c.first.back() + 1;
    unsigned high = nodes.size() - (stages - stage);
    c.first.push_back(stage == 0 ? 0 : std::min(std::max(at, low), high));
    share += request.cluster.devices[c.device[stage]].speed;
  }
  c.recompute.assign(stages, recompute);
  for (auto &shift : c.shift)
    shift.assign(stages, 0);
  Scored scored;
  scored.cost = evaluator.judge(c, never);
  scored.candidate = std::move(c);
  pool.push_back(std::move(scored));
}

void Search::addSeeds() {
  std::vector<unsigned> program(graph.nodes.size());
  for (unsigned i = 0; i < program.size(); ++i)
    program[i] = i;
  std::vector<std::vector<unsigned>> orders = {program};
  if (auto deep = depthFirstOrder(graph); deep != program)
    orders.push_back(deep);
  bool isCapped = false;
  for (const DeviceSpec &device : request.cluster.devices)
    isCapped |= device.memoryCap > 0;
  for (const auto &nodes : orders)
    for (bool recompute : {false, true})
      for (unsigned chunks : {1, 2, 3, 4, 6})
        for (bool turns : {false, true}) {
          if (devices * chunks > nodes.size() || (turns && chunks == 1) ||
              (recompute && (!isCapped || !request.allowsRecompute)))
            continue;
          addSeed(nodes, chunks, turns, recompute);
        }
  if (pool.empty()) {
    // Fewer nodes than devices: a node each.
    Candidate c;
    c.nodes = program;
    for (unsigned i = 0; i < program.size(); ++i) {
      c.first.push_back(i);
      c.device.push_back(i);
    }
    c.recompute.assign(c.stages(), 0);
    for (auto &shift : c.shift)
      shift.assign(c.stages(), 0);
    pool.push_back({c, evaluator.judge(c, never)});
  }
}

//===----------------------------------------------------------------------===//
// Annealing
//===----------------------------------------------------------------------===//

/// Simulated annealing; temperatures are parts of the makespan. `state` becomes
/// the best one seen.
void Search::anneal(Scored &state, uint64_t effort, double hot, double cold) {
  Scored now = state;
  uint64_t begin = evaluator.effort();
  Candidate trial;
  for (unsigned round = 0;; ++round) {
    uint64_t spent = evaluator.effort() - begin;
    if (spent >= effort || state.cost <= bound * (1 + 1e-9))
      break;
    if (round % 1024 == 0)
      report();
    double part = static_cast<double>(spent) / static_cast<double>(effort);
    double heat = state.cost * hot * std::pow(cold / hot, part);
    double cutoff =
        now.cost >= Evaluator::unfit
            ? never
            : now.cost - heat * std::log(1 - random.unit()) + 1e-12 * now.cost;
    trial = now.candidate;
    mover.change(trial);
    if (random.below(3) == 0)
      mover.change(trial);
    double cost = evaluator.judge(trial, cutoff);
    if (cost >= cutoff || (cutoff == never && cost > now.cost))
      continue;
    std::swap(now.candidate, trial);
    now.cost = cost;
    if (cost < state.cost) {
      state = now;
      shown = std::min(shown, cost);
    }
  }
}

void Search::keepBest(size_t count) {
  std::stable_sort(pool.begin(), pool.end());
  if (pool.size() > count)
    pool.resize(count);
}

//===----------------------------------------------------------------------===//
// Finished plans
//===----------------------------------------------------------------------===//

Plan Search::emptyPlan(Partition partition, std::vector<char> recompute) const {
  Plan plan;
  plan.graph = graph.name;
  plan.microbatches = request.microbatches;
  plan.partition = std::move(partition);
  plan.recompute = std::move(recompute);
  return plan;
}

/// Keeps `plan` if the checker accepts it and it is the best.
void Search::offer(Plan plan) {
  StepReport report = checkStep(graph, request.cluster, plan);
  if (!report.isValid() || report.makespan >= best.cost)
    return;
  best.cost = report.makespan;
  best.plan = std::move(plan);
}

/// Stages in the order of files: times depend on it where two messages are
/// ready at once.
void Search::finish(const Scored &state) {
  Schedule schedule;
  if (evaluator.judge(state.candidate, never, &schedule) >= Evaluator::unfit)
    return;
  Partition given = state.candidate.partition(devices), sorted = given;
  if (sortStages(graph, sorted))
    return;
  std::vector<unsigned> stageOf = sorted.stageOf(graph), renamed;
  for (const auto &nodes : given.stages)
    renamed.push_back(stageOf[nodes.front()]);
  std::vector<char> recompute(renamed.size(), 0);
  for (size_t stage = 0; stage < renamed.size(); ++stage)
    recompute[renamed[stage]] = state.candidate.recompute[stage];
  for (auto &list : schedule.order)
    for (Instruction &run : list)
      run.stage = renamed[run.stage];
  Plan plan = emptyPlan(sorted, recompute);
  plan.policy = "list";
  plan.schedule = std::move(schedule);
  offer(plan);
}

void Search::addNamed(const char *name, const std::vector<unsigned> &placement,
                      std::optional<Schedule> schedule) {
  // Cuts of the first seed with as many stages.
  for (const Scored &scored : pool) {
    if (scored.candidate.device != placement || !schedule)
      continue;
    Plan plan = emptyPlan(scored.candidate.partition(devices),
                          scored.candidate.recompute);
    if (plan.partition.verify(graph))
      continue;
    plan.policy = name;
    plan.schedule = schedule;
    offer(std::move(plan));
  }
}

void Search::addNamed() {
  if (!graph.isTraining())
    return;
  unsigned p = devices, m = request.microbatches;
  addNamed("gpipe", loopedPlacement(p, 1), scheduleGPipe(p, m));
  addNamed("1f1b", loopedPlacement(p, 1), scheduleOneFOneB(p, m));
  addNamed("zb-h1", loopedPlacement(p, 1), scheduleZeroBubbleH1(p, m));
  addNamed("zb-v", vPlacement(p), scheduleZeroBubbleV(p, m));
  for (unsigned chunks : {2, 3, 4})
    addNamed("interleaved", loopedPlacement(p, chunks),
             scheduleInterleaved(p, m, chunks));
}

void Search::refine(Finished &finished, uint64_t effort) {
  if (finished.cost == never)
    return;
  StepGraph steps = buildStepGraph(graph, request.cluster, finished.plan);
  Plan plan = finished.plan;
  OrderSearch order(steps, evaluator.caps(), random);
  order.improve(*plan.schedule, effort, bound);
  refined += effort;
  report();
  offer(std::move(plan));
}

std::string Search::explain() const {
  const Scored &least = *std::min_element(pool.begin(), pool.end());
  Evaluator judge(graph, request.cluster, request.microbatches);
  judge.build(least.candidate);
  const StepGraph &steps = judge.stepGraph();
  std::string text = "no plan fits into the memory caps";
  for (unsigned device = 0; device < devices; ++device) {
    int64_t need = steps.resident[device];
    for (unsigned stage = 0; stage < steps.stages(); ++stage)
      if (steps.stageDevice[stage] == device)
        need += std::max(steps.saved[stage] + steps.again[stage],
                         steps.pending[stage]);
    auto cap = static_cast<int64_t>(request.cluster.devices[device].memoryCap);
    if (cap > 0 && need > cap)
      return text + ": the nearest one found needs " + std::to_string(need) +
             " bytes on device " + std::to_string(device) +
             " for one microbatch, which is short by " +
             std::to_string(need - cap) +
             " bytes; smallest change that fits: "
             "raise its cap from " +
             std::to_string(cap) + " to " + std::to_string(need) + " bytes";
  }
  return text + ": parameters and one microbatch fit, but not with the "
                "messages that wait";
}

StepResult Search::run() {
  StepResult result;
  result.bounds = bounds;
  if (Error error = provenShortage(graph, request.cluster)) {
    result.error = "no plan fits into the memory caps: " + *error;
    return result;
  }
  addSeeds();
  addNamed();
  auto part = [&](double share, size_t count) {
    return static_cast<uint64_t>(share * static_cast<double>(request.effort) /
                                 static_cast<double>(count));
  };
  // Rounds with fewer and fewer candidates, colder and colder.
  struct Round {
    size_t count;
    double share, hot, cold;
  };
  for (const Round &round :
       {Round{pool.size(), 0.2, 0.02, 0.004}, Round{6, 0.2, 0.012, 0.002},
        Round{3, 0.25, 0.008, 0.001}, Round{1, 0.2, 0.004, 0.0001}}) {
    keepBest(round.count);
    for (Scored &scored : pool)
      anneal(scored, part(round.share, pool.size()), round.hot, round.cold);
  }
  for (const Scored &scored : pool)
    finish(scored);
  Finished start = best;
  if (!isDone())
    refine(start, part(0.15, 1));
  if (best.cost == never) {
    result.error = explain();
    return result;
  }
  best.plan.makespan = best.cost;
  best.plan.lowerBound = std::min(bound, best.cost);
  StepReport checked = checkStep(graph, request.cluster, best.plan);
  result.peak = checked.peak;
  if (checked.isValid())
    result.plan = std::move(best.plan);
  else
    result.error = checked.mistakes.front();
  return result;
}

StepResult panpipe::planner::searchStep(const StepRequest &request) {
  return Search(request).run();
}

Graph panpipe::planner::rescale(const Graph &graph, unsigned from, unsigned to,
                                double overhead) {
  Graph result = graph;
  if (from == to)
    return result;
  double ratio = static_cast<double>(from) / to;
  auto time = [&](double &value) {
    if (value > 0)
      value = std::max(0.0, value - overhead) * ratio + overhead;
  };
  auto bytes = [&](uint64_t &value) {
    value =
        static_cast<uint64_t>(std::ceil(static_cast<double>(value) * ratio));
  };
  for (Node &node : result.nodes) {
    for (double *value :
         {&node.forward, &node.backwardInput, &node.backwardWeight})
      time(*value);
    for (uint64_t *value :
         {&node.outBytes, &node.savedBytes, &node.weightBytes})
      bytes(*value);
  }
  for (Edge &edge : result.edges)
    bytes(edge.bytes);
  return result;
}
