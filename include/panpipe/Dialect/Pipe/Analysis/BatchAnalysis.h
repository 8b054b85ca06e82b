//===- BatchAnalysis.h - How values depend on the batch ---------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Follows the batch dimension through stages and composites. For each value it
/// proves, from indexing maps and shapes, that a run on a microbatch computes
/// either all of it (Whole) or the microbatch's part of it (Slice), or it says
/// which operation couples the batch. It knows no list of model operations.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_ANALYSIS_BATCHANALYSIS_H
#define PANPIPE_DIALECT_PIPE_ANALYSIS_BATCHANALYSIS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace panpipe::pipe {

/// How a tensor of a microbatch run relates to that of the full run.
struct BatchRelation {
  /// −1: the same tensor. Otherwise dimension `dim` has extent batch · factor,
  /// batch-major, and the run computes the rows of its microbatch.
  int64_t dim = -1;
  int64_t factor = 1;

  static BatchRelation whole() { return {}; }
  static BatchRelation slice(int64_t dim, int64_t factor) {
    return {dim, factor};
  }
  bool isWhole() const { return dim < 0; }
  bool operator==(const BatchRelation &other) const {
    return dim == other.dim && (isWhole() || factor == other.factor);
  }
  bool operator!=(const BatchRelation &other) const {
    return !(*this == other);
  }
  bool operator<(const BatchRelation &other) const {
    return std::pair(dim, factor) < std::pair(other.dim, other.factor);
  }
  /// `type` for a microbatch of `size` samples.
  mlir::Type apply(mlir::Type type, int64_t size) const;
};

struct BatchInstance;

/// How one operation is instantiated: relations of its results and operands, of
/// the values its regions capture, and the instance it calls.
struct BatchSpec {
  llvm::SmallVector<BatchRelation, 1> results;
  llvm::SmallVector<BatchRelation, 4> operands;
  llvm::SmallVector<std::pair<mlir::Value, BatchRelation>, 1> captures;
  const BatchInstance *callee = nullptr;
};

/// A stage or composite, analysed for given relations of its arguments.
struct BatchInstance {
  mlir::Operation *callable = nullptr;
  llvm::SmallVector<BatchRelation> arguments, results;
  /// The instantiations that each operation of the body needs, none if it is
  /// dead. An empty tensor may be needed in several shapes.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<BatchSpec, 1>> specs;
};

/// Why the batch cannot be cut.
struct BatchFailure {
  mlir::Operation *op = nullptr;
  std::string message;
  llvm::SmallVector<mlir::Operation *> callers; ///< Innermost first.

  /// An error at `op` with its module path, and a note at each caller.
  void emit() const;
};

class BatchAnalysis {
public:
  BatchAnalysis(mlir::ModuleOp module, int64_t batch)
      : module(module), batch(batch) {}

  /// Analyses a pipe.stage or func.func. Null if it couples the batch; then
  /// getFailure says why. Results are kept.
  const BatchInstance *analyze(mlir::Operation *callable,
                               llvm::ArrayRef<BatchRelation> arguments);

  mlir::ModuleOp getModule() const { return module; }
  int64_t getBatch() const { return batch; }
  const BatchFailure &getFailure() const { return failure; }
  void setFailure(BatchFailure newFailure) { failure = std::move(newFailure); }

private:
  using Key = std::pair<std::string, std::vector<BatchRelation>>;
  struct Entry {
    std::unique_ptr<BatchInstance> instance; ///< Null if it failed.
    BatchFailure failure;
  };

  mlir::ModuleOp module;
  int64_t batch;
  std::map<Key, Entry> entries;
  BatchFailure failure;
};

/// The constant `attribute`, cut to the first `size` samples. Fails if the
/// samples differ.
std::optional<mlir::DenseElementsAttr>
sliceConstant(mlir::DenseElementsAttr attribute, BatchRelation relation,
              int64_t batch, int64_t size);

} // namespace panpipe::pipe

#endif // PANPIPE_DIALECT_PIPE_ANALYSIS_BATCHANALYSIS_H
