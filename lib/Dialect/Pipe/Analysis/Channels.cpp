//===- Channels.cpp - Matching of sends and receives ----------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Channels.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <deque>
#include <map>
#include <tuple>

using namespace mlir;
using namespace panpipe::pipe;

namespace {
/// Source device, destination device, tag.
using Channel = std::tuple<int64_t, int64_t, int64_t>;

/// Sends never wait and programs are straight lines, so whatever order the
/// programs are run in, they get equally far.
class Network {
public:
  explicit Network(PipelineOp pipeline) {
    for (auto program : pipeline.getBody().getOps<ProgramOp>())
      programs[program.getDevice()] = {program,
                                       program.getBody().front().begin()};
  }

  LogicalResult run();

private:
  struct State {
    ProgramOp program;
    Block::iterator next;
    bool isDone() { return next == program.getBody().front().end(); }
  };

  FailureOr<bool> step(int64_t device, State &state);
  LogicalResult reportBlocked();

  llvm::MapVector<int64_t, State> programs;
  std::map<Channel, std::deque<SendOp>> channels;
};
} // namespace

/// Executes the next instruction. False if it waits.
FailureOr<bool> Network::step(int64_t device, State &state) {
  Operation &op = *state.next;
  if (auto send = dyn_cast<SendOp>(op)) {
    channels[{device, send.getDestination(), send.getTag()}].push_back(send);
  } else if (auto recv = dyn_cast<RecvOp>(op)) {
    auto &queue = channels[{recv.getSource(), device, recv.getTag()}];
    if (queue.empty())
      return false;
    SendOp send = queue.front();
    queue.pop_front();
    if (send.getValue().getType() != recv.getValue().getType()) {
      InFlightDiagnostic diagnostic =
          recv.emitOpError("receives ")
          << recv.getValue().getType() << " from device " << recv.getSource()
          << " tag " << recv.getTag() << ", but the value sent is "
          << send.getValue().getType();
      diagnostic.attachNote(send.getLoc()) << "it is sent here";
      return failure();
    }
  }
  ++state.next;
  return true;
}

/// Some program waits for ever: for a device that has ended, or in a circle.
LogicalResult Network::reportBlocked() {
  SmallVector<RecvOp> path;
  llvm::SmallPtrSet<Operation *, 8> onPath;
  State *state = nullptr;
  for (auto &[device, candidate] : programs)
    if (!candidate.isDone()) {
      state = &candidate;
      break;
    }
  for (;;) {
    auto recv = cast<RecvOp>(*state->next);
    if (!onPath.insert(recv).second) {
      // The path may lead into the circle: keep the circle only.
      path.erase(path.begin(), llvm::find(path, recv));
      break;
    }
    path.push_back(recv);
    auto it = programs.find(recv.getSource());
    if (it == programs.end() || it->second.isDone())
      return recv.emitOpError("waits for ever: device ")
             << recv.getSource() << " sends no further value to device "
             << state->program.getDevice() << " with tag " << recv.getTag();
    state = &it->second;
  }
  InFlightDiagnostic diagnostic = path.front().emitOpError(
      "deadlock: the programs wait for each other in a circle");
  for (RecvOp recv : path)
    diagnostic.attachNote(recv.getLoc())
        << "device " << cast<ProgramOp>(recv->getParentOp()).getDevice()
        << " waits here for device " << recv.getSource() << " (tag "
        << recv.getTag() << ")";
  return diagnostic;
}

LogicalResult Network::run() {
  for (bool progress = true; progress;) {
    progress = false;
    for (auto &[device, state] : programs)
      while (!state.isDone()) {
        FailureOr<bool> moved = step(device, state);
        if (failed(moved))
          return failure();
        if (!*moved)
          break;
        progress = true;
      }
  }
  for (auto &[device, state] : programs)
    if (!state.isDone())
      return reportBlocked();
  for (auto &[channel, queue] : channels)
    if (!queue.empty())
      return queue.front().emitOpError("is never received: device ")
             << std::get<1>(channel) << " takes fewer values from device "
             << std::get<0>(channel) << " with tag " << std::get<2>(channel);
  return success();
}

LogicalResult panpipe::pipe::verifyChannels(PipelineOp pipeline) {
  return Network(pipeline).run();
}
