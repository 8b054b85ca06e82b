//===- InitAll.cpp - Registration of every dialect and pass ---------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one file that includes MLIR's InitAll headers: it costs 11 s and 450 MB
/// to compile, so nothing else should.
///
//===----------------------------------------------------------------------===//

#include "panpipe/InitAll.h"

#include "panpipe/Conversion/Passes.h"
#include "panpipe/Dialect/Pipe/IR/Pipe.h"
#include "panpipe/Dialect/Pipe/Transforms/Passes.h"
#include "panpipe/Pipelines/Pipelines.h"
#include "panpipe/TV/TVValidate.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"

void panpipe::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<pipe::PipeDialect>();
}

void panpipe::registerAllPasses() {
  mlir::registerAllPasses();
  pipe::registerPipePasses();
  registerConversionPasses();
  registerPipelines();
  tv::registerTVValidatePass();
}
