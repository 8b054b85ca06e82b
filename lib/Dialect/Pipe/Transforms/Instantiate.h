//===- Instantiate.h - Stages for one microbatch size -----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_INSTANTIATE_H
#define PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_INSTANTIATE_H

#include "panpipe/Dialect/Pipe/Analysis/BatchAnalysis.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace panpipe::pipe {

/// Makes copies of analysed stages and composites for microbatch sizes: batch
/// extents in types and in the attributes of shape operations are rewritten,
/// and nothing else. The copy of `f` for size n is called `f_mb<n>`.
class Instantiator {
public:
  Instantiator(mlir::ModuleOp module, int64_t batch)
      : module(module), batch(batch) {}

  /// The copy, made before `instance.callable` on first demand.
  mlir::FunctionOpInterface instantiate(const BatchInstance &instance,
                                        int64_t size);

private:
  using ValueMap = std::map<BatchRelation, mlir::Value>;
  struct Body; ///< State of the copy in progress.

  void cloneOp(mlir::Operation *op, const BatchSpec &spec, Body &body);

  mlir::ModuleOp module;
  int64_t batch;
  std::map<std::pair<const BatchInstance *, int64_t>, mlir::Operation *> copies;
};

} // namespace panpipe::pipe

#endif // PANPIPE_LIB_DIALECT_PIPE_TRANSFORMS_INSTANTIATE_H
