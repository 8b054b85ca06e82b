//===- PipeDialect.cpp - The pipe dialect ---------------------------------===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "panpipe/Dialect/Pipe/IR/Pipe.h"

using namespace panpipe::pipe;

#include "panpipe/Dialect/Pipe/IR/PipeDialect.cpp.inc"

void PipeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "panpipe/Dialect/Pipe/IR/PipeOps.cpp.inc"
      >();
}
