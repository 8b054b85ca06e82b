//===- BatchRules.h - Rules of the batch analysis ---------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A rule looks at one operation with at least one sliced operand and says how
/// it is instantiated, or why it cannot be.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_DIALECT_PIPE_ANALYSIS_BATCHRULES_H
#define PANPIPE_LIB_DIALECT_PIPE_ANALYSIS_BATCHRULES_H

#include "panpipe/Dialect/Pipe/Analysis/BatchAnalysis.h"

#include "llvm/ADT/Twine.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace panpipe::pipe {

/// The analysis of one body.
class BatchBody {
public:
  BatchBody(BatchAnalysis &analysis, BatchInstance &instance)
      : analysis(analysis), instance(instance) {}

  mlir::LogicalResult run();

  // For rules.
  int64_t getBatch() const { return analysis.getBatch(); }
  BatchAnalysis &getAnalysis() { return analysis; }
  BatchRelation getRelation(mlir::Value value) const {
    return relations.lookup(value);
  }
  /// Records a failure at `op` and returns nothing.
  std::nullopt_t fail(mlir::Operation *op, const llvm::Twine &message);
  /// True if `value` can be had in the relation `required`.
  bool canUse(mlir::Value value, BatchRelation required);
  /// As canUse, with a failure at `op` if not. `what` names the value.
  bool use(mlir::Operation *op, mlir::Value value, BatchRelation required,
           const llvm::Twine &what);

private:
  std::optional<BatchSpec> analyzeOp(mlir::Operation *op);
  void demand(mlir::Value value, BatchRelation relation);
  void addSpec(mlir::Operation *op, const BatchSpec &spec);

  BatchAnalysis &analysis;
  BatchInstance &instance;
  llvm::DenseMap<mlir::Value, BatchRelation> relations;
  llvm::DenseMap<mlir::Operation *, BatchSpec> natural;
};

/// An operation none of whose operands is sliced, instantiated so that its
/// result is nevertheless: possible where all samples are equal. Nothing is
/// recorded if it cannot be.
std::optional<BatchSpec> sliceSpec(BatchBody &body, mlir::Operation *op,
                                   BatchRelation relation);

// BatchLinalg.cpp
std::optional<BatchSpec> analyzeLinalg(BatchBody &body,
                                       mlir::linalg::LinalgOp op);
std::optional<BatchSpec> sliceLinalg(BatchBody &body, mlir::linalg::LinalgOp op,
                                     BatchRelation relation);

// BatchTensor.cpp: shape operations, elementwise operations, calls.
std::optional<BatchSpec> analyzeTensor(BatchBody &body, mlir::Operation *op);

} // namespace panpipe::pipe

#endif // PANPIPE_LIB_DIALECT_PIPE_ANALYSIS_BATCHRULES_H
