//===- Network.h - Running the programs of a pipeline -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The device programs of a pipe.pipeline form a Kahn process network: each is
/// a straight line, channels are first in first out, and only pipe.recv waits.
/// So every fair interleaving computes the same values and one of them decides
/// whether the network finishes. This file finds such an order, connects each
/// receive with the value that was sent, and reports everything that keeps the
/// text from being a program at all.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_TV_PIPE_NETWORK_H
#define PANPIPE_TV_PIPE_NETWORK_H

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace panpipe::tv {

/// Why a pipeline is not a program. `message` is one sentence; `notes` point at
/// the other operations of the story (the members of a cycle, the earlier
/// free).
struct NetworkError {
  enum class Kind {
    Deadlock,       ///< a cycle of devices that wait for each other
    NeverSent,      ///< a receive whose sender has finished
    NeverReceived,  ///< a value left in a channel
    TypeMismatch,   ///< sent and received types differ
    UseAfterFree,   ///< a value used or freed again after pipe.free
    BadDevice,      ///< a channel to itself or to a device without a program
    BadDeliver,     ///< a result delivered never, twice, or with another type
    BadInstruction, ///< an operation that does not belong into a program
  };
  struct Note {
    mlir::Location where;
    std::string text;
  };
  Kind kind;
  mlir::Location where;
  std::string message;
  llvm::SmallVector<Note, 0> notes;
};

/// One complete run of a pipeline.
struct Network {
  /// All instructions of all programs in an order in which they can execute.
  llvm::SmallVector<mlir::Operation *, 0> order;
  /// For the result of each pipe.recv the value that arrives.
  llvm::DenseMap<mlir::Value, mlir::Value> received;
  /// The value delivered as result i of the pipeline.
  llvm::SmallVector<mlir::Value> delivered;
  /// Values with a program-local definition that are never freed. Not an error:
  /// it is a matter of memory, not of meaning.
  llvm::SmallVector<mlir::Value, 0> leaked;
};

/// Runs the programs of `pipeline` in a fixed round-robin order. On success
/// fills `network` and returns nothing; otherwise returns the first error.
std::optional<NetworkError> runNetwork(pipe::PipelineOp pipeline,
                                       Network &network);

} // namespace panpipe::tv

#endif // PANPIPE_TV_PIPE_NETWORK_H
