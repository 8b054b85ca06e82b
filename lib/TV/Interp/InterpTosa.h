//===- InterpTosa.h - Execution of the tosa dialect -------------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_INTERP_INTERPTOSA_H
#define PANPIPE_LIB_TV_INTERP_INTERPTOSA_H

#include "Executor.h"

namespace panpipe::tv::interp {

struct Typed {
  ScalarType type;
  ConcreteElement element;
};

/// Runs scalar operations for one operation of tosa; remembers a failure.
class TosaScalars {
public:
  TosaScalars(Executor &e, mlir::Operation *op) : e(e), op(op) {}
  ConcreteElement run(ScalarOp scalar, ScalarType result,
                      llvm::ArrayRef<Typed> operands, uint8_t predicate = 0);
  Typed real(ScalarType type, double value);
  bool failed = false;

private:
  Executor &e;
  mlir::Operation *op;
};

Did executeTosaStructure(Executor &e, mlir::Operation *op);
bool knowsTosaStructure(mlir::Operation *op);
Did executeTosaWindow(Executor &e, mlir::Operation *op);
bool knowsTosaWindow(mlir::Operation *op);

} // namespace panpipe::tv::interp

#endif // PANPIPE_LIB_TV_INTERP_INTERPTOSA_H
