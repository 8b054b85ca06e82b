//===- PipeDialect.td - The pipe dialect -------------------*- tablegen -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_IR_PIPEDIALECT_TD
#define PANPIPE_DIALECT_PIPE_IR_PIPEDIALECT_TD

include "mlir/IR/OpBase.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let summary = "Pipeline stages, microbatches and device programs";
  let description = [{
    The `pipe` dialect carries a model through the levels STAGED, MICROBATCHED
    and SCHEDULED. The computation stays in upstream dialects; `pipe` says where
    and when it happens.
  }];
  // Not `::pipe`: POSIX declares a function of that name.
  let cppNamespace = "::panpipe::pipe";
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PANPIPE_DIALECT_PIPE_IR_PIPEDIALECT_TD
