//===- DefaultPipeline.cpp - The whole order, with reasons ----------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every step from an imported model to device programs. Import comes before,
/// the lowering of stages to object code after.
///
//===----------------------------------------------------------------------===//

#include "panpipe/Pipelines/Pipelines.h"

#include "panpipe/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace panpipe;

void panpipe::buildDefaultPipeline(mlir::OpPassManager &manager,
                                   const PipelineOptions &options) {
  // Importers and hand-written models are held to the same rules.
  manager.addPass(pipe::createPipeVerifyModel());

  // First the stages: costs are those of the user's nodes, before any of them
  // is copied for a microbatch size.
  pipe::PipePartitionOptions partition;
  partition.devices = options.devices;
  partition.memoryCap.assign(options.memoryCaps.begin(),
                             options.memoryCaps.end());
  partition.microbatches = options.microbatchSizes.empty()
                               ? options.microbatches
                               : options.microbatchSizes.size();
  partition.deviceKind = options.deviceKind;
  partition.planIn = options.planIn;
  partition.planOut = options.planOut;
  manager.addPass(pipe::createPipePartition(partition));
  buildPipelineFromStaged(manager, options);
}

void panpipe::buildPipelineFromStaged(mlir::OpPassManager &manager,
                                      const PipelineOptions &options) {
  manager.addPass(pipe::createPipeVerifyStaged());

  // Then the batch: stages are the unit that is run once per microbatch.
  pipe::PipeMicrobatchOptions microbatch;
  microbatch.count = options.microbatches;
  microbatch.sizes.assign(options.microbatchSizes.begin(),
                          options.microbatchSizes.end());
  microbatch.batchDims.assign(options.batchDims.begin(),
                              options.batchDims.end());
  manager.addPass(pipe::createPipeMicrobatch(microbatch));
  manager.addPass(pipe::createPipeVerifyMicrobatched());

  // Last the order on each device, which needs all runs to be there.
  pipe::PipeScheduleOptions schedule;
  schedule.deviceKind = options.deviceKind;
  manager.addPass(pipe::createPipeSchedule(schedule));
  manager.addPass(pipe::createPipeVerifyScheduled());
}
