//===- Partition.cpp - The pass pipe-partition ----------------------------===//
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

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace panpipe::pipe {
#define GEN_PASS_DEF_PIPEPARTITION
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

//===----------------------------------------------------------------------===//
// Mechanism: from a partition to stages
//===----------------------------------------------------------------------===//

namespace {
/// Moves the nodes of @main into stages, and runs the stages in their order.
class Outliner {
public:
  Outliner(func::FuncOp main, const CostGraph &graph,
           const planner::Partition &partition)
      : main(main), body(main.getBody().front()), partition(partition) {
    for (unsigned stage = 0; stage < partition.stages.size(); ++stage)
      for (unsigned node : partition.stages[stage])
        stageOf[graph.nodes[node]] = stage;
  }

  void run();

private:
  SmallVector<Operation *> collectOps(unsigned stage);
  SmallVector<Value> collectInputs(ArrayRef<Operation *> ops);
  SmallVector<Value> collectResults(unsigned stage, ArrayRef<Operation *> ops);
  StageOp createStage(unsigned stage, ArrayRef<Operation *> ops,
                      ArrayRef<Value> inputs, ArrayRef<Value> results);
  void nameArguments(StageOp stage, ArrayRef<Value> inputs);

  func::FuncOp main;
  Block &body;
  const planner::Partition &partition;
  llvm::DenseMap<Operation *, unsigned> stageOf;
};
} // namespace

/// The nodes of `stage` and the repeatable operations they need, in order.
SmallVector<Operation *> Outliner::collectOps(unsigned stage) {
  llvm::SmallPtrSet<Operation *, 16> needed;
  SmallVector<Operation *> ops;
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    auto it = stageOf.find(&op);
    bool isNode = it != stageOf.end() && it->second == stage;
    bool isNeededCopy = it == stageOf.end() && needed.contains(&op);
    if (!isNode && !isNeededCopy)
      continue;
    ops.push_back(&op);
    for (Value value : getReadValues(&op))
      if (Operation *producer = value.getDefiningOp())
        needed.insert(producer);
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

/// Values from outside: first inputs of the model and of other stages, in order
/// of use, then parameters in the order of @main.
SmallVector<Value> Outliner::collectInputs(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  llvm::SmallPtrSet<Value, 16> params;
  for (Operation *op : ops)
    for (Value value : getReadValues(op)) {
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && main.getArgAttr(argument.getArgNumber(), "panpipe.param"))
        params.insert(value);
      else if (argument || !inside.contains(value.getDefiningOp()))
        inputs.insert(value);
    }
  for (BlockArgument argument : main.getArguments())
    if (params.contains(argument))
      inputs.insert(argument);
  return inputs.takeVector();
}

/// Results of nodes that other stages or the model's result use.
SmallVector<Value> Outliner::collectResults(unsigned stage,
                                            ArrayRef<Operation *> ops) {
  SmallVector<Value> results;
  for (Operation *op : ops) {
    if (!stageOf.contains(op))
      continue;
    for (Value result : op->getResults()) {
      bool leaves = llvm::any_of(result.getUsers(), [&](Operation *user) {
        auto it = stageOf.find(body.findAncestorOpInBlock(*user));
        return it == stageOf.end() || it->second != stage;
      });
      if (leaves)
        results.push_back(result);
    }
  }
  return results;
}

/// Keeps the names of the model's inputs and parameters readable in the stage.
void Outliner::nameArguments(StageOp stage, ArrayRef<Value> inputs) {
  for (auto [index, value] : llvm::enumerate(inputs)) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      continue;
    for (StringRef name : {"panpipe.input", "panpipe.param"})
      if (Attribute attr = main.getArgAttr(argument.getArgNumber(), name))
        stage.setArgAttr(index, name, attr);
  }
}

/// `s<n>`, with a dot and a number if the module has that symbol already.
static std::string stageName(ModuleOp module, unsigned stage) {
  std::string base = "s" + std::to_string(stage), name = base;
  for (unsigned i = 0; module.lookupSymbol(name); ++i)
    name = base + "." + std::to_string(i);
  return name;
}

StageOp Outliner::createStage(unsigned number, ArrayRef<Operation *> ops,
                              ArrayRef<Value> inputs, ArrayRef<Value> results) {
  OpBuilder builder(main);
  auto type = builder.getFunctionType(TypeRange(ValueRange(inputs)),
                                      TypeRange(ValueRange(results)));
  Location location =
      builder.getFusedLoc({ops.front()->getLoc(), ops.back()->getLoc()});
  auto stage = StageOp::create(
      builder, location, stageName(main->getParentOfType<ModuleOp>(), number),
      type, partition.stageDevice[number], /*sym_visibility=*/nullptr,
      /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
  Block *block = builder.createBlock(&stage.getBody());
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, block->addArgument(input.getType(), input.getLoc()));
  builder.setInsertionPointToStart(block);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(mapping.lookup(result));
  YieldOp::create(builder, location, yielded);
  nameArguments(stage, inputs);
  return stage;
}

void Outliner::run() {
  SmallVector<Operation *> old;
  for (Operation &op : body.without_terminator())
    old.push_back(&op);
  OpBuilder builder(body.getTerminator());
  // Results of nodes, as values of the new @main.
  IRMapping mapping;
  for (unsigned number = 0; number < partition.stages.size(); ++number) {
    SmallVector<Operation *> ops = collectOps(number);
    SmallVector<Value> inputs = collectInputs(ops);
    SmallVector<Value> results = collectResults(number, ops);
    StageOp stage = createStage(number, ops, inputs, results);
    SmallVector<Value> operands;
    for (Value input : inputs)
      operands.push_back(mapping.lookupOrDefault(input));
    auto run = RunOp::create(builder, stage.getLoc(), stage.getResultTypes(),
                             stage.getSymName(), operands,
                             /*microbatch=*/nullptr);
    mapping.map(ValueRange(results), run.getResults());
  }
  Operation *terminator = body.getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    operand.set(mapping.lookupOrDefault(operand.get()));
  for (Operation *op : llvm::reverse(old))
    op->erase();
}

//===----------------------------------------------------------------------===//
// Policy and the pass
//===----------------------------------------------------------------------===//

namespace {
struct PipePartitionPass : pipe::impl::PipePartitionBase<PipePartitionPass> {
  using PipePartitionBase::PipePartitionBase;

  void runOnOperation() override {
    if (failed(apply()))
      signalPassFailure();
  }

private:
  LogicalResult apply();
  FailureOr<planner::PartitionRequest> makeRequest(const CostGraph &graph);
  FailureOr<planner::Plan> makePlan(const CostGraph &graph,
                                    const planner::CostModel &model);
};
} // namespace

FailureOr<planner::PartitionRequest>
PipePartitionPass::makeRequest(const CostGraph &graph) {
  ModuleOp module = getOperation();
  planner::PartitionRequest request{graph.graph, {}, microbatches};
  request.devices.resize(devices);
  if (memoryCap.size() > 1 && memoryCap.size() != devices)
    return emitError(module.getLoc(), "memory-cap lists ")
           << memoryCap.size() << " numbers for " << devices.getValue()
           << " devices";
  for (unsigned device = 0; device < devices && !memoryCap.empty(); ++device)
    request.devices[device].memoryCap =
        memoryCap[memoryCap.size() == 1 ? 0 : device];
  if (objective == "makespan" || (objective == "auto" && microbatches > 1))
    request.objective = planner::Objective::Makespan;
  else if (objective != "auto" && objective != "bottleneck")
    return emitError(module.getLoc(), "unknown objective \"")
           << objective << "\"; known ones are auto, bottleneck, makespan";
  return request;
}

FailureOr<planner::Plan>
PipePartitionPass::makePlan(const CostGraph &graph,
                            const planner::CostModel &model) {
  ModuleOp module = getOperation();
  planner::Plan plan;
  if (!planIn.empty()) {
    FailureOr<std::string> text = readWholeFile(module, planIn);
    if (failed(text))
      return failure();
    if (planner::Error error = planner::readPlan(*text, graph.graph, plan))
      return emitError(module.getLoc(), "plan ") << planIn << ": " << *error;
    return plan;
  }
  FailureOr<planner::PartitionRequest> request = makeRequest(graph);
  if (failed(request))
    return failure();
  planner::PartitionPolicy choose = nullptr;
  if (policy == "interval")
    choose = planner::partitionByIntervals;
  else if (policy == "even")
    choose = planner::partitionEvenly;
  else
    return emitError(module.getLoc(), "unknown policy \"")
           << policy << "\"; known ones are interval, even";
  planner::PartitionResult found = choose(*request);
  if (!found.partition)
    return emitError(module.getLoc(), found.error);
  plan.graph = graph.graph.name;
  plan.partition = *found.partition;
  plan.microbatches = microbatches;
  plan.costs = model.source();
  plan.makespan = planner::partitionCost(*request, plan.partition).makespan;
  request->objective = planner::Objective::Makespan;
  plan.lowerBound = planner::lowerBound(*request);
  return plan;
}

LogicalResult PipePartitionPass::apply() {
  ModuleOp module = getOperation();
  if (failed(expectLevel(module, Level::Model)))
    return failure();
  func::FuncOp main = getMain(module);
  if (!main || main.isExternal() || !main.getBody().hasOneBlock())
    return emitError(module.getLoc(),
                     "the module needs a func.func @main of one block");
  if (microbatches == 0)
    return emitError(module.getLoc(), "microbatches must be at least 1");
  const planner::DeviceDescription *device = lookUpDevice(module, deviceKind);
  if (!device)
    return failure();
  auto model = planner::createAnalyticModel(*device);
  CostGraph graph = buildModelGraph(module, *model, *device, microbatches);
  if (graph.nodes.empty())
    return emitError(main.getLoc(),
                     "@main computes nothing that could be put into stages");
  if (!graphOut.empty() &&
      failed(
          writeWholeFile(module, graphOut, planner::writeGraph(graph.graph))))
    return failure();
  FailureOr<planner::Plan> plan = makePlan(graph, *model);
  if (failed(plan))
    return failure();
  if (planner::Error error = plan->partition.verify(graph.graph))
    return emitError(module.getLoc(), "the partition is wrong: ") << *error;
  if (!planOut.empty() &&
      failed(writeWholeFile(module, planOut, planner::writePlan(*plan))))
    return failure();
  Outliner(main, graph, plan->partition).run();
  setLevel(module, Level::Staged);
  return success();
}
