//===- RegisterPipelines.cpp - Pipelines as command-line flags ------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Pipelines/Pipelines.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace panpipe;

namespace {
struct Flags : mlir::PassPipelineOptions<Flags> {
  Option<unsigned> devices{*this, "devices", llvm::cl::init(1),
                           llvm::cl::desc("Number of devices")};
  ListOption<uint64_t> memoryCap{*this, "memory-cap",
                                 llvm::cl::desc("Bytes each device may hold")};
  Option<unsigned> microbatches{*this, "microbatches", llvm::cl::init(1),
                                llvm::cl::desc("Number of microbatches")};
  ListOption<int64_t> sizes{*this, "sizes",
                            llvm::cl::desc("Sizes of the microbatches")};
  ListOption<std::string> batchDims{*this, "batch-dims",
                                    llvm::cl::desc("name:dim or name:none")};
  Option<std::string> deviceKind{*this, "device-kind", llvm::cl::init("cpu"),
                                 llvm::cl::desc("Device of the cost table")};
  Option<std::string> planIn{*this, "plan-in", llvm::cl::init(""),
                             llvm::cl::desc("Partition file to read")};
  Option<std::string> planOut{*this, "plan-out", llvm::cl::init(""),
                              llvm::cl::desc("Partition file to write")};

  PipelineOptions toOptions() const {
    PipelineOptions options;
    options.devices = devices;
    options.memoryCaps.assign(memoryCap.begin(), memoryCap.end());
    options.microbatches = microbatches;
    options.microbatchSizes.assign(sizes.begin(), sizes.end());
    options.batchDims.assign(batchDims.begin(), batchDims.end());
    options.deviceKind = deviceKind;
    options.planIn = planIn;
    options.planOut = planOut;
    return options;
  }
};
} // namespace

void panpipe::registerPipelines() {
  mlir::PassPipelineRegistration<Flags>(
      "panpipe-default-pipeline",
      "From an imported model to device programs, every level verified",
      [](mlir::OpPassManager &manager, const Flags &flags) {
        buildDefaultPipeline(manager, flags.toOptions());
      });
}
