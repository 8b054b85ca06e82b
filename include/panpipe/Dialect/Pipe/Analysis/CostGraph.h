//===- CostGraph.h - From IR to the planner's graph -------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bridge between IR and planner: nodes are the top-level operations of
/// @main, their work is counted from their linalg bodies.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_ANALYSIS_COSTGRAPH_H
#define PANPIPE_DIALECT_PIPE_ANALYSIS_COSTGRAPH_H

#include "panpipe/Planner/Cost.h"
#include "panpipe/Planner/Plan.h"

#include "mlir/IR/BuiltinOps.h"

namespace panpipe::pipe {

/// A planner graph with the operation of each node.
struct CostGraph {
  planner::Graph graph;
  llvm::SmallVector<mlir::Operation *> nodes;
};

/// Bytes of a static ranked tensor; 0 for anything else.
uint64_t getTensorBytes(mlir::Type type);

/// Values that `op` reads, those used inside its regions included; each once,
/// in order.
llvm::SmallVector<mlir::Value> getReadValues(mlir::Operation *op);

/// True for operations that cost nothing to repeat and depend on no argument:
/// constants, empty tensors and fills of them. They are no nodes: every stage
/// that needs one has its own. (Not if @main returns the value.)
bool isRepeatable(mlir::Operation *op);

/// What one operation computes; a call counts its callee's body. `params` are
/// the values whose bytes do not scale with the batch.
planner::Work countWork(mlir::Operation *op, mlir::ModuleOp module,
                        llvm::function_ref<bool(mlir::Value)> isParam);

/// The graph of a module of level MODEL. Costs are those of one of
/// `microbatches` equal microbatches.
CostGraph buildModelGraph(mlir::ModuleOp module,
                          const planner::CostModel &model,
                          const planner::DeviceDescription &device,
                          unsigned microbatches);

/// The graph and the partition of a module of level STAGED or MICROBATCHED (the
/// first microbatch is taken then).
CostGraph buildStagedGraph(mlir::ModuleOp module,
                           const planner::CostModel &model,
                           const planner::DeviceDescription &device,
                           unsigned microbatches,
                           planner::Partition &partition);

} // namespace panpipe::pipe

#endif // PANPIPE_DIALECT_PIPE_ANALYSIS_COSTGRAPH_H
