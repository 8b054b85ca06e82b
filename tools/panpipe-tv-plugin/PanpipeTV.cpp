//===- PanpipeTV.cpp - The validator as a plug-in of mlir-opt -------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// PanpipeTV.so: `mlir-opt --load-pass-plugin=PanpipeTV.so
/// --pass-pipeline='builtin.module(tv-validate{pipeline="…"})'`.
///
//===----------------------------------------------------------------------===//

#include "panpipe/TV/TVValidate.h"

#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_WEAK
    LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::PassPluginLibraryInfo
    mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "PanpipeTV", "0.1",
          panpipe::tv::registerTVValidatePass};
}
