//===- Programs.cpp - From a schedule to device programs ------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "panpipe/Dialect/Pipe/Analysis/Levels.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

RunTable::RunTable(func::FuncOp main) {
  auto module = main->getParentOfType<ModuleOp>();
  llvm::DenseMap<StringRef, unsigned> ids;
  for (auto run : main.getBody().getOps<RunOp>()) {
    auto stage = module.lookupSymbol<StageOp>(run.getCallee());
    StringRef name = getStageGroup(stage);
    auto [it, isNew] = ids.try_emplace(name, stages.size());
    if (isNew) {
      stages.push_back(name);
      stageDevice.push_back(stage.getDevice());
      runs.emplace_back();
    }
    unsigned microbatch = run.getMicrobatch().value_or(0);
    std::vector<RunOp> &list = runs[it->second];
    list.resize(std::max<size_t>(list.size(), microbatch + 1));
    list[microbatch] = run;
    position[run] = {it->second, microbatch};
  }
}

void pipe::collectRunResults(Value value, llvm::SetVector<OpResult> &results) {
  Operation *producer = value.getDefiningOp();
  if (!producer)
    return;
  if (isa<RunOp>(producer))
    results.insert(cast<OpResult>(value));
  else
    for (Value operand : producer->getOperands())
      collectRunResults(operand, results);
}

namespace {
/// Writes the programs. Channels are planned first: who needs which value, and
/// in which order its producer sends; then each program is written on its own.
class PipelineBuilder {
public:
  PipelineBuilder(func::FuncOp main, const RunTable &table,
                  const planner::Schedule &schedule)
      : main(main), table(table), schedule(schedule), builder(main) {}

  void run();

private:
  /// Source device, destination device, tag.
  using Channel = std::tuple<unsigned, unsigned, unsigned>;
  struct Queue {
    SmallVector<OpResult> values; ///< In the order they are sent.
    size_t received = 0;
  };

  unsigned getTag(OpResult value) const;
  unsigned getDevice(OpResult value) const {
    return table.getDevice(cast<RunOp>(value.getOwner()));
  }
  unsigned getDeliverDevice(Value value) const;
  void planNeeds();
  void planChannels();
  void writeProgram(unsigned device);
  void writeRun(unsigned device, RunOp run);
  Value get(unsigned device, Value value);
  void receive(unsigned device, OpResult value);
  void writeFrees(Block &block);

  func::FuncOp main;
  const RunTable &table;
  const planner::Schedule &schedule;
  OpBuilder builder;
  PipelineOp pipeline;
  SmallVector<unsigned> firstTag; ///< Per stage.
  /// Devices other than its own that need the result of a run, ascending.
  llvm::DenseMap<Value, SmallVector<unsigned>> needs;
  std::map<Channel, Queue> channels;
  llvm::DenseMap<Value, Value> local; ///< Of the program being written.
};
} // namespace

/// The number of the value among all results of all stages: the same for every
/// microbatch.
unsigned PipelineBuilder::getTag(OpResult value) const {
  unsigned stage = table.position.lookup(value.getOwner()).stage;
  return firstTag[stage] + value.getResultNumber();
}

/// A result is delivered where the last of its parts is made.
unsigned PipelineBuilder::getDeliverDevice(Value value) const {
  llvm::SetVector<OpResult> parts;
  collectRunResults(value, parts);
  if (!parts.empty())
    return getDevice(parts.back());
  return *std::min_element(table.stageDevice.begin(), table.stageDevice.end());
}

void PipelineBuilder::planNeeds() {
  auto need = [&](Value value, unsigned device) {
    llvm::SetVector<OpResult> parts;
    collectRunResults(value, parts);
    for (OpResult part : parts)
      if (getDevice(part) != device && !llvm::is_contained(needs[part], device))
        needs[part].push_back(device);
  };
  for (auto run : main.getBody().getOps<RunOp>())
    for (Value operand : run.getOperands())
      need(operand, table.getDevice(run));
  for (Value value : main.getBody().front().getTerminator()->getOperands())
    need(value, getDeliverDevice(value));
  for (auto &entry : needs)
    llvm::sort(entry.second);
  unsigned next = 0;
  for (const std::vector<RunOp> &runs : table.runs) {
    firstTag.push_back(next);
    next += RunOp(runs.front()).getNumResults();
  }
}

void PipelineBuilder::planChannels() {
  for (unsigned device = 0; device < schedule.order.size(); ++device)
    for (const planner::Instruction &instruction : schedule.order[device]) {
      RunOp run = table.runs[instruction.stage][instruction.microbatch];
      for (OpResult result : run->getOpResults())
        for (unsigned target : needs.lookup(result))
          channels[{device, target, getTag(result)}].values.push_back(result);
    }
}

/// Takes values from the channel of `value` until it has come. Those before it
/// were sent earlier, so this waits for nothing that `value` does not need.
void PipelineBuilder::receive(unsigned device, OpResult value) {
  unsigned source = getDevice(value), tag = getTag(value);
  Queue &queue = channels[{source, device, tag}];
  while (!local.contains(value)) {
    assert(queue.received < queue.values.size() && "every need is planned");
    OpResult next = queue.values[queue.received++];
    local[next] =
        RecvOp::create(builder, next.getLoc(), next.getType(), source, tag);
  }
}

/// The value in the program of `device`: received, or made of what is there.
Value PipelineBuilder::get(unsigned device, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return pipeline.getBody().getArgument(argument.getArgNumber());
  if (Value known = local.lookup(value))
    return known;
  Operation *producer = value.getDefiningOp();
  if (isa<RunOp>(producer)) {
    assert(getDevice(cast<OpResult>(value)) != device &&
           "the schedule runs a stage before its users");
    receive(device, cast<OpResult>(value));
    return local.lookup(value);
  }
  SmallVector<Value> operands;
  for (Value operand : producer->getOperands())
    operands.push_back(get(device, operand));
  Operation *copy = builder.clone(*producer);
  copy->setOperands(operands);
  for (auto [original, result] :
       llvm::zip(producer->getResults(), copy->getResults()))
    local[original] = result;
  return local.lookup(value);
}

void PipelineBuilder::writeRun(unsigned device, RunOp run) {
  SmallVector<Value> operands;
  for (Value operand : run.getOperands())
    operands.push_back(get(device, operand));
  auto copy = cast<RunOp>(builder.clone(*run));
  copy->setOperands(operands);
  for (auto [original, result] :
       llvm::zip(run->getOpResults(), copy.getResults())) {
    local[original] = result;
    for (unsigned target : needs.lookup(original))
      SendOp::create(builder, run.getLoc(), result, target, getTag(original));
  }
}

/// A pipe.free after the last use of each value, or after its definition.
void PipelineBuilder::writeFrees(Block &block) {
  llvm::DenseMap<Operation *, unsigned> order;
  SmallVector<Operation *> ops;
  for (Operation &op : block) {
    order[&op] = ops.size();
    ops.push_back(&op);
  }
  SmallVector<SmallVector<Value>> dying(ops.size());
  for (auto [index, op] : llvm::enumerate(ops))
    for (Value result : op->getResults()) {
      unsigned last = index;
      for (Operation *user : result.getUsers())
        last = std::max(last, order.lookup(user));
      dying[last].push_back(result);
    }
  for (auto [op, values] : llvm::zip(ops, dying)) {
    builder.setInsertionPointAfter(op);
    for (Value value : values)
      FreeOp::create(builder, op->getLoc(), value);
  }
}

void PipelineBuilder::writeProgram(unsigned device) {
  OpBuilder::InsertionGuard guard(builder);
  auto program = ProgramOp::create(builder, main.getLoc(), device);
  Block *block = builder.createBlock(&program.getBody());
  local.clear();
  for (const planner::Instruction &instruction : schedule.order[device])
    writeRun(device, table.runs[instruction.stage][instruction.microbatch]);
  Operation *terminator = main.getBody().front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands())
    if (getDeliverDevice(operand.get()) == device)
      DeliverOp::create(builder, terminator->getLoc(),
                        get(device, operand.get()), operand.getOperandNumber());
  writeFrees(*block);
}

void PipelineBuilder::run() {
  planNeeds();
  planChannels();
  pipeline = PipelineOp::create(builder, main.getLoc(), main.getSymName(),
                                main.getFunctionType(),
                                /*sym_visibility=*/nullptr,
                                main.getArgAttrsAttr(), main.getResAttrsAttr());
  Block *block = builder.createBlock(&pipeline.getBody());
  for (BlockArgument argument : main.getArguments())
    block->addArgument(argument.getType(), argument.getLoc());
  for (unsigned device = 0; device < schedule.order.size(); ++device)
    if (!schedule.order[device].empty())
      writeProgram(device);
  main.erase();
}

void pipe::buildPipeline(func::FuncOp main, const RunTable &table,
                         const planner::Schedule &schedule) {
  PipelineBuilder(main, table, schedule).run();
}
