// A batch in dimension 1, which only the user can know; a result without it.
// RUN: panpipe-opt %s --pipe-partition --pipe-microbatch="sizes=1,2 batch-dims=x:1" --pipe-verify-microbatched | FileCheck %s

// CHECK-LABEL: pipe.stage @s0_mb1
// CHECK: linalg.exp ins(%{{.*}} : tensor<5x1x2xf32>)
// CHECK: tensor.collapse_shape {{.*}} : tensor<5x1x2xf32> into tensor<5x2xf32>
// CHECK-LABEL: func.func @main
// CHECK: pipe.split %{{.*}} dim 1 sizes [1, 2]
// CHECK: %[[A:.*]]:2 = pipe.run @s0_mb1
// CHECK: %[[B:.*]]:2 = pipe.run @s0_mb2
// CHECK: %[[Y:.*]] = pipe.concat %[[A]]#0, %[[B]]#0 dim 1 : (tensor<5x2xf32>, tensor<5x4xf32>) -> tensor<5x6xf32>
// CHECK: return %[[Y]], %[[A]]#1
module attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<5x3x2xf32> {panpipe.input = "x"}, %w: tensor<7xf32> {panpipe.param = "w"})
      -> (tensor<5x6xf32> {panpipe.output = "y"}, tensor<7xf32> {panpipe.output = "z"}) {
    %e = tensor.empty() : tensor<5x3x2xf32>
    %0 = linalg.exp ins(%x : tensor<5x3x2xf32>) outs(%e : tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
    %1 = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<5x3x2xf32> into tensor<5x6xf32>
    %2 = arith.negf %w : tensor<7xf32>
    return %1, %2 : tensor<5x6xf32>, tensor<7xf32>
  }
}
