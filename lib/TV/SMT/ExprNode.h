//===- ExprNode.h - Storage of expressions -*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_SMT_EXPRNODE_H
#define PANPIPE_LIB_TV_SMT_EXPRNODE_H

#include "panpipe/TV/SMT/Expr.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace panpipe::tv::smt {

struct ExprNode {
  ExprOp op;
  Sort sort;
  unsigned id;
  unsigned p0, p1;
  ExprContext *context;
  llvm::SmallVector<Expr, 3> args;
  llvm::APInt value; ///< of a Const
  std::string name;  ///< of a Var or Apply
};

/// The value of an operation on constant operands (Bool: 1 bit; Int: 128 bits),
/// or nothing for floats and functions.
std::optional<llvm::APInt> foldConstants(ExprOp op, Sort sort, unsigned p0,
                                         unsigned p1,
                                         llvm::ArrayRef<llvm::APInt> args);

} // namespace panpipe::tv::smt

#endif // PANPIPE_LIB_TV_SMT_EXPRNODE_H
