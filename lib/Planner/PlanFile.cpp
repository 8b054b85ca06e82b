//===- PlanFile.cpp - The format pipe-plan/1 ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Json.h"

#include "panpipe/Planner/Plan.h"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <map>
#include <set>

using namespace panpipe::planner;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

using NameMap = std::map<std::string, std::vector<unsigned>>;

/// A node by position or by a name that only one node has.
static Error readNodeReference(const json::Value &value,
                               const std::string &where, const NameMap &names,
                               unsigned &node) {
  if (value.IsUint()) {
    node = value.GetUint();
    return std::nullopt;
  }
  if (!value.IsString())
    return where + " must list positions or names of nodes";
  std::string name(value.GetString(), value.GetStringLength());
  auto it = names.find(name);
  if (it == names.end())
    return where + " holds a node \"" + name + "\", which the model lacks";
  if (it->second.size() > 1)
    return where + " holds a node \"" + name + "\", but the model has " +
           std::to_string(it->second.size()) +
           " nodes of this name: give its position";
  node = it->second.front();
  return std::nullopt;
}

static Error readStages(const json::Value &document, const Graph &graph,
                        Partition &partition) {
  NameMap names;
  for (unsigned node = 0; node < graph.nodes.size(); ++node)
    names[graph.nodes[node].name].push_back(node);
  const json::Value *stages = nullptr, *devices = nullptr;
  if (Error e = json::readArray(document, "stages", true, "plan", stages))
    return e;
  if (Error e =
          json::readArray(document, "stage_device", true, "plan", devices))
    return e;
  for (unsigned i = 0; i < stages->Size(); ++i) {
    std::string where = "stage " + std::to_string(i);
    if (!(*stages)[i].IsArray())
      return where + " must be a list of nodes";
    std::vector<unsigned> nodes;
    for (const json::Value &value : (*stages)[i].GetArray()) {
      unsigned node = 0;
      if (Error e = readNodeReference(value, where, names, node))
        return e;
      nodes.push_back(node);
    }
    partition.stages.push_back(nodes);
  }
  for (const json::Value &value : devices->GetArray()) {
    if (!value.IsUint())
      return std::string("\"stage_device\" must list devices");
    partition.stageDevice.push_back(value.GetUint());
  }
  return std::nullopt;
}

/// `<F|B|W><stage>.<microbatch>`.
static bool parseShort(const std::string &text, char &kind, Instruction &run) {
  size_t dot = text.find('.');
  if (text.size() < 4 || dot == std::string::npos || dot < 2 ||
      dot + 1 >= text.size() || text.size() > 18)
    return false;
  kind = text[0];
  unsigned *fields[] = {&run.stage, &run.microbatch};
  std::string parts[] = {text.substr(1, dot - 1), text.substr(dot + 1)};
  for (int i = 0; i < 2; ++i) {
    *fields[i] = 0;
    for (char c : parts[i]) {
      if (c < '0' || c > '9' || *fields[i] > 100000000)
        return false;
      *fields[i] = *fields[i] * 10 + static_cast<unsigned>(c - '0');
    }
  }
  return true;
}

static Error readInstruction(const json::Value &value, const std::string &where,
                             Instruction &run) {
  std::string text;
  char kind = 0;
  if (value.IsString()) {
    text.assign(value.GetString(), value.GetStringLength());
    if (!parseShort(text, kind, run))
      return where + ": \"" + text +
             "\" is not of the form <F|B|W><stage>.<microbatch>";
  } else {
    if (Error e = json::readString(value, "kind", true, where, text))
      return e;
    if (Error e = json::readIndex(value, "stage", true, where, run.stage))
      return e;
    if (Error e =
            json::readIndex(value, "microbatch", true, where, run.microbatch))
      return e;
    kind = text.size() == 1 ? text[0] : 0;
  }
  size_t phase = std::string("FBW").find(kind);
  if (kind == 0 || phase == std::string::npos)
    return where + ": \"" + text +
           "\" is none of the kinds F (forward), B (input gradient) and W "
           "(weight gradient)";
  run.phase = static_cast<Phase>(phase);
  return std::nullopt;
}

static Error readOrder(const json::Value &order, Schedule &schedule) {
  for (unsigned device = 0; device < order.Size(); ++device) {
    std::string where = "order of device " + std::to_string(device);
    if (!order[device].IsArray())
      return where + " must be a list of instructions";
    schedule.order.emplace_back();
    for (const json::Value &value : order[device].GetArray()) {
      Instruction run;
      if (Error e = readInstruction(value, where, run))
        return e;
      schedule.order.back().push_back(run);
    }
  }
  return std::nullopt;
}

static std::vector<std::pair<unsigned, unsigned>>
stageDependences(const Graph &graph, const Partition &partition) {
  std::vector<unsigned> stage = partition.stageOf(graph);
  std::set<std::pair<unsigned, unsigned>> pairs;
  for (const Edge &edge : graph.edges)
    if (stage[edge.source] != stage[edge.target])
      pairs.insert({stage[edge.source], stage[edge.target]});
  return {pairs.begin(), pairs.end()};
}

static Error readRemarks(const json::Value &document, Plan &plan) {
  if (Error e = json::readString(document, "costs", false, "plan", plan.costs))
    return e;
  if (Error e =
          json::readString(document, "policy", false, "plan", plan.policy))
    return e;
  for (auto [name, result] : {std::pair("makespan", &plan.makespan),
                              std::pair("lower_bound", &plan.lowerBound)}) {
    double value = -1;
    if (Error e = json::readNumber(document, name, false, "plan", value))
      return e;
    if (value >= 0)
      *result = value;
  }
  return std::nullopt;
}

/// Which stages recompute: a list of stages.
static Error readRecompute(const json::Value &document, Plan &plan) {
  const json::Value *list = nullptr;
  if (Error e = json::readArray(document, "recompute", false, "plan", list))
    return e;
  if (!list)
    return std::nullopt;
  plan.recompute.assign(plan.partition.stages.size(), 0);
  for (const json::Value &value : list->GetArray()) {
    if (!value.IsUint() || value.GetUint() >= plan.recompute.size())
      return std::string("\"recompute\" must list stages");
    plan.recompute[value.GetUint()] = 1;
  }
  return std::nullopt;
}

/// The schedule's stage numbers follow the stages into their sorted order.
static Error finishSchedule(const Graph &graph, const Partition &given,
                            Plan &plan) {
  if (plan.schedule->order.size() != plan.partition.devices)
    return "\"order\" has " + std::to_string(plan.schedule->order.size()) +
           " lists for " + std::to_string(plan.partition.devices) + " devices";
  std::vector<unsigned> stageOf = plan.partition.stageOf(graph);
  for (std::vector<Instruction> &list : plan.schedule->order)
    for (Instruction &run : list)
      if (run.stage < given.stages.size())
        run.stage = stageOf[given.stages[run.stage].front()];
  bool isForward = true;
  for (const std::vector<Instruction> &list : plan.schedule->order)
    for (const Instruction &run : list)
      isForward &= run.phase == Phase::Forward;
  // Steps with backward runs have more rules: checkStep.
  if (!isForward || graph.isTraining())
    return std::nullopt;
  return plan.schedule->verify(plan.partition.stageDevice,
                               stageDependences(graph, plan.partition));
}

Error panpipe::planner::readPlan(const std::string &text, const Graph &graph,
                                 Plan &plan) {
  rapidjson::Document document;
  if (Error e = json::parseFile(text, "pipe-plan/1", document))
    return e;
  plan = Plan();
  if (Error e = json::readString(document, "graph", false, "plan", plan.graph))
    return e;
  if (Error e = json::readIndex(document, "devices", true, "plan",
                                plan.partition.devices))
    return e;
  if (Error e = json::readIndex(document, "microbatches", false, "plan",
                                plan.microbatches))
    return e;
  if (plan.microbatches == 0)
    return std::string("plan: \"microbatches\" must be at least 1");
  if (Error e = readRemarks(document, plan))
    return e;
  if (Error e = readStages(document, graph, plan.partition))
    return e;
  if (Error e = readRecompute(document, plan))
    return e;
  Partition given = plan.partition;
  if (Error e = sortStages(graph, plan.partition))
    return e;
  std::vector<char> recompute = plan.recompute;
  std::vector<unsigned> newStage = plan.partition.stageOf(graph);
  for (size_t stage = 0; stage < recompute.size(); ++stage)
    plan.recompute[newStage[given.stages[stage].front()]] = recompute[stage];
  const json::Value *order = nullptr;
  if (Error e = json::readArray(document, "order", false, "plan", order))
    return e;
  if (!order)
    return std::nullopt;
  plan.schedule.emplace();
  plan.schedule->microbatches = plan.microbatches;
  if (Error e = readOrder(*order, *plan.schedule))
    return e;
  return finishSchedule(graph, given, plan);
}

Error panpipe::planner::readSchedule(
    const std::string &text, const std::vector<unsigned> &stageDevice,
    const std::vector<std::pair<unsigned, unsigned>> &dependences,
    unsigned microbatches, Schedule &schedule) {
  rapidjson::Document document;
  if (Error e = json::parseFile(text, "pipe-plan/1", document))
    return e;
  schedule = Schedule();
  if (Error e = json::readIndex(document, "microbatches", true, "plan",
                                schedule.microbatches))
    return e;
  if (schedule.microbatches != microbatches)
    return "the plan is for " + std::to_string(schedule.microbatches) +
           " microbatches, but the module has " + std::to_string(microbatches);
  const json::Value *order = nullptr;
  if (Error e = json::readArray(document, "order", true, "plan", order))
    return e;
  if (Error e = readOrder(*order, schedule))
    return e;
  return schedule.verify(stageDevice, dependences);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

using Writer = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

static void writeNumbers(Writer &writer, const std::vector<unsigned> &numbers) {
  writer.StartArray();
  for (unsigned number : numbers)
    writer.Uint(number);
  writer.EndArray();
}

static void writeOrder(Writer &writer, const Schedule &schedule) {
  writer.Key("order");
  writer.StartArray();
  for (const std::vector<Instruction> &list : schedule.order) {
    writer.StartArray();
    for (const Instruction &run : list)
      writer.String(instructionText(run).c_str());
    writer.EndArray();
  }
  writer.EndArray();
}

std::string panpipe::planner::writePlan(const Plan &plan) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.SetIndent(' ', 1);
  writer.SetFormatOptions(rapidjson::kFormatSingleLineArray);
  writer.StartObject();
  writer.Key("format");
  writer.String("pipe-plan/1");
  writer.Key("graph");
  writer.String(plan.graph.c_str());
  writer.Key("devices");
  writer.Uint(plan.partition.devices);
  writer.Key("microbatches");
  writer.Uint(plan.microbatches);
  writer.Key("stages");
  writer.StartArray();
  for (const std::vector<unsigned> &stage : plan.partition.stages)
    writeNumbers(writer, stage);
  writer.EndArray();
  writer.Key("stage_device");
  writeNumbers(writer, plan.partition.stageDevice);
  if (plan.schedule)
    writeOrder(writer, *plan.schedule);
  std::vector<unsigned> recompute;
  for (unsigned stage = 0; stage < plan.recompute.size(); ++stage)
    if (plan.recompute[stage])
      recompute.push_back(stage);
  if (!recompute.empty()) {
    writer.Key("recompute");
    writeNumbers(writer, recompute);
  }
  if (!plan.policy.empty()) {
    writer.Key("policy");
    writer.String(plan.policy.c_str());
  }
  if (!plan.costs.empty()) {
    writer.Key("costs");
    writer.String(plan.costs.c_str());
  }
  if (plan.makespan) {
    writer.Key("makespan");
    writer.Double(*plan.makespan);
  }
  if (plan.lowerBound) {
    writer.Key("lower_bound");
    writer.Double(*plan.lowerBound);
  }
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}
