//===- Channels.h - Matching of sends and receives --------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_DIALECT_PIPE_ANALYSIS_CHANNELS_H
#define PANPIPE_LIB_DIALECT_PIPE_ANALYSIS_CHANNELS_H

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

namespace panpipe::pipe {

/// Runs the programs of `pipeline` as far as channels are concerned. Checks
/// that each receive takes exactly one value of its type, in order, that none
/// is left over, and that the programs end. A deadlock is reported with its
/// cycle.
mlir::LogicalResult verifyChannels(PipelineOp pipeline);

} // namespace panpipe::pipe

#endif // PANPIPE_LIB_DIALECT_PIPE_ANALYSIS_CHANNELS_H
