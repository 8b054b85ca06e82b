//===- TensorBuilder.h - Short ways to build linalg on tensors --*- C++ -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The vocabulary of the MODEL level: every body of a composite and every op
/// that the importer writes inline is made of these. All shapes are static.
///
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_COMPOSITE_TENSORBUILDER_H
#define PANPIPE_COMPOSITE_TENSORBUILDER_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace panpipe {

/// Builds the scalar computation of one element: operands to result.
using ScalarFn = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// An insertion point and a location, with builders that infer result types.
class TensorBuilder {
public:
  using Shape = llvm::ArrayRef<int64_t>;

  TensorBuilder(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  static mlir::RankedTensorType typeOf(mlir::Value v);
  static Shape shapeOf(mlir::Value v) { return typeOf(v).getShape(); }
  static mlir::Type elementOf(mlir::Value v);

  /// A scalar of float, integer or i1 type; integers are truncated.
  mlir::Value scalar(mlir::Type type, double value);
  mlir::Value index(int64_t value);
  mlir::Value empty(Shape shape, mlir::Type element);
  /// A tensor filled with one value; integers are truncated.
  mlir::Value filled(Shape shape, mlir::Type element, double value);

  /// One linalg.generic over parallel loops of `shape`; operands of lower rank
  /// or with dimensions of size 1 are broadcast as in PyTorch (aligned right).
  mlir::Value elementwise(mlir::ValueRange operands, Shape shape,
                          mlir::Type element, ScalarFn fn);
  /// The same with an explicit indexing map for each operand.
  mlir::Value mapped(mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::AffineMap> maps, Shape shape,
                     mlir::Type element, ScalarFn fn);
  /// Folds `fn(element, accumulator)` over `dims` from `init`, in row-major
  /// order; the reduced dimensions are gone from the result.
  mlir::Value reduce(mlir::Value v, Shape dims, mlir::Value init, ScalarFn fn);
  /// Sum over `dims` from +0.0 (or 0).
  mlir::Value sum(mlir::Value v, Shape dims);
  mlir::Value maximum(mlir::Value v, Shape dims);

  /// The operand for dimension-wise use: size 1 inserted at the sorted `dims`.
  mlir::Value unsqueeze(mlir::Value v, Shape dims);
  /// Any view with the same number of elements in row-major order.
  mlir::Value reshape(mlir::Value v, Shape shape);
  /// Dimension i of the result is dimension permutation[i] of `v`.
  mlir::Value transpose(mlir::Value v, Shape permutation);
  mlir::Value broadcastTo(mlir::Value v, Shape shape);
  mlir::Value slice(mlir::Value v, Shape offsets, Shape sizes, Shape strides);
  mlir::Value insert(mlir::Value v, mlir::Value into, Shape offsets,
                     Shape strides);
  /// Pads with a constant; returns `v` if there is nothing to pad. Amounts must
  /// not be negative.
  mlir::Value pad(mlir::Value v, Shape low, Shape high, double value);
  mlir::Value concat(mlir::ValueRange parts, int64_t dim);

  mlir::AffineMap identityMap(unsigned rank);
  /// (d0, …, d[rank-1]) -> (d[dims[0]], …)
  mlir::AffineMap dimsMap(unsigned rank, Shape dims);
  mlir::DenseI64ArrayAttr i64Array(Shape values);
  /// The attribute form in which linalg's convolutions take strides.
  mlir::DenseIntElementsAttr i64Tensor(Shape values);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  mlir::Value regroup(mlir::Value v, Shape shape);
};

} // namespace panpipe

#endif // PANPIPE_COMPOSITE_TENSORBUILDER_H
