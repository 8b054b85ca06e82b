//===- Levels.cpp - What each level guarantees ----------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/Analysis/Levels.h"

#include "Channels.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace panpipe;
using namespace panpipe::pipe;

//===----------------------------------------------------------------------===//
// The level attribute and names
//===----------------------------------------------------------------------===//

StringRef pipe::levelName(Level level) {
  switch (level) {
  case Level::Model:
    return "model";
  case Level::Staged:
    return "staged";
  case Level::Microbatched:
    return "microbatched";
  case Level::Scheduled:
    return "scheduled";
  }
  llvm_unreachable("all levels are listed");
}

void pipe::setLevel(ModuleOp module, Level level) {
  module->setAttr("panpipe.level",
                  StringAttr::get(module.getContext(), levelName(level)));
}

LogicalResult pipe::expectLevel(ModuleOp module, Level level) {
  auto attribute = module->getAttrOfType<StringAttr>("panpipe.level");
  if (!attribute)
    return emitError(module.getLoc(),
                     "the module does not say its level: expected the "
                     "attribute panpipe.level = \"")
           << levelName(level) << "\"";
  if (attribute.getValue() != levelName(level))
    return emitError(module.getLoc(), "expected a module of level \"")
           << levelName(level) << "\", but panpipe.level is " << attribute;
  return success();
}

func::FuncOp pipe::getMain(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("main");
}

StringRef pipe::getStageGroup(StageOp stage) {
  auto group = stage->getAttrOfType<StringAttr>("panpipe.stage");
  return group ? group.getValue() : stage.getSymName();
}

std::string pipe::getModulePath(Operation *op) {
  std::string name;
  op->getLoc()->walk([&](Location location) {
    auto named = dyn_cast<NameLoc>(location);
    if (!named)
      return WalkResult::advance();
    name = named.getName().str();
    return WalkResult::interrupt();
  });
  if (!name.empty())
    return name;
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee().str();
  return op->getName().getStringRef().str();
}

//===----------------------------------------------------------------------===//
// Rules of several levels
//===----------------------------------------------------------------------===//

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

/// Arguments are named inputs or parameters, inputs first; results are named
/// outputs; all are static tensors.
static LogicalResult verifySignature(FunctionOpInterface main) {
  llvm::StringSet<> names;
  bool sawParam = false;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto error = [&]() {
      return emitError(main.getLoc(), "argument ") << i << " of @main ";
    };
    if (!isStaticTensor(main.getArgumentTypes()[i]))
      return error() << "is " << main.getArgumentTypes()[i]
                     << ": expected a ranked tensor of static shape";
    auto input = main.getArgAttrOfType<StringAttr>(i, "panpipe.input");
    auto param = main.getArgAttrOfType<StringAttr>(i, "panpipe.param");
    if (!input == !param)
      return error() << "needs a name: either panpipe.input or panpipe.param";
    if (input && sawParam)
      return error() << "is input " << input
                     << " after a parameter: inputs come first";
    sawParam |= static_cast<bool>(param);
    StringRef name = (input ? input : param).getValue();
    if (!names.insert((input ? "input " : "param ") + name.str()).second)
      return error() << "is named \"" << name << "\", as an earlier one is";
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    if (!isStaticTensor(main.getResultTypes()[i]))
      return emitError(main.getLoc(), "result ")
             << i << " of @main is " << main.getResultTypes()[i]
             << ": expected a ranked tensor of static shape";
    if (!main.getResultAttrOfType<StringAttr>(i, "panpipe.output"))
      return emitError(main.getLoc(), "result ")
             << i << " of @main needs a name: panpipe.output";
  }
  return success();
}

/// Functions other than @main are composites with a body of one block, and do
/// not call themselves.
static LogicalResult verifyComposites(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.getSymName() == "main")
      continue;
    if (!function->getAttrOfType<StringAttr>("panpipe.composite"))
      return emitError(function.getLoc(), "function @")
             << function.getSymName()
             << " is neither @main nor a composite: it needs the attribute "
                "panpipe.composite";
    if (Attribute attrs = function->getAttr("panpipe.attrs");
        attrs && !isa<DictionaryAttr>(attrs))
      return emitError(function.getLoc(), "panpipe.attrs of composite @")
             << function.getSymName() << " must be a dictionary, but is "
             << attrs;
    if (!function.isPrivate())
      return emitError(function.getLoc(), "composite @")
             << function.getSymName() << " must be private";
    if (function.isExternal() || !function.getBody().hasOneBlock())
      return emitError(function.getLoc(), "composite @")
             << function.getSymName()
             << " needs a body of one block: the body is its meaning";
    for (Type type : llvm::concat<const Type>(function.getArgumentTypes(),
                                              function.getResultTypes()))
      if (!isStaticTensor(type))
        return emitError(function.getLoc(), "composite @")
               << function.getSymName() << " takes or returns " << type
               << ": expected ranked tensors of static shape";
  }
  return success();
}

/// No operation has an effect, and calls end: composites do not call each other
/// in a circle.
static LogicalResult verifyComputation(Operation *root) {
  WalkResult result = root->walk([&](Operation *op) -> WalkResult {
    if (op == root || isa<PipeDialect>(op->getDialect()))
      return WalkResult::advance();
    auto call = dyn_cast<func::CallOp>(op);
    if (!call) {
      if (isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>())
        return WalkResult::advance();
      op->emitOpError("has an effect, but a model is a function of tensors");
      return WalkResult::interrupt();
    }
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || !callee->hasAttr("panpipe.composite")) {
      call.emitOpError("calls @")
          << call.getCallee() << ", which is not a composite";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult
verifyNoRecursion(func::FuncOp function,
                  llvm::SmallPtrSetImpl<Operation *> &open,
                  llvm::SmallPtrSetImpl<Operation *> &closed) {
  if (closed.contains(function))
    return success();
  if (!open.insert(function).second)
    return emitError(function.getLoc(), "composite @")
           << function.getSymName() << " calls itself, directly or not";
  WalkResult result = function.walk([&](func::CallOp call) -> WalkResult {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    return callee ? verifyNoRecursion(callee, open, closed)
                  : LogicalResult::success();
  });
  open.erase(function);
  closed.insert(function);
  return failure(result.wasInterrupted());
}

/// Rules of the functions that compute: composites, and @main or the stages.
static LogicalResult verifyFunctions(ModuleOp module) {
  if (failed(verifyComposites(module)))
    return failure();
  for (Operation &op : *module.getBody()) {
    if (!isa<func::FuncOp, StageOp, PipelineOp>(op))
      return op.emitOpError(
          "cannot stand at the top of a Panpipe module, which "
          "holds functions, stages and a pipeline");
    if (isa<func::FuncOp, StageOp>(op) && failed(verifyComputation(&op)))
      return failure();
  }
  llvm::SmallPtrSet<Operation *, 8> open, closed;
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(verifyNoRecursion(function, open, closed)))
      return failure();
  return success();
}

/// @main exists and is a public function of one block.
static LogicalResult verifyMain(ModuleOp module) {
  func::FuncOp main = getMain(module);
  if (!main)
    return emitError(module.getLoc(), "the module has no func.func @main");
  if (main.isExternal() || !main.getBody().hasOneBlock())
    return emitError(main.getLoc(), "@main needs a body of one block");
  if (!main.isPublic())
    return emitError(main.getLoc(), "@main must be public");
  return verifySignature(main);
}

template <typename OpTy>
static LogicalResult refuseAll(ModuleOp module, Level level) {
  for (auto op : module.getOps<OpTy>())
    return op.emitOpError("cannot stand in a module of level ")
           << levelName(level);
  return success();
}

//===----------------------------------------------------------------------===//
// MODEL
//===----------------------------------------------------------------------===//

static LogicalResult verifyModel(ModuleOp module) {
  if (failed(refuseAll<StageOp>(module, Level::Model)) ||
      failed(refuseAll<PipelineOp>(module, Level::Model)) ||
      failed(verifyMain(module)))
    return failure();
  WalkResult result = getMain(module).walk([](Operation *op) {
    if (!isa<PipeDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError("cannot stand in a module of level model");
    return WalkResult::interrupt();
  });
  return result.wasInterrupted() ? failure() : verifyFunctions(module);
}

//===----------------------------------------------------------------------===//
// STAGED and MICROBATCHED
//===----------------------------------------------------------------------===//

namespace {
/// The runs of each stage at level STAGED, by microbatch.
struct StageRuns {
  StageOp stage; ///< First variant.
  llvm::MapVector<int64_t, RunOp> runs;
};
} // namespace

static LogicalResult verifyStages(ModuleOp module) {
  llvm::StringMap<StageOp> groups;
  for (auto stage : module.getOps<StageOp>()) {
    if (llvm::hasSingleElement(stage.getBody().front()))
      return stage.emitOpError("@")
             << stage.getSymName()
             << " computes nothing: every stage holds a part of the model";
    for (Type type : llvm::concat<const Type>(stage.getArgumentTypes(),
                                              stage.getResultTypes()))
      if (!isStaticTensor(type))
        return stage.emitOpError("@")
               << stage.getSymName() << " takes or returns " << type
               << ": expected ranked tensors of static shape";
    auto [it, isNew] = groups.try_emplace(getStageGroup(stage), stage);
    if (!isNew && it->second.getDevice() != stage.getDevice())
      return stage.emitOpError("@")
             << stage.getSymName() << " is a variant of stage \""
             << getStageGroup(stage) << "\" on device " << stage.getDevice()
             << ", but @" << it->second.getSymName() << " is on device "
             << it->second.getDevice();
  }
  return success();
}

/// Every variant of every stage runs; every stage once for each of the
/// microbatches 0 … m−1.
static LogicalResult verifyRuns(ModuleOp module, Operation *main) {
  llvm::MapVector<StringRef, StageRuns> groups;
  for (auto stage : module.getOps<StageOp>())
    groups.insert({getStageGroup(stage), {stage, {}}});
  llvm::StringSet<> used;
  int64_t count = 0;
  WalkResult result = main->walk([&](RunOp run) -> WalkResult {
    auto stage = module.lookupSymbol<StageOp>(run.getCallee());
    used.insert(stage.getSymName());
    int64_t microbatch = run.getMicrobatch().value_or(0);
    count = std::max(count, microbatch + 1);
    StageRuns &runs = groups[getStageGroup(stage)];
    auto [it, isNew] = runs.runs.insert({microbatch, run});
    if (isNew)
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = run.emitOpError("runs stage @")
                                    << getStageGroup(stage) << " again";
    if (run.getMicrobatch())
      diagnostic << " for microbatch " << microbatch;
    diagnostic.attachNote(it->second.getLoc()) << "the first run is here";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto stage : module.getOps<StageOp>())
    if (!used.contains(stage.getSymName()))
      return stage.emitOpError("@") << stage.getSymName() << " never runs";
  for (auto &[name, runs] : groups)
    for (int64_t microbatch = 0; microbatch < count; ++microbatch)
      if (!runs.runs.contains(microbatch))
        return runs.stage.emitOpError("stage @")
               << name << " does not run for microbatch " << microbatch
               << ", but others do";
  return success();
}

/// `allowed` says which operations of the dialect may stand in @main.
template <typename... Allowed>
static LogicalResult verifyMainBody(ModuleOp module, Level level) {
  for (Operation &op : getMain(module).getBody().front()) {
    if (!isa<Allowed..., func::ReturnOp>(op))
      return op.emitOpError("cannot stand in @main of level ")
             << levelName(level);
    auto run = dyn_cast<RunOp>(op);
    if (run && run.getMicrobatch().has_value() != (level != Level::Staged))
      return run.emitOpError(level == Level::Staged
                                 ? "has a microbatch number, but level staged "
                                   "runs the whole batch"
                                 : "needs a microbatch number");
  }
  return success();
}

static LogicalResult verifyStaged(ModuleOp module) {
  // The stage graph has no cycle: @main is one block, where values come before
  // their uses, and each stage runs once.
  if (failed(refuseAll<PipelineOp>(module, Level::Staged)) ||
      failed(verifyMain(module)) || failed(verifyFunctions(module)) ||
      failed(verifyMainBody<RunOp>(module, Level::Staged)) ||
      failed(verifyStages(module)))
    return failure();
  return verifyRuns(module, getMain(module));
}

static LogicalResult verifyMicrobatched(ModuleOp module) {
  if (failed(refuseAll<PipelineOp>(module, Level::Microbatched)) ||
      failed(verifyMain(module)) || failed(verifyFunctions(module)) ||
      failed(verifyMainBody<RunOp, SplitOp, ConcatOp>(module,
                                                      Level::Microbatched)) ||
      failed(verifyStages(module)))
    return failure();
  return verifyRuns(module, getMain(module));
}

//===----------------------------------------------------------------------===//
// SCHEDULED
//===----------------------------------------------------------------------===//

/// Every value that an instruction defines is freed. (That it is freed once and
/// not used afterwards, the program itself verifies.)
static LogicalResult verifyNoLeaks(PipelineOp pipeline) {
  for (auto program : pipeline.getBody().getOps<ProgramOp>())
    for (Operation &op : program.getBody().front())
      for (OpResult result : op.getResults())
        if (llvm::none_of(result.getUsers(),
                          [](Operation *user) { return isa<FreeOp>(user); }))
          return op.emitOpError("result ")
                 << result.getResultNumber() << " is never freed on device "
                 << program.getDevice();
  return success();
}

static LogicalResult verifyScheduled(ModuleOp module) {
  if (func::FuncOp main = getMain(module))
    return main.emitOpError("@main must be a pipe.pipeline at level scheduled");
  auto pipeline = module.lookupSymbol<PipelineOp>("main");
  if (!pipeline)
    return emitError(module.getLoc(), "the module has no pipe.pipeline @main");
  if (!llvm::hasSingleElement(module.getOps<PipelineOp>()))
    return emitError(module.getLoc(),
                     "the module has more than one pipe.pipeline");
  if (failed(verifySignature(pipeline)) || failed(verifyFunctions(module)) ||
      failed(verifyStages(module)))
    return failure();
  WalkResult result = pipeline.walk([](RunOp run) -> WalkResult {
    if (run.getMicrobatch())
      return WalkResult::advance();
    return run.emitOpError("needs a microbatch number");
  });
  if (result.wasInterrupted() || failed(verifyRuns(module, pipeline)) ||
      failed(verifyNoLeaks(pipeline)))
    return failure();
  return verifyChannels(pipeline);
}

LogicalResult pipe::verifyLevel(ModuleOp module, Level level) {
  if (failed(expectLevel(module, level)))
    return failure();
  switch (level) {
  case Level::Model:
    return verifyModel(module);
  case Level::Staged:
    return verifyStaged(module);
  case Level::Microbatched:
    return verifyMicrobatched(module);
  case Level::Scheduled:
    return verifyScheduled(module);
  }
  llvm_unreachable("all levels are listed");
}
