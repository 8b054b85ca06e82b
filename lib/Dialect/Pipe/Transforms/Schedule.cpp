//===- Schedule.cpp - The pass pipe-schedule ------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "PlanFiles.h"
#include "Programs.h"
#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"
#include "panpipe/Dialect/Pipe/Analysis/Levels.h"
#include "panpipe/Planner/Simulator.h"

#include <map>

namespace panpipe::pipe {
#define GEN_PASS_DEF_PIPESCHEDULE
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

/// Predicted time of a stage, from its body.
static double stageTime(StageOp stage, const planner::CostModel &model) {
  auto module = stage->getParentOfType<ModuleOp>();
  double time = 0;
  for (Operation &op : stage.getBody().front().without_terminator()) {
    if (isRepeatable(&op))
      continue;
    planner::Work work = countWork(&op, module, [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner()->getParentOp() == stage &&
             stage.getArgAttr(argument.getArgNumber(), "panpipe.param");
    });
    time += model.milliseconds(work, 1);
  }
  return time;
}

/// The stage graph of @main; transfers are those of microbatch 0.
static planner::StageGraph
buildStageGraph(const RunTable &table, ModuleOp module,
                const planner::CostModel &model,
                const planner::DeviceDescription &device) {
  planner::StageGraph graph;
  graph.stageDevice = table.stageDevice;
  graph.link = {device.linkLatency, device.linkBandwidth};
  graph.microbatches = table.runs.front().size();
  for (unsigned number : table.stageDevice)
    graph.devices = std::max(graph.devices, number + 1);
  graph.memory.assign(graph.devices, 0);
  llvm::DenseMap<StringRef, double> times;
  std::map<std::pair<unsigned, unsigned>, llvm::SetVector<OpResult>> crossing;
  for (unsigned stage = 0; stage < table.runs.size(); ++stage) {
    graph.time.emplace_back();
    for (RunOp run : table.runs[stage]) {
      auto [it, isNew] = times.try_emplace(run.getCallee(), 0);
      if (isNew)
        it->second =
            stageTime(module.lookupSymbol<StageOp>(run.getCallee()), model);
      graph.time.back().push_back(it->second);
    }
    RunOp first = table.runs[stage].front();
    for (Value operand : first.getOperands()) {
      llvm::SetVector<OpResult> parts;
      collectRunResults(operand, parts);
      for (OpResult part : parts)
        if (unsigned source = table.position.lookup(part.getOwner()).stage;
            source != stage)
          crossing[{source, stage}].insert(part);
    }
  }
  for (auto &[stages, values] : crossing) {
    uint64_t bytes = 0;
    for (OpResult value : values)
      bytes += getTensorBytes(value.getType());
    graph.transfers.push_back({stages.first, stages.second, bytes});
  }
  return graph;
}

namespace {
struct PipeSchedulePass : pipe::impl::PipeScheduleBase<PipeSchedulePass> {
  using PipeScheduleBase::PipeScheduleBase;

  void runOnOperation() override {
    if (failed(apply()))
      signalPassFailure();
  }

private:
  LogicalResult apply();
  FailureOr<planner::Schedule> chooseSchedule(const planner::StageGraph &graph);
  LogicalResult writePlanFile(const planner::CostModel &model,
                              const planner::DeviceDescription &device,
                              const planner::StageGraph &graph,
                              const planner::Schedule &schedule);
};
} // namespace

FailureOr<planner::Schedule>
PipeSchedulePass::chooseSchedule(const planner::StageGraph &graph) {
  Location location = getOperation().getLoc();
  planner::Schedule schedule;
  if (planIn.empty()) {
    schedule = planner::scheduleForward(graph);
    if (planner::Error error =
            schedule.verify(graph.stageDevice, graph.dependences()))
      return emitError(location, "the schedule is wrong: ") << *error;
    return schedule;
  }
  FailureOr<std::string> text = readWholeFile(getOperation(), planIn);
  if (failed(text))
    return failure();
  if (planner::Error error =
          planner::readSchedule(*text, graph.stageDevice, graph.dependences(),
                                graph.microbatches, schedule))
    return emitError(location, "plan ") << planIn.getValue() << ": " << *error;
  if (schedule.order.size() != graph.devices)
    return emitError(location, "plan ")
           << planIn.getValue() << ": \"order\" has " << schedule.order.size()
           << " lists for " << graph.devices << " devices";
  return schedule;
}

LogicalResult PipeSchedulePass::writePlanFile(
    const planner::CostModel &model, const planner::DeviceDescription &device,
    const planner::StageGraph &graph, const planner::Schedule &schedule) {
  if (planOut.empty())
    return success();
  planner::Plan plan;
  // Bodies of this level compute one microbatch already.
  CostGraph nodes =
      buildStagedGraph(getOperation(), model, device, 1, plan.partition);
  plan.graph = nodes.graph.name;
  plan.microbatches = schedule.microbatches;
  plan.schedule = schedule;
  plan.costs = model.source();
  plan.makespan = planner::simulate(graph, schedule).makespan;
  return writeWholeFile(getOperation(), planOut, planner::writePlan(plan));
}

LogicalResult PipeSchedulePass::apply() {
  ModuleOp module = getOperation();
  if (failed(verifyLevel(module, Level::Microbatched)))
    return failure();
  const planner::DeviceDescription *device = lookUpDevice(module, deviceKind);
  if (!device)
    return failure();
  func::FuncOp main = getMain(module);
  RunTable table(main);
  if (table.runs.empty())
    return emitError(main.getLoc(), "@main runs no stage");
  auto model = planner::createAnalyticModel(*device);
  planner::StageGraph graph = buildStageGraph(table, module, *model, *device);
  FailureOr<planner::Schedule> schedule = chooseSchedule(graph);
  if (failed(schedule) ||
      failed(writePlanFile(*model, *device, graph, *schedule)))
    return failure();
  buildPipeline(main, table, *schedule);
  setLevel(module, Level::Scheduled);
  return success();
}
