//===- Pipe.h - The pipe dialect --------------------------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one public header of the pipe dialect. Its operations are described in
/// PipeOps.td, its levels in docs/Dialects/Pipe.md.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_DIALECT_PIPE_IR_PIPE_H
#define PANPIPE_DIALECT_PIPE_IR_PIPE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "panpipe/Dialect/Pipe/IR/PipeDialect.h.inc"

#define GET_OP_CLASSES
#include "panpipe/Dialect/Pipe/IR/PipeOps.h.inc"

#endif // PANPIPE_DIALECT_PIPE_IR_PIPE_H
