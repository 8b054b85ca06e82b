//===- TosaEncodings.h - Encodings of the tosa dialect ----------*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_LIB_TV_ENCODE_TOSAENCODINGS_H
#define PANPIPE_LIB_TV_ENCODE_TOSAENCODINGS_H

#include "panpipe/TV/Encode/Encoder.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace panpipe::tv {

/// One element from those of `operands` at the same index; unit dims stretch.
llvm::LogicalResult
stretched(mlir::Operation *op, mlir::ValueRange operands, Encoder &e,
          llvm::function_ref<Element(llvm::ArrayRef<Element>, ScalarType)> f);

/// The one element of a tensor with a single element.
Element singleElement(mlir::Value value, Encoder &e);

/// Sums of products of widened elements without their zero points.
class TosaProducts {
public:
  TosaProducts(mlir::Operation *op, Encoder &e)
      : op(op), e(e), type(*e.scalarType(op->getResult(0).getType())) {}
  llvm::LogicalResult check(mlir::Value zeroPoint, ScalarType from);
  Element widened(Element x, mlir::Value zeroPoint);
  Element product(Element a, Element b) {
    return e.apply(type.isFloat() ? ScalarOp::MulF : ScalarOp::MulI, {}, type,
                   {a, b}, op);
  }
  ScalarOp sum() const {
    return type.isFloat() ? ScalarOp::AddF : ScalarOp::AddI;
  }
  Element zero() { // +0.0 for floats
    return e.defined(
        e.terms().mkConst(type, llvm::APInt::getZero(type.width())));
  }
  ScalarType resultType() const { return type; }

private:
  mlir::Operation *op;
  Encoder &e;
  ScalarType type;
};

void populateTosaStructureEncodings(OpEncodings &table);
void populateTosaWindowEncodings(OpEncodings &table);

} // namespace panpipe::tv

#endif // PANPIPE_LIB_TV_ENCODE_TOSAENCODINGS_H
