//===- Network.cpp - Running the programs of a pipeline -------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Executes a pipe.pipeline without computing anything: moves values through
/// channels until every program has ended or none can go on.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/Pipe/Network.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <tuple>

using namespace mlir;
using namespace panpipe;
using namespace panpipe::tv;

namespace {

/// Source device, destination device, tag.
using Channel = std::tuple<int64_t, int64_t, int64_t>;

/// A device program and how far it has come.
struct Program {
  int64_t device;
  Block::iterator next, end;
  bool finished() const { return next == end; }
};

class Runner {
public:
  Runner(pipe::PipelineOp pipeline, Network &network)
      : pipeline(pipeline), network(network) {}
  std::optional<NetworkError> run();

private:
  bool step(Program &program);
  bool receive(Program &program, pipe::RecvOp op);
  bool send(Program &program, pipe::SendOp op);
  bool deliver(pipe::DeliverOp op);
  bool useOperands(Operation *op);
  bool fail(NetworkError::Kind kind, Operation *op, const std::string &message);
  void explainStuck();
  void checkEnd();

  pipe::PipelineOp pipeline;
  Network &network;
  llvm::MapVector<int64_t, Program> programs;
  llvm::MapVector<Channel, std::deque<pipe::SendOp>> channels;
  llvm::DenseMap<Value, Operation *> freed;
  SmallVector<Operation *> deliverers;
  std::optional<NetworkError> error;
};

} // namespace

static std::string describe(const Channel &channel) {
  auto [source, destination, tag] = channel;
  return "channel " + std::to_string(source) + " -> " +
         std::to_string(destination) + " tag " + std::to_string(tag);
}

static std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

bool Runner::fail(NetworkError::Kind kind, Operation *op,
                  const std::string &message) {
  error = NetworkError{kind, op->getLoc(), message, {}};
  return false;
}

/// A freed value may not be touched again, not even by another pipe.free.
bool Runner::useOperands(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto found = freed.find(operand);
    if (found == freed.end())
      continue;
    fail(NetworkError::Kind::UseAfterFree, op,
         isa<pipe::FreeOp>(op) ? "a value is freed twice"
                               : "a value is used after it was freed");
    error->notes.push_back({found->second->getLoc(), "freed here"});
    return false;
  }
  return true;
}

bool Runner::receive(Program &program, pipe::RecvOp op) {
  Channel channel(op.getSource(), program.device, op.getTag());
  auto &queue = channels[channel];
  pipe::SendOp sender = queue.front();
  queue.pop_front();
  if (sender.getValue().getType() != op.getValue().getType()) {
    fail(NetworkError::Kind::TypeMismatch, op,
         "receives " + describe(op.getValue().getType()) + " but " +
             describe(sender.getValue().getType()) + " was sent on " +
             describe(channel));
    error->notes.push_back({sender.getLoc(), "sent here"});
    return false;
  }
  network.received[op.getValue()] = sender.getValue();
  return true;
}

bool Runner::send(Program &program, pipe::SendOp op) {
  int64_t destination = op.getDestination();
  if (destination == program.device || !programs.count(destination))
    return fail(NetworkError::Kind::BadDevice, op,
                destination == program.device
                    ? "device " + std::to_string(destination) +
                          " sends to itself"
                    : "device " + std::to_string(destination) +
                          " has no program to receive this");
  channels[Channel(program.device, destination, op.getTag())].push_back(op);
  return true;
}

bool Runner::deliver(pipe::DeliverOp op) {
  uint64_t index = op.getResult();
  if (index >= deliverers.size())
    return fail(NetworkError::Kind::BadDeliver, op,
                "the pipeline has " + std::to_string(deliverers.size()) +
                    " results, there is no result " + std::to_string(index));
  if (deliverers[index]) {
    fail(NetworkError::Kind::BadDeliver, op,
         "result " + std::to_string(index) + " is delivered twice");
    error->notes.push_back({deliverers[index]->getLoc(), "delivered here"});
    return false;
  }
  Type expected = pipeline.getFunctionType().getResult(index);
  if (op.getValue().getType() != expected)
    return fail(NetworkError::Kind::BadDeliver, op,
                "result " + std::to_string(index) + " has type " +
                    describe(expected) + " but " +
                    describe(op.getValue().getType()) + " is delivered");
  deliverers[index] = op;
  network.delivered[index] = op.getValue();
  return true;
}

/// Executes the next instruction of `program`. False: it waits, or an error.
bool Runner::step(Program &program) {
  Operation *op = &*program.next;
  if (auto recv = dyn_cast<pipe::RecvOp>(op)) {
    int64_t source = recv.getSource();
    if (source == program.device || !programs.count(source))
      return fail(
          NetworkError::Kind::BadDevice, op,
          "device " + std::to_string(program.device) + " receives from " +
              (source == program.device ? std::string("itself")
                                        : "device " + std::to_string(source) +
                                              ", which has no program"));
    Channel channel(source, program.device, recv.getTag());
    if (channels[channel].empty())
      return false;
    if (!receive(program, recv))
      return false;
  } else if (!useOperands(op)) {
    return false;
  } else if (auto sendOp = dyn_cast<pipe::SendOp>(op)) {
    if (!send(program, sendOp))
      return false;
  } else if (auto deliverOp = dyn_cast<pipe::DeliverOp>(op)) {
    if (!deliver(deliverOp))
      return false;
  } else if (auto freeOp = dyn_cast<pipe::FreeOp>(op)) {
    freed[freeOp.getValue()] = op;
  } else if (op->getNumRegions() != 0) {
    return fail(NetworkError::Kind::BadInstruction, op,
                "'" + op->getName().getStringRef().str() +
                    "' does not belong into a device program");
  }
  network.order.push_back(op);
  ++program.next;
  return true;
}

/// Every unfinished program waits at a pipe.recv. Following "waits for" from
/// any of them ends at a finished program or runs into a cycle.
void Runner::explainStuck() {
  Program *at = nullptr;
  for (auto &entry : programs)
    if (!entry.second.finished()) {
      at = &entry.second;
      break;
    }
  SmallVector<Program *> path;
  while (!at->finished() && !llvm::is_contained(path, at)) {
    path.push_back(at);
    at = &programs.find(cast<pipe::RecvOp>(*at->next).getSource())->second;
  }
  auto channelOf = [](Program *p) {
    auto recv = cast<pipe::RecvOp>(*p->next);
    return Channel(recv.getSource(), p->device, recv.getTag());
  };
  if (at->finished()) {
    Program *last = path.back();
    fail(NetworkError::Kind::NeverSent, &*last->next,
         "device " + std::to_string(last->device) +
             " waits for a value that is never sent on " +
             describe(channelOf(last)));
    return;
  }
  auto first = llvm::find(path, at);
  std::string cycle;
  for (auto it = first; it != path.end(); ++it)
    cycle += "device " + std::to_string((*it)->device) + " waits for ";
  cycle += "device " + std::to_string(at->device);
  fail(NetworkError::Kind::Deadlock, &*at->next, "deadlock: " + cycle);
  for (auto it = first; it != path.end(); ++it)
    error->notes.push_back({(*it)->next->getLoc(),
                            "device " + std::to_string((*it)->device) +
                                " waits here on " + describe(channelOf(*it))});
}

void Runner::checkEnd() {
  for (auto &entry : channels)
    if (!entry.second.empty()) {
      fail(NetworkError::Kind::NeverReceived, entry.second.front(),
           "a value sent on " + describe(entry.first) + " is never received");
      return;
    }
  for (auto [index, op] : llvm::enumerate(deliverers))
    if (!op) {
      fail(NetworkError::Kind::BadDeliver, pipeline,
           "result " + std::to_string(index) + " is never delivered");
      return;
    }
  for (Operation *op : network.order)
    for (Value result : op->getResults())
      if (!freed.count(result))
        network.leaked.push_back(result);
}

std::optional<NetworkError> Runner::run() {
  network = Network();
  deliverers.assign(pipeline.getFunctionType().getNumResults(), nullptr);
  network.delivered.assign(deliverers.size(), Value());
  for (auto op : pipeline.getBody().getOps<pipe::ProgramOp>()) {
    Block &body = op.getBody().front();
    int64_t device = op.getDevice();
    if (!programs.insert({device, {device, body.begin(), body.end()}}).second) {
      fail(NetworkError::Kind::BadDevice, op,
           "device " + std::to_string(device) + " has two programs");
      return error;
    }
  }
  bool progress = true;
  while (progress) {
    progress = false;
    for (auto &entry : programs) {
      Program &program = entry.second;
      while (!program.finished() && step(program))
        progress = true;
      if (error)
        return error;
    }
  }
  if (llvm::any_of(programs, [](auto &e) { return !e.second.finished(); }))
    explainStuck();
  else
    checkEnd();
  return error;
}

std::optional<NetworkError> tv::runNetwork(pipe::PipelineOp pipeline,
                                           Network &network) {
  return Runner(pipeline, network).run();
}
