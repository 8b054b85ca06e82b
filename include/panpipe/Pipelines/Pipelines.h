//===- Pipelines.h - Orders of passes ---------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order in which Panpipe's passes run.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_PIPELINES_PIPELINES_H
#define PANPIPE_PIPELINES_PIPELINES_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace panpipe {

struct PipelineOptions {
  unsigned devices = 1;
  std::vector<uint64_t> memoryCaps; ///< Bytes: none, one for all, or one each.
  unsigned microbatches = 1;
  std::vector<int64_t>
      microbatchSizes;                ///< Instead of `microbatches`, if given.
  std::vector<std::string> batchDims; ///< As `name:dim` or `name:none`.
  std::string deviceKind = "cpu";
  std::string planIn, planOut; ///< Partition file to read or write.
};

/// Adds the passes from level MODEL to level SCHEDULED, each followed by the
/// verifier of its level. Works on a module.
void buildDefaultPipeline(mlir::OpPassManager &manager,
                          const PipelineOptions &options);

/// The part of it after the partition, for a module of level STAGED.
void buildPipelineFromStaged(mlir::OpPassManager &manager,
                             const PipelineOptions &options);

/// Registers the first as --panpipe-default-pipeline, once per process.
void registerPipelines();

} // namespace panpipe

#endif // PANPIPE_PIPELINES_PIPELINES_H
