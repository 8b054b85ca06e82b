//===- EmitProgram.cpp - From lowered IR to a program ---------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitProgram.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include <map>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::lower;

namespace {

class ProgramEmitter {
public:
  ProgramEmitter(ModuleOp module, const KernelTable &table,
                 rt::Program &program)
      : module(module), table(table), program(program) {}

  LogicalResult emit();

private:
  ModuleOp module;
  const KernelTable &table;
  rt::Program &program;
  // Of the arguments of @main: number among the inputs or the parameters.
  llvm::DenseMap<Value, int32_t> inputs, parameters;
  std::map<std::pair<std::string, StageBinding>, uint32_t> stages;
  llvm::DenseMap<Value, uint32_t> values; // of the current device program

  LogicalResult addArchive();
  LogicalResult addSignature(FunctionOpInterface main);
  LogicalResult addParameter(FunctionOpInterface main, BlockArgument argument);
  LogicalResult addFunction(func::FuncOp main);
  LogicalResult addDevice(pipe::ProgramOp device);
  FailureOr<rt::Instruction> instruction(Operation *op,
                                         rt::DeviceProgram &device);
  LogicalResult addRun(pipe::RunOp run, uint32_t device, rt::Instruction &inst);
  FailureOr<uint32_t> stageNumber(Operation *stage, StringRef name,
                                  const StageBinding &binding, uint32_t device);
  LogicalResult addOperands(Operation *op, ValueRange operands,
                            rt::Instruction &inst);
  uint32_t addValue(Value value, rt::DeviceProgram &device);
};

} // namespace

LogicalResult ProgramEmitter::addArchive() {
  program.name = module.getName().value_or("model").str();
  auto archive = module->getAttrOfType<DictionaryAttr>("panpipe.archive");
  if (!archive)
    return program.parameters.empty()
               ? success()
               : LogicalResult(module.emitError(
                     "has parameters, but no attribute panpipe.archive that "
                     "says where their values are; import the model again"));
  auto path = archive.getAs<StringAttr>("path");
  auto size = archive.getAs<IntegerAttr>("size");
  auto crc = archive.getAs<IntegerAttr>("crc");
  if (!path || !size || !crc)
    return module.emitError("panpipe.archive must have path, size and crc");
  program.archive.path = path.str();
  program.archive.size = size.getInt();
  program.archive.crc = static_cast<uint32_t>(crc.getInt());
  return success();
}

LogicalResult ProgramEmitter::addParameter(FunctionOpInterface main,
                                           BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  auto name = main.getArgAttrOfType<StringAttr>(number, "panpipe.param");
  auto storage =
      main.getArgAttrOfType<DictionaryAttr>(number, "panpipe.storage");
  auto fail = [&] {
    return main->emitOpError("parameter ")
           << name << " needs panpipe.storage with offset, strides and dtype "
           << "that fit its type " << argument.getType();
  };
  std::optional<rt::TensorInfo> info = tensorInfo(argument.getType());
  if (!storage || !info)
    return fail();
  auto offset = storage.getAs<IntegerAttr>("offset");
  auto strides = storage.getAs<DenseI64ArrayAttr>("strides");
  auto dtype = storage.getAs<StringAttr>("dtype");
  if (!offset || !strides || strides.size() != int64_t(info->shape.size()))
    return fail();
  if (dtype) {
    std::optional<rt::DType> stored = rt::parseDType(
        dtype.getValue() == "i1" ? StringRef("bool") : dtype.getValue());
    if (!stored || rt::byteSize(*stored) != rt::byteSize(info->dtype))
      return fail();
    info->dtype = *stored;
  }
  info->name = name.str();
  rt::Parameter parameter;
  parameter.info = *info;
  parameter.offset = offset.getInt();
  parameter.strides.assign(strides.asArrayRef().begin(),
                           strides.asArrayRef().end());
  parameters[argument] = program.parameters.size();
  program.parameters.push_back(std::move(parameter));
  return success();
}

LogicalResult ProgramEmitter::addSignature(FunctionOpInterface main) {
  for (BlockArgument argument : main.getFunctionBody().getArguments()) {
    unsigned number = argument.getArgNumber();
    if (main.getArgAttr(number, "panpipe.param")) {
      if (failed(addParameter(main, argument)))
        return failure();
      continue;
    }
    std::optional<rt::TensorInfo> info = tensorInfo(argument.getType());
    if (!info)
      return main->emitOpError("input ")
             << number << " has the type " << argument.getType()
             << ", which the runtime does not know";
    auto name = main.getArgAttrOfType<StringAttr>(number, "panpipe.input");
    info->name = name ? name.str() : "input" + std::to_string(number);
    inputs[argument] = program.inputs.size();
    program.inputs.push_back(*info);
  }
  for (auto [number, type] : llvm::enumerate(main.getResultTypes())) {
    std::optional<rt::TensorInfo> info = tensorInfo(type);
    if (!info)
      return main->emitOpError("output ")
             << number << " has the type " << type
             << ", which the runtime does not know";
    auto name = main.getResultAttrOfType<StringAttr>(number, "panpipe.output");
    info->name = name ? name.str() : "output" + std::to_string(number);
    program.outputs.push_back(*info);
  }
  return success();
}

FailureOr<uint32_t> ProgramEmitter::stageNumber(Operation *stage,
                                                StringRef name,
                                                const StageBinding &binding,
                                                uint32_t device) {
  auto [entry, isNew] =
      stages.try_emplace({name.str(), binding}, program.stages.size());
  if (!isNew)
    return entry->second;
  FailureOr<rt::Stage> planned = emitStage(stage, binding, table, program);
  if (failed(planned))
    return failure();
  planned->name = name.str();
  planned->device = device;
  program.stages.push_back(std::move(*planned));
  return entry->second;
}

uint32_t ProgramEmitter::addValue(Value value, rt::DeviceProgram &device) {
  uint32_t number = device.values.size();
  device.values.push_back(*tensorInfo(value.getType()));
  values[value] = number;
  return number;
}

LogicalResult ProgramEmitter::addOperands(Operation *op, ValueRange operands,
                                          rt::Instruction &inst) {
  for (Value operand : operands) {
    auto input = inputs.find(operand);
    if (input != inputs.end()) {
      inst.operands.push_back(-1 - input->second);
      continue;
    }
    auto value = values.find(operand);
    if (value == values.end())
      return op->emitOpError("uses a parameter; only pipe.run may read "
                             "parameters");
    inst.operands.push_back(static_cast<int32_t>(value->second));
  }
  return success();
}

LogicalResult ProgramEmitter::addRun(pipe::RunOp run, uint32_t device,
                                     rt::Instruction &inst) {
  auto stage = module.lookupSymbol<pipe::StageOp>(run.getCallee());
  if (!stage)
    return run.emitOpError("runs @")
           << run.getCallee() << ", which is no stage";
  inst.op = rt::Opcode::Run;
  if (run.getMicrobatch())
    inst.microbatch = static_cast<int64_t>(*run.getMicrobatch());
  StageBinding binding;
  SmallVector<Value> dynamic;
  for (Value operand : run.getOperands()) {
    auto parameter = parameters.find(operand);
    binding.push_back(parameter == parameters.end() ? -1 : parameter->second);
    if (parameter == parameters.end())
      dynamic.push_back(operand);
  }
  FailureOr<uint32_t> number =
      stageNumber(stage, run.getCallee(), binding, device);
  if (failed(number))
    return failure();
  inst.index = *number;
  return addOperands(run, dynamic, inst);
}

FailureOr<rt::Instruction>
ProgramEmitter::instruction(Operation *op, rt::DeviceProgram &device) {
  rt::Instruction inst;
  ValueRange operands = op->getOperands();
  if (auto recv = dyn_cast<pipe::RecvOp>(op)) {
    inst.op = rt::Opcode::Recv;
    inst.peer = recv.getSource();
    inst.tag = recv.getTag();
  } else if (auto send = dyn_cast<pipe::SendOp>(op)) {
    inst.op = rt::Opcode::Send;
    inst.peer = send.getDestination();
    inst.tag = send.getTag();
  } else if (isa<pipe::FreeOp>(op)) {
    inst.op = rt::Opcode::Free;
  } else if (auto split = dyn_cast<pipe::SplitOp>(op)) {
    inst.op = rt::Opcode::Split;
    inst.dim = split.getDim();
    inst.sizes.assign(split.getSizes().begin(), split.getSizes().end());
  } else if (auto concat = dyn_cast<pipe::ConcatOp>(op)) {
    inst.op = rt::Opcode::Concat;
    inst.dim = concat.getDim();
  } else if (auto deliver = dyn_cast<pipe::DeliverOp>(op)) {
    inst.op = rt::Opcode::Deliver;
    inst.index = deliver->getAttrOfType<IntegerAttr>("result").getInt();
  } else if (auto run = dyn_cast<pipe::RunOp>(op)) {
    if (failed(addRun(run, device.device, inst)))
      return failure();
    operands = ValueRange();
  } else {
    return op->emitOpError("has no place in a device program");
  }
  if (failed(addOperands(op, operands, inst)))
    return failure();
  for (Value result : op->getResults()) {
    if (!tensorInfo(result.getType()))
      return op->emitOpError("gives the type ")
             << result.getType() << ", which the runtime does not know";
    inst.results.push_back(addValue(result, device));
  }
  return inst;
}

LogicalResult ProgramEmitter::addDevice(pipe::ProgramOp op) {
  rt::DeviceProgram device;
  device.device = op.getDevice();
  values.clear();
  for (Operation &inner : op.getBody().front()) {
    FailureOr<rt::Instruction> inst = instruction(&inner, device);
    if (failed(inst))
      return failure();
    device.code.push_back(std::move(*inst));
  }
  program.devices.push_back(std::move(device));
  return success();
}

/// A model that was not cut: one stage on device 0.
LogicalResult ProgramEmitter::addFunction(func::FuncOp main) {
  StageBinding binding;
  rt::Instruction run;
  for (BlockArgument argument : main.getArguments()) {
    auto parameter = parameters.find(argument);
    binding.push_back(parameter == parameters.end() ? -1 : parameter->second);
    if (parameter == parameters.end())
      run.operands.push_back(-1 - inputs.lookup(argument));
  }
  FailureOr<uint32_t> number = stageNumber(main, main.getName(), binding, 0);
  if (failed(number))
    return failure();
  run.op = rt::Opcode::Run;
  run.index = *number;
  rt::DeviceProgram device;
  device.values = program.outputs;
  for (uint32_t i = 0; i != program.outputs.size(); ++i)
    run.results.push_back(i);
  device.code.push_back(run);
  for (uint32_t i = 0; i != program.outputs.size(); ++i) {
    rt::Instruction deliver;
    deliver.op = rt::Opcode::Deliver;
    deliver.index = i;
    deliver.operands = {static_cast<int32_t>(i)};
    device.code.push_back(deliver);
  }
  program.devices.push_back(std::move(device));
  return success();
}

LogicalResult ProgramEmitter::emit() {
  Operation *symbol = module.lookupSymbol("main");
  auto main = dyn_cast_or_null<FunctionOpInterface>(symbol);
  if (!main)
    return module.emitError("has no @main to compile");
  if (failed(addSignature(main)) || failed(addArchive()))
    return failure();
  if (auto function = dyn_cast<func::FuncOp>(symbol)) {
    if (!function.getOps<pipe::RunOp>().empty())
      return function.emitOpError("is at level STAGED or MICROBATCHED; run "
                                  "--pipe-schedule before compiling");
    return addFunction(function);
  }
  auto pipeline = dyn_cast<pipe::PipelineOp>(symbol);
  if (!pipeline)
    return symbol->emitOpError("is neither a function nor a pipeline");
  for (auto device : pipeline.getBody().getOps<pipe::ProgramOp>())
    if (failed(addDevice(device)))
      return failure();
  return success();
}

LogicalResult lower::emitProgram(ModuleOp module, const KernelTable &table,
                                 rt::Program &program) {
  return ProgramEmitter(module, table, program).emit();
}
