//===- InterpFunc.cpp - Execution of calls and of the pipe dialect --------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// func.call and pipe.run run their callee; pipe.split and pipe.concat are
/// slices; a pipe.pipeline runs as a Kahn process network.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include <deque>
#include <map>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;
using namespace panpipe::tv::interp;

static Did executeCall(Executor &e, Operation *op, FlatSymbolRefAttr callee,
                       ValueRange operands) {
  Operation *target = SymbolTable::lookupNearestSymbolFrom(op, callee);
  if (!target)
    return e.unsupported(op, "no function '@" + callee.getValue() + "'");
  if (cast<FunctionOpInterface>(target).isExternal())
    return callUnknown(e, op, callee.getValue(), operands);
  SmallVector<ValuePtr> arguments, results;
  for (Value operand : operands)
    arguments.push_back(e.getPtr(operand));
  if (!e.call(target, arguments, results))
    return Did::Failed;
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    e.define(result, value);
  return Did::Done;
}

bool interp::knowsFunc(Operation *op) {
  return isa<func::CallOp, func::ReturnOp>(op);
}

Did interp::executeFunc(Executor &e, Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return executeCall(e, op, call.getCalleeAttr(), call.getOperands());
  return Did::NotMine;
}

//===----------------------------------------------------------------------===//
// Split and concat
//===----------------------------------------------------------------------===//

/// Copies between a piece and its place in the whole, along one dimension.
template <typename Copy>
static void forEachInPiece(ArrayRef<int64_t> whole, ArrayRef<int64_t> piece,
                           int64_t dim, int64_t offset, Copy copy) {
  SmallVector<int64_t> strides = ConcreteValue::stridesOf(whole);
  int64_t base = offset * strides[dim], inPiece = 0;
  forEachIndex(piece, [&](ArrayRef<int64_t> index) {
    copy(base + linearize(index, strides), inPiece++);
  });
}

static Did executeSplit(Executor &e, pipe::SplitOp op) {
  const ConcreteValue &source = e.get(op.getSource());
  int64_t dim = op.getDim(), offset = 0;
  for (auto [piece, size] : llvm::zip(op.getPieces(), op.getSizes())) {
    SmallVector<int64_t> shape(source.shape());
    shape[dim] = size;
    if (offset + size > source.shape()[dim])
      return e.undefined(op, "the pieces are larger than the tensor");
    if (!e.allocate(op, source.type(), shape))
      return Did::Failed;
    ConcreteValue value(source.type(), shape);
    forEachInPiece(
        source.shape(), shape, dim, offset,
        [&](int64_t from, int64_t to) { value.copy(to, source, from); });
    e.define(piece, std::move(value));
    offset += size;
  }
  return Did::Done;
}

static Did executeConcat(Executor &e, pipe::ConcatOp op) {
  int64_t dim = op.getDim(), offset = 0;
  const ConcreteValue &first = e.get(op.getPieces()[0]);
  SmallVector<int64_t> shape(first.shape());
  shape[dim] = 0;
  for (Value piece : op.getPieces())
    shape[dim] += e.get(piece).shape()[dim];
  if (!e.allocate(op, first.type(), shape))
    return Did::Failed;
  ConcreteValue value(first.type(), shape);
  for (Value operand : op.getPieces()) {
    const ConcreteValue &piece = e.get(operand);
    for (int64_t d = 0; d < piece.rank(); ++d)
      if (d != dim && piece.shape()[d] != shape[d])
        return e.undefined(op, "pieces of different sizes in dimension " +
                                   Twine(d));
    forEachInPiece(
        shape, piece.shape(), dim, offset,
        [&](int64_t to, int64_t from) { value.copy(to, piece, from); });
    offset += piece.shape()[dim];
  }
  return e.define(op.getResult(), std::move(value));
}

bool interp::knowsPipe(Operation *op) {
  return isa_and_present<pipe::PipeDialect>(op->getDialect());
}

Did interp::executePipe(Executor &e, Operation *op) {
  if (auto run = dyn_cast<pipe::RunOp>(op))
    return executeCall(e, op, run.getCalleeAttr(), run.getOperands());
  if (auto split = dyn_cast<pipe::SplitOp>(op))
    return executeSplit(e, split);
  if (auto concat = dyn_cast<pipe::ConcatOp>(op))
    return executeConcat(e, concat);
  return Did::NotMine;
}

//===----------------------------------------------------------------------===//
// Networks of programs
//===----------------------------------------------------------------------===//

namespace {
/// One device's program and how far it has come.
struct Process {
  pipe::ProgramOp program;
  Block::iterator next;
  bool finished() { return next == program.getBody().front().end(); }
};

/// The network: programs, channels by (source, destination, tag), results.
class Network {
public:
  Network(Executor &e, pipe::PipelineOp pipeline) : e(e), pipeline(pipeline) {
    for (auto program : pipeline.getBody().front().getOps<pipe::ProgramOp>())
      processes.push_back({program, program.getBody().front().begin()});
    results.resize(pipeline.getResultTypes().size());
  }
  bool run(SmallVectorImpl<ValuePtr> &values);

private:
  /// Runs one operation; `blocked` is set if it has to wait.
  bool step(Process &process, bool &blocked);
  bool stuck();

  Executor &e;
  pipe::PipelineOp pipeline;
  SmallVector<Process> processes;
  std::map<std::tuple<int64_t, int64_t, int64_t>, std::deque<ValuePtr>>
      channels;
  SmallVector<ValuePtr> results;
};
} // namespace

bool Network::step(Process &process, bool &blocked) {
  Operation *op = &*process.next;
  int64_t device = process.program.getDevice();
  if (!e.spend(op, 1))
    return false;
  if (auto receive = dyn_cast<pipe::RecvOp>(op)) {
    auto &channel = channels[{receive.getSource(), device, receive.getTag()}];
    if (channel.empty()) {
      blocked = true;
      return true;
    }
    e.define(receive.getValue(), channel.front());
    channel.pop_front();
  } else if (auto send = dyn_cast<pipe::SendOp>(op)) {
    channels[{device, send.getDestination(), send.getTag()}].push_back(
        e.getPtr(send.getValue()));
  } else if (auto deliver = dyn_cast<pipe::DeliverOp>(op)) {
    if (deliver.getResult() < results.size())
      results[deliver.getResult()] = e.getPtr(deliver.getValue());
  } else if (!isa<pipe::FreeOp>(op) && !e.execute(op)) {
    return false;
  }
  if (e.options.trace && !e.quiet) {
    SmallVector<ValuePtr> values;
    for (Value result : op->getResults())
      values.push_back(e.getPtr(result));
    e.options.trace({op, nullptr, values, {}, e.depth});
  }
  ++process.next;
  return true;
}

bool Network::stuck() {
  e.outcome.kind = Outcome::Stuck;
  for (Process &process : processes) {
    if (process.finished())
      continue;
    auto receive = cast<pipe::RecvOp>(*process.next);
    e.outcome.op = receive;
    e.outcome.reason +=
        (e.outcome.reason.empty() ? "" : "; ") +
        ("device " + Twine(process.program.getDevice()) + " waits for tag " +
         Twine(receive.getTag()) + " from device " + Twine(receive.getSource()))
            .str();
  }
  return false;
}

bool Network::run(SmallVectorImpl<ValuePtr> &values) {
  bool progress = true;
  while (progress) {
    progress = false;
    for (Process &process : processes) {
      bool blocked = false;
      while (!process.finished() && !blocked) {
        if (!step(process, blocked))
          return false;
        progress |= !blocked;
      }
    }
  }
  if (llvm::any_of(processes, [](Process &p) { return !p.finished(); }))
    return stuck();
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!result) {
      e.undefined(pipeline, "result #" + Twine(i) + " is never delivered");
      return false;
    }
    values.push_back(result);
  }
  return true;
}

bool interp::runPipeline(Executor &e, Operation *op,
                         SmallVectorImpl<ValuePtr> &results) {
  return Network(e, cast<pipe::PipelineOp>(op)).run(results);
}
