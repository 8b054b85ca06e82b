//===- panpipe-opt.cpp - mlir-opt with Panpipe's dialect and passes -------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/InitAll.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  panpipe::registerAllDialects(registry);
  panpipe::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Panpipe optimizer driver\n", registry));
}
