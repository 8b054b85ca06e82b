// Which inputs are cut, and along which dimension.
// RUN: panpipe-opt %s --pipe-partition --pipe-microbatch=count=2 --pipe-verify-microbatched --split-input-file --verify-diagnostics | FileCheck %s
// RUN: panpipe-opt %s --pipe-partition --pipe-microbatch="count=2 batch-dims=m:none" --split-input-file | FileCheck %s --check-prefix=GIVEN

// A square matrix as large as the batch by chance is passed whole, because it is
// used so.
// CHECK-LABEL: module @square
// CHECK: func.func @main(%[[X:.*]]: tensor<4x4xf32> {panpipe.input = "x"}, %[[M:.*]]: tensor<4x4xf32> {panpipe.input = "m"})
// CHECK-NEXT: %[[P:.*]]:2 = pipe.split %[[X]] dim 0 sizes [2, 2]
// CHECK-NEXT: %[[A:.*]] = pipe.run @s0_mb2(%[[P]]#0, %[[M]]) microbatch 0
// CHECK-NEXT: %[[B:.*]] = pipe.run @s0_mb2(%[[P]]#1, %[[M]]) microbatch 1
// CHECK-NEXT: pipe.concat %[[A]], %[[B]] dim 0
// GIVEN: pipe.run @s0_mb2(%{{.*}}#0, %arg1) microbatch 0
module @square attributes {panpipe.level = "model"} {
  // expected-remark @below {{input "m" is passed whole to every microbatch, because of how it is used}}
  func.func @main(%x: tensor<4x4xf32> {panpipe.input = "x"}, %m: tensor<4x4xf32> {panpipe.input = "m"}) -> (tensor<4x4xf32> {panpipe.output = "y"}) {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %0 = linalg.matmul ins(%x, %m : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
