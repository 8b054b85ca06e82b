//===- CostGraph.cpp - From IR to a cost graph ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Analysis/CostGraph.h"

#include "panpipe/Dialect/Pipe/Analysis/Levels.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

uint64_t pipe::getTensorBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  Type element = tensor.getElementType();
  uint64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return tensor.getNumElements() * ((bits + 7) / 8);
}

SmallVector<Value> pipe::getReadValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

static bool isRepeatableChain(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  if (!isa<tensor::EmptyOp, tensor::SplatOp, linalg::FillOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Operation *producer = operand.getDefiningOp();
    return producer && isRepeatableChain(producer);
  });
}

bool pipe::isRepeatable(Operation *op) {
  return isRepeatableChain(op) &&
         llvm::none_of(op->getUsers(), [](Operation *user) {
           return user->hasTrait<OpTrait::ReturnLike>();
         });
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Scalar operations of one payload operation, in additions.
static double scalarCost(Operation *op) {
  if (isa<math::MathDialect>(op->getDialect()))
    return isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp,
               math::CeilOp>(op)
               ? 1
               : 10;
  if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
          arith::RemSIOp, arith::RemUIOp>(op))
    return 4;
  if (isa<tensor::ExtractOp>(op))
    return 2;
  return isa<arith::ArithDialect>(op->getDialect()) &&
                 !op->hasTrait<OpTrait::ConstantLike>()
             ? 1
             : 0;
}

static void countLinalg(linalg::LinalgOp op, planner::Work &work) {
  double iterations = 1;
  for (int64_t range : op.getStaticLoopRanges())
    iterations *= ShapedType::isDynamic(range) ? 1 : static_cast<double>(range);
  double payload = 0;
  for (Operation &inner : *op.getBlock())
    payload += scalarCost(&inner);
  // Pooling has the access pattern of a convolution, but no product.
  bool isContraction = linalg::isaContractionOpInterface(op) ||
                       (linalg::isaConvolutionOpInterface(op) && payload > 1);
  (isContraction ? work.contractionOps : work.otherOps) += iterations * payload;
}

/// Adds the scalar operations of `op`, those of a callee included.
static void countOps(Operation *op, ModuleOp module, planner::Work &work) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    countLinalg(linalgOp, work);
  } else if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (callee && !callee.isExternal())
      for (Operation &inner : callee.getBody().front())
        countOps(&inner, module, work);
  } else if (op->getNumResults() == 1) {
    if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
        type && type.hasStaticShape())
      work.otherOps +=
          static_cast<double>(type.getNumElements()) * scalarCost(op);
  }
}

/// Moves no bytes: another shape for the same elements.
static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ReshapeOp>(op);
}

planner::Work pipe::countWork(Operation *op, ModuleOp module,
                              llvm::function_ref<bool(Value)> isParam) {
  planner::Work work;
  if (isView(op))
    return work;
  countOps(op, module, work);
  for (Value value : getReadValues(op)) {
    // An empty tensor is written, not read.
    if (value.getDefiningOp<tensor::EmptyOp>())
      continue;
    (isParam(value) ? work.paramBytes : work.dataBytes) +=
        getTensorBytes(value.getType());
  }
  for (Type type : op->getResultTypes())
    work.dataBytes += getTensorBytes(type);
  return work;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
/// Collects nodes and edges. `resolve` leads a value to the result of a node or
/// the argument of @main that it stands for.
class GraphBuilder {
public:
  GraphBuilder(ModuleOp module, const planner::CostModel &model,
               const planner::DeviceDescription &device, unsigned microbatches,
               std::function<Value(Value)> resolve)
      : module(module), model(model), microbatches(std::max(1u, microbatches)),
        resolve(std::move(resolve)) {
    result.graph.name = module.getSymName().value_or("model").str();
    result.graph.link = {device.linkLatency, device.linkBandwidth};
  }

  void addParams(FunctionOpInterface main);
  void addNode(Operation *op);
  void markOutput(Value value);
  CostGraph take() { return std::move(result); }

private:
  uint64_t share(uint64_t bytes) const {
    return (bytes + microbatches - 1) / microbatches;
  }

  ModuleOp module;
  const planner::CostModel &model;
  uint64_t microbatches;
  std::function<Value(Value)> resolve;
  llvm::DenseMap<Value, unsigned> params;
  llvm::DenseMap<Operation *, unsigned> ids;
  CostGraph result;
};
} // namespace

void GraphBuilder::addParams(FunctionOpInterface main) {
  for (BlockArgument argument : main.getArguments()) {
    auto name = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                  "panpipe.param");
    if (!name)
      continue;
    params[argument] = result.graph.params.size();
    result.graph.params.push_back(
        {name.str(), getTensorBytes(argument.getType())});
  }
}

void GraphBuilder::addNode(Operation *op) {
  unsigned id = result.nodes.size();
  ids[op] = id;
  planner::Node node;
  node.name = getModulePath(op);
  planner::Work work = countWork(
      op, module, [&](Value value) { return params.contains(resolve(value)); });
  node.forward = model.milliseconds(work, microbatches);
  for (Type type : op->getResultTypes())
    node.outBytes += share(getTensorBytes(type));
  for (Value read : getReadValues(op)) {
    Value value = resolve(read);
    if (auto it = params.find(value); it != params.end()) {
      node.params.push_back(it->second);
    } else if (auto it = ids.find(value.getDefiningOp()); it != ids.end()) {
      result.graph.edges.push_back(
          {it->second, id, share(getTensorBytes(value.getType())),
           cast<OpResult>(value).getResultNumber(), /*gradient=*/false});
    }
  }
  result.nodes.push_back(op);
  result.graph.nodes.push_back(node);
}

void GraphBuilder::markOutput(Value value) {
  if (auto it = ids.find(resolve(value).getDefiningOp()); it != ids.end())
    result.graph.nodes[it->second].isOutput = true;
}

CostGraph pipe::buildModelGraph(ModuleOp module,
                                const planner::CostModel &model,
                                const planner::DeviceDescription &device,
                                unsigned microbatches) {
  func::FuncOp main = getMain(module);
  GraphBuilder builder(module, model, device, microbatches,
                       [](Value value) { return value; });
  builder.addParams(main);
  Block &body = main.getBody().front();
  for (Operation &op : body.without_terminator())
    if (!isRepeatable(&op))
      builder.addNode(&op);
  for (Value value : body.getTerminator()->getOperands())
    builder.markOutput(value);
  return builder.take();
}

/// Leads a value of a stage, or of @main, to the node's result or the argument
/// of @main that it stands for. Splits and joins of the batch are looked
/// through.
static Value resolveStaged(Value value, ModuleOp module,
                           const llvm::DenseMap<Operation *, RunOp> &runOf) {
  for (;;) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto it = runOf.find(argument.getOwner()->getParentOp());
      if (it == runOf.end())
        return value;
      RunOp run = it->second;
      value = run.getOperand(argument.getArgNumber());
    } else if (auto run = value.getDefiningOp<RunOp>()) {
      auto stage = module.lookupSymbol<StageOp>(run.getCallee());
      value = stage.getBody().front().getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    } else if (auto split = value.getDefiningOp<SplitOp>()) {
      value = split.getSource();
    } else if (auto concat = value.getDefiningOp<ConcatOp>()) {
      value = concat.getPieces().front();
    } else {
      return value;
    }
  }
}

CostGraph pipe::buildStagedGraph(ModuleOp module,
                                 const planner::CostModel &model,
                                 const planner::DeviceDescription &device,
                                 unsigned microbatches,
                                 planner::Partition &partition) {
  func::FuncOp main = getMain(module);
  llvm::DenseMap<Operation *, RunOp> runOf;
  SmallVector<StageOp> stages;
  for (auto run : main.getBody().getOps<RunOp>()) {
    if (run.getMicrobatch().value_or(0) != 0)
      continue;
    auto stage = module.lookupSymbol<StageOp>(run.getCallee());
    runOf[stage] = run;
    stages.push_back(stage);
  }
  GraphBuilder builder(module, model, device, microbatches, [&](Value value) {
    return resolveStaged(value, module, runOf);
  });
  builder.addParams(main);
  partition = planner::Partition();
  unsigned next = 0;
  for (StageOp stage : stages) {
    partition.stages.emplace_back();
    partition.stageDevice.push_back(stage.getDevice());
    partition.devices =
        std::max<unsigned>(partition.devices, stage.getDevice() + 1);
    for (Operation &op : stage.getBody().front().without_terminator()) {
      if (isRepeatable(&op))
        continue;
      builder.addNode(&op);
      partition.stages.back().push_back(next++);
    }
  }
  for (Value value : main.getBody().front().getTerminator()->getOperands())
    builder.markOutput(value);
  return builder.take();
}
