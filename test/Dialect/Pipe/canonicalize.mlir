// RUN: panpipe-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func @one_piece
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @one_piece(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = pipe.split %x dim 0 sizes [8] : tensor<8x4xf32> -> (tensor<8x4xf32>)
  %b = pipe.concat %a dim 1 : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %b : tensor<8x4xf32>
}

// CHECK-LABEL: func @join_of_cut
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @join_of_cut(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
  %c = pipe.concat %a, %b dim 0 : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %c : tensor<8x4xf32>
}

// CHECK-LABEL: func @cut_of_join
// CHECK-SAME: (%[[A:.*]]: tensor<5x4xf32>, %[[B:.*]]: tensor<3x4xf32>)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @cut_of_join(%a: tensor<5x4xf32>, %b: tensor<3x4xf32>) -> (tensor<5x4xf32>, tensor<3x4xf32>) {
  %c = pipe.concat %a, %b dim 0 : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  %d, %e = pipe.split %c dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
  return %d, %e : tensor<5x4xf32>, tensor<3x4xf32>
}

// Swapped pieces are another value, and so is a cut at another place.
// CHECK-LABEL: func @stays
// CHECK: pipe.concat
// CHECK: pipe.concat
// CHECK: pipe.split
func.func @stays(%x: tensor<8x4xf32>, %p: tensor<3x4xf32>, %q: tensor<5x4xf32>) -> (tensor<8x4xf32>, tensor<5x4xf32>) {
  %a, %b = pipe.split %x dim 0 sizes [4, 4] : tensor<8x4xf32> -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %c = pipe.concat %b, %a dim 0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %d = pipe.concat %p, %q dim 0 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<8x4xf32>
  %e, %f = pipe.split %d dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
  return %c, %e : tensor<8x4xf32>, tensor<5x4xf32>
}

// -----

// In a program every value has a life of its own: nothing folds or merges.
pipe.stage @s on 0 (%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  pipe.yield %x : tensor<8x4xf32>
}
// CHECK-LABEL: pipe.pipeline @main
pipe.pipeline @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  pipe.program on 0 {
    // CHECK: pipe.split
    %a = pipe.split %x dim 0 sizes [8] : tensor<8x4xf32> -> (tensor<8x4xf32>)
    // CHECK: pipe.run
    %b = pipe.run @s(%a) microbatch 0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK: pipe.run
    %c = pipe.run @s(%a) microbatch 0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
    pipe.free %a : tensor<8x4xf32>
    pipe.free %b : tensor<8x4xf32>
    // CHECK: pipe.concat
    %d = pipe.concat %c dim 0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
    pipe.free %c : tensor<8x4xf32>
    pipe.deliver %d to 0 : tensor<8x4xf32>
    pipe.free %d : tensor<8x4xf32>
  }
}
