//===- Microbatch.cpp - The pass pipe-microbatch --------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "Instantiate.h"
#include "panpipe/Dialect/Pipe/Analysis/Levels.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/bit.h"

namespace panpipe::pipe {
#define GEN_PASS_DEF_PIPEMICROBATCH
#include "panpipe/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace panpipe::pipe

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

//===----------------------------------------------------------------------===//
// Which inputs carry the batch
//===----------------------------------------------------------------------===//

namespace {
/// The inputs of @main, as far as they are decided, and the batch.
struct BatchInputs {
  int64_t batch = 0;
  SmallVector<BatchRelation> arguments; ///< One per argument of @main.
  SmallVector<unsigned> candidates;     ///< Cut unless their use forbids it.
};
} // namespace

static LogicalResult parseBatchDim(func::FuncOp main, StringRef text,
                                   llvm::StringMap<int64_t> &dims) {
  auto [name, dim] = text.rsplit(':');
  int64_t number = -1;
  if (dim != "none" && (dim.getAsInteger(10, number) || number < 0))
    return emitError(main.getLoc(), "batch-dims: expected name:dim or "
                                    "name:none, but got \"")
           << text << "\"";
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto input = main.getArgAttrOfType<StringAttr>(i, "panpipe.input");
    if (!input || input.getValue() != name)
      continue;
    auto type = cast<RankedTensorType>(main.getArgumentTypes()[i]);
    if (number >= type.getRank())
      return emitError(main.getLoc(), "batch-dims: input \"")
             << name << "\" is " << type << " and has no dimension " << number;
    dims[name] = number;
    return success();
  }
  return emitError(main.getLoc(), "batch-dims: the model has no input \"")
         << name << "\"";
}

/// Given dimensions are taken as they are; the batch is the extent of the first
/// of them, or else of dimension 0 of the first input.
static FailureOr<BatchInputs>
findBatchInputs(func::FuncOp main, const llvm::StringMap<int64_t> &dims) {
  BatchInputs inputs;
  inputs.arguments.resize(main.getNumArguments());
  SmallVector<std::pair<unsigned, RankedTensorType>> open;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto name = main.getArgAttrOfType<StringAttr>(i, "panpipe.input");
    if (!name)
      continue;
    auto type = cast<RankedTensorType>(main.getArgumentTypes()[i]);
    auto it = dims.find(name.getValue());
    if (it == dims.end()) {
      if (type.getRank() > 0)
        open.emplace_back(i, type);
      continue;
    }
    if (it->second < 0)
      continue;
    int64_t extent = type.getDimSize(it->second);
    if (inputs.batch && inputs.batch != extent)
      return emitError(main.getLoc(), "batch-dims: input ")
             << name << " has extent " << extent << " along dimension "
             << it->second << ", but the batch is " << inputs.batch;
    inputs.batch = extent;
    inputs.arguments[i] = BatchRelation::slice(it->second, 1);
  }
  if (!inputs.batch && !open.empty())
    inputs.batch = open.front().second.getDimSize(0);
  for (auto [index, type] : open)
    if (type.getDimSize(0) == inputs.batch)
      inputs.candidates.push_back(index);
  if (!inputs.batch)
    return emitError(main.getLoc(), "the model has no input that could carry a "
                                    "batch");
  return inputs;
}

//===----------------------------------------------------------------------===//
// Analysis of @main
//===----------------------------------------------------------------------===//

namespace {
/// What is known of @main for one choice of cut inputs.
struct MainAnalysis {
  llvm::DenseMap<Value, BatchRelation> relations;
  llvm::DenseMap<Operation *, const BatchInstance *> stages;
};
} // namespace

static std::optional<MainAnalysis>
analyzeMain(func::FuncOp main, ArrayRef<BatchRelation> arguments,
            BatchAnalysis &analysis) {
  MainAnalysis result;
  for (auto [argument, relation] : llvm::zip(main.getArguments(), arguments))
    result.relations[argument] = relation;
  for (auto run : main.getBody().getOps<RunOp>()) {
    auto stage = analysis.getModule().lookupSymbol<StageOp>(run.getCallee());
    SmallVector<BatchRelation> operands;
    for (Value operand : run.getOperands())
      operands.push_back(result.relations.lookup(operand));
    const BatchInstance *instance = analysis.analyze(stage, operands);
    if (!instance)
      return std::nullopt;
    result.stages[run] = instance;
    for (auto [value, relation] :
         llvm::zip(run.getResults(), instance->results))
      result.relations[value] = relation;
  }
  return result;
}

/// Cuts all candidates, or else as many as their use allows: whatever passes
/// the analysis computes the same results. Reports the failure of the first
/// choice.
static std::optional<MainAnalysis>
chooseInputs(func::FuncOp main, BatchInputs &inputs, BatchAnalysis &analysis) {
  size_t count = std::min<size_t>(inputs.candidates.size(), 8);
  SmallVector<std::pair<unsigned, unsigned>> masks;
  for (unsigned mask = 0; mask < (1u << count); ++mask)
    masks.emplace_back(llvm::popcount(mask), mask);
  // Fewest whole inputs first; of those, the last inputs are whole first.
  llvm::sort(masks);
  std::optional<BatchFailure> first;
  for (auto [wholeInputs, mask] : masks) {
    SmallVector<BatchRelation> arguments(inputs.arguments);
    for (auto [i, candidate] : llvm::enumerate(inputs.candidates))
      if (i >= count || !(mask >> (count - 1 - i) & 1))
        arguments[candidate] = BatchRelation::slice(0, 1);
    if (llvm::all_of(arguments, [](BatchRelation r) { return r.isWhole(); }))
      break;
    if (auto result = analyzeMain(main, arguments, analysis)) {
      inputs.arguments = arguments;
      for (unsigned candidate : inputs.candidates)
        if (arguments[candidate].isWhole())
          emitRemark(main.getLoc(), "input ")
              << main.getArgAttr(candidate, "panpipe.input")
              << " is passed whole to every microbatch, because of how it is "
                 "used";
      return result;
    }
    if (!first)
      first = analysis.getFailure();
  }
  if (first)
    first->emit();
  else
    emitError(main.getLoc(), "no input carries the batch");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Rewriting @main
//===----------------------------------------------------------------------===//

namespace {
/// The new body of @main: pieces of every value, one per microbatch.
class MainBuilder {
public:
  MainBuilder(func::FuncOp main, const MainAnalysis &analysis,
              ArrayRef<int64_t> sizes, int64_t batch)
      : main(main), analysis(analysis), sizes(sizes),
        instantiator(main->getParentOfType<ModuleOp>(), batch),
        builder(main.getBody().front().getTerminator()) {}

  void run();

private:
  SmallVector<Value> &getPieces(Value value);
  void runStage(RunOp run, unsigned microbatch);
  Value join(Value value);

  func::FuncOp main;
  const MainAnalysis &analysis;
  ArrayRef<int64_t> sizes;
  Instantiator instantiator;
  OpBuilder builder;
  Operation *lastSplit = nullptr; ///< Splits stand first, in order of use.
  llvm::DenseMap<Value, SmallVector<Value>> pieces;
};
} // namespace

/// A value for each microbatch; arguments are cut on first use.
SmallVector<Value> &MainBuilder::getPieces(Value value) {
  SmallVector<Value> &result = pieces[value];
  if (!result.empty() || !isa<BlockArgument>(value))
    return result;
  BatchRelation relation = analysis.relations.lookup(value);
  if (relation.isWhole()) {
    result.assign(sizes.size(), value);
    return result;
  }
  SmallVector<int64_t> extents;
  SmallVector<Type> types;
  for (int64_t size : sizes) {
    extents.push_back(size * relation.factor);
    types.push_back(relation.apply(value.getType(), size));
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&main.getBody().front());
  if (lastSplit)
    builder.setInsertionPointAfter(lastSplit);
  lastSplit = SplitOp::create(builder, value.getLoc(), types, value,
                              relation.dim, extents);
  llvm::append_range(result, lastSplit->getResults());
  return result;
}

void MainBuilder::runStage(RunOp run, unsigned microbatch) {
  SmallVector<Value> operands;
  for (Value operand : run.getOperands())
    operands.push_back(getPieces(operand)[microbatch]);
  FunctionOpInterface stage =
      instantiator.instantiate(*analysis.stages.lookup(run), sizes[microbatch]);
  stage->setAttr("panpipe.stage", builder.getStringAttr(run.getCallee()));
  auto copy = RunOp::create(builder, run.getLoc(), stage.getResultTypes(),
                            stage.getName(), operands,
                            builder.getI64IntegerAttr(microbatch));
  for (auto [original, result] : llvm::zip(run.getResults(), copy.getResults()))
    pieces[original].push_back(result);
}

Value MainBuilder::join(Value value) {
  if (isa<BlockArgument>(value))
    return value;
  SmallVector<Value> &parts = getPieces(value);
  BatchRelation relation = analysis.relations.lookup(value);
  // A result without the batch is the same for every microbatch.
  if (relation.isWhole() || parts.size() == 1)
    return parts.front();
  return ConcatOp::create(builder, value.getLoc(), value.getType(), parts,
                          relation.dim);
}

void MainBuilder::run() {
  auto runs = llvm::to_vector(main.getBody().getOps<RunOp>());
  for (unsigned microbatch = 0; microbatch < sizes.size(); ++microbatch)
    for (RunOp run : runs)
      runStage(run, microbatch);
  for (OpOperand &operand :
       main.getBody().front().getTerminator()->getOpOperands())
    operand.set(join(operand.get()));
  ModuleOp module = main->getParentOfType<ModuleOp>();
  for (RunOp run : llvm::reverse(runs)) {
    auto stage = module.lookupSymbol<StageOp>(run.getCallee());
    run.erase();
    stage.erase(); // Level STAGED runs each stage once.
  }
}

/// Composites for the whole batch that nobody calls any more.
static void eraseUnusedComposites(ModuleOp module) {
  for (bool changed = true; changed;) {
    changed = false;
    llvm::StringSet<> used;
    module.walk([&](func::CallOp call) { used.insert(call.getCallee()); });
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function->hasAttr("panpipe.composite") &&
          !used.contains(function.getSymName())) {
        function.erase();
        changed = true;
      }
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PipeMicrobatchPass : pipe::impl::PipeMicrobatchBase<PipeMicrobatchPass> {
  using PipeMicrobatchBase::PipeMicrobatchBase;

  void runOnOperation() override {
    if (failed(apply()))
      signalPassFailure();
  }

private:
  LogicalResult apply();
  FailureOr<SmallVector<int64_t>> chooseSizes(int64_t batch);
};
} // namespace

FailureOr<SmallVector<int64_t>> PipeMicrobatchPass::chooseSizes(int64_t batch) {
  Location location = getOperation().getLoc();
  if (sizes.empty()) {
    if (count == 0 || count > batch)
      return emitError(location, "cannot cut a batch of ")
             << batch << " into " << count.getValue() << " microbatches";
    SmallVector<int64_t> result;
    for (unsigned i = 0; i < count; ++i)
      result.push_back(batch / count + (i < batch % count ? 1 : 0));
    return result;
  }
  int64_t sum = 0;
  for (int64_t size : sizes) {
    if (size <= 0)
      return emitError(location,
                       "microbatch sizes must be positive, but one is ")
             << size;
    sum += size;
  }
  if (sum != batch)
    return emitError(location, "the microbatch sizes add up to ")
           << sum << ", but the batch is " << batch;
  return SmallVector<int64_t>(sizes.begin(), sizes.end());
}

LogicalResult PipeMicrobatchPass::apply() {
  ModuleOp module = getOperation();
  if (failed(verifyLevel(module, Level::Staged)))
    return failure();
  func::FuncOp main = getMain(module);
  // Also where nothing is cut: a name the model lacks is a mistake anyway.
  llvm::StringMap<int64_t> dims;
  for (const std::string &text : batchDims)
    if (failed(parseBatchDim(main, text, dims)))
      return failure();
  if (sizes.empty() && count == 1) {
    // The whole batch is one microbatch: nothing has to be cut.
    for (auto run : main.getBody().getOps<RunOp>())
      run.setMicrobatch(0);
    setLevel(module, Level::Microbatched);
    return success();
  }
  FailureOr<BatchInputs> inputs = findBatchInputs(main, dims);
  if (failed(inputs))
    return failure();
  FailureOr<SmallVector<int64_t>> chosen = chooseSizes(inputs->batch);
  if (failed(chosen))
    return failure();
  BatchAnalysis analysis(module, inputs->batch);
  std::optional<MainAnalysis> found = chooseInputs(main, *inputs, analysis);
  if (!found)
    return failure();
  MainBuilder(main, *found, *chosen, inputs->batch).run();
  eraseUnusedComposites(module);
  setLevel(module, Level::Microbatched);
  return success();
}
