//===- DumpPlan.cpp - The pass pipe-dump-plan -----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "PlanFiles.h"
#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"
#include "panpipe/Dialect/Pipe/Analysis/Levels.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/Planner/Search.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

namespace panpipe::pipe {
#define GEN_PASS_DEF_PIPEDUMPPLAN
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

namespace {
/// Rows of cells, printed in columns as wide as their widest cell.
class Table {
public:
  void addRow(ArrayRef<std::string> row) { rows.emplace_back(row); }
  void print(raw_ostream &os) const;

private:
  SmallVector<SmallVector<std::string>> rows;
};
} // namespace

void Table::print(raw_ostream &os) const {
  SmallVector<size_t> widths;
  for (const auto &row : rows)
    for (auto [column, cell] : llvm::enumerate(row)) {
      widths.resize(std::max(widths.size(), column + 1));
      widths[column] = std::max(widths[column], cell.size());
    }
  for (const auto &row : rows) {
    std::string line;
    for (auto [column, cell] : llvm::enumerate(row)) {
      line += cell;
      line.append(widths[column] - cell.size() + 2, ' ');
    }
    os << StringRef(line).rtrim() << "\n";
  }
}

static std::string formatTime(double milliseconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3f ms", milliseconds);
  return text;
}

static std::string formatBytes(uint64_t bytes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (bytes < 10000)
    os << bytes << " B";
  else if (bytes < 10000000)
    os << llvm::format("%.1f kB", static_cast<double>(bytes) / 1e3);
  else
    os << llvm::format("%.1f MB", static_cast<double>(bytes) / 1e6);
  return text;
}

static void printStages(raw_ostream &os, const CostGraph &graph,
                        const planner::Partition &partition,
                        const planner::PartitionCost &cost) {
  Table table;
  table.addRow({"stage", "device", "nodes", "time", "receives", "parameters",
                "memory", "first", "last"});
  for (auto [index, nodes] : llvm::enumerate(partition.stages)) {
    const planner::StageCost &stage = cost.stages[index];
    auto owner = cast<StageOp>(graph.nodes[nodes.front()]->getParentOp());
    table.addRow(
        {owner.getSymName().str(), std::to_string(partition.stageDevice[index]),
         std::to_string(nodes.size()), formatTime(stage.work),
         formatBytes(stage.received), formatBytes(stage.params),
         formatBytes(stage.memory), graph.graph.nodes[nodes.front()].name,
         graph.graph.nodes[nodes.back()].name});
  }
  table.print(os);
}

static void printPrediction(raw_ostream &os, planner::PartitionRequest request,
                            const planner::PartitionCost &cost) {
  auto line = [&](StringRef what, double value) {
    double bound = planner::lowerBound(request);
    os << what << " " << formatTime(value) << ", lower bound "
       << formatTime(bound);
    if (bound > 0)
      os << llvm::format(", gap %.1f %%", 100 * (value / bound - 1));
    os << "\n";
  };
  request.objective = planner::Objective::Bottleneck;
  line("slowest stage or transfer:", cost.bottleneck);
  request.objective = planner::Objective::Makespan;
  line("time for " + std::to_string(request.microbatches) +
           (request.microbatches == 1 ? " microbatch:" : " microbatches:"),
       cost.makespan);
}

/// The order of each device, and what its program holds.
static void printPrograms(raw_ostream &os, PipelineOp pipeline) {
  Table table;
  table.addRow({"device", "receives", "sends", "runs, in order"});
  for (auto program : pipeline.getBody().getOps<ProgramOp>()) {
    std::string order;
    uint64_t received = 0, sent = 0;
    for (Operation &op : program.getBody().front()) {
      if (auto recv = dyn_cast<RecvOp>(op))
        received += getTensorBytes(recv.getValue().getType());
      else if (auto send = dyn_cast<SendOp>(op))
        sent += getTensorBytes(send.getValue().getType());
      else if (auto run = dyn_cast<RunOp>(op))
        order += (order.empty() ? "" : " ") + run.getCallee().str() + "." +
                 std::to_string(run.getMicrobatch().value_or(0));
    }
    table.addRow({std::to_string(program.getDevice()), formatBytes(received),
                  formatBytes(sent), order});
  }
  table.print(os);
}

namespace {
struct PipeDumpPlanPass : pipe::impl::PipeDumpPlanBase<PipeDumpPlanPass> {
  using PipeDumpPlanBase::PipeDumpPlanBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    std::string text;
    llvm::raw_string_ostream os(text);
    if (failed(print(os)))
      return signalPassFailure();
    if (output == "-")
      llvm::errs() << text;
    else if (failed(writeWholeFile(getOperation(), output, text)))
      signalPassFailure();
  }

private:
  LogicalResult print(raw_ostream &os);
};
} // namespace

LogicalResult PipeDumpPlanPass::print(raw_ostream &os) {
  ModuleOp module = getOperation();
  const planner::DeviceDescription *device = lookUpDevice(module, deviceKind);
  if (!device)
    return failure();
  auto level = module->getAttrOfType<StringAttr>("panpipe.level");
  if (level && level.getValue() == levelName(Level::Scheduled)) {
    if (failed(verifyLevel(module, Level::Scheduled)))
      return failure();
    printPrograms(os, module.lookupSymbol<PipelineOp>("main"));
    return success();
  }
  bool isMicrobatched =
      level && level.getValue() == levelName(Level::Microbatched);
  if (failed(verifyLevel(module,
                         isMicrobatched ? Level::Microbatched : Level::Staged)))
    return failure();
  unsigned count = std::max(1u, microbatches.getValue());
  if (isMicrobatched) {
    count = 1;
    for (auto run : getMain(module).getBody().getOps<RunOp>())
      count = std::max<unsigned>(count, run.getMicrobatch().value_or(0) + 1);
  }
  auto model = planner::createAnalyticModel(*device);
  planner::Partition partition;
  // Bodies of level MICROBATCHED compute one microbatch already.
  CostGraph graph = buildStagedGraph(module, *model, *device,
                                     isMicrobatched ? 1 : count, partition);
  planner::PartitionRequest request{
      graph.graph, std::vector<planner::DeviceSpec>(partition.devices), count};
  planner::PartitionCost cost = planner::partitionCost(request, partition);
  os << "plan of " << graph.graph.name << ": " << partition.stages.size()
     << " stages on " << partition.devices << " devices, " << count
     << (count == 1 ? " microbatch" : " microbatches") << ", costs "
     << model->source() << "\n";
  printStages(os, graph, partition, cost);
  printPrediction(os, request, cost);
  return success();
}
