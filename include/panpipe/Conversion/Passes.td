//===- Passes.td - Passes of lib/Conversion ----------------*- tablegen -*-===//
//
// Part of Panpipe, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PANPIPE_CONVERSION_PASSES
#define PANPIPE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def PipeLowerStagesPass : Pass<"pipe-lower-stages", "::mlir::ModuleOp"> {
  let summary = "turns the bodies of stages into calls of kernels";
  let description = [{
    Every `pipe.stage` (and `@main`, when it is still a function) becomes a
    straight line of calls: library kernels (convolution, matrix product,
    pooling), declared without a body and described by their attributes, and
    compiled kernels (`panpipe.kernel = "compiled"`), whose bodies hold what was
    fused. Images stay in the blocked layout of the library where their channels
    allow it; `linalg.pack` and `linalg.unpack` show the changes of layout.

    ```mlir
    // before
    %0 = call @conv2d.0(%x, %w) : …
    %1 = linalg.generic {…} ins(%0 : …) … // leaky relu
    // after
    %x1 = linalg.pack %x … : tensor<1x32x8x8xf32> -> tensor<1x2x8x8x16xf32>
    %0 = call @kernel.conv2d.0(%x1, %w) : …   // with its activation
    %1 = linalg.unpack %0 …
    ```
  }];
  let options = [
    Option<"block", "block", "int64_t", "16",
           "channels of a block: 16 with AVX-512, 8 with AVX2, 0 for plain NCHW">
  ];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::math::MathDialect"
  ];
}

#endif // PANPIPE_CONVERSION_PASSES
