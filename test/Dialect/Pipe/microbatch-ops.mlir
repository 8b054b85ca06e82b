// The batch dimension through the operations of models, one stage each.
// RUN: panpipe-opt %s --pipe-partition --pipe-microbatch=sizes=3,1 --pipe-verify-microbatched --split-input-file | FileCheck %s

// Multi-head attention: the batch is folded with the heads and comes out again;
// the mask is an input that is not cut; a softmax along another dimension.
// CHECK-LABEL: module @attention
// CHECK-LABEL: pipe.stage @s0_mb3
// CHECK: tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2, 3]] output_shape [3, 6, 2, 5] : tensor<3x6x10xf32> into tensor<3x6x2x5xf32>
// CHECK: linalg.transpose ins(%{{.*}} : tensor<3x6x2x5xf32>) outs(%{{.*}} : tensor<3x2x6x5xf32>)
// CHECK: tensor.collapse_shape {{.*}} : tensor<3x2x6x5xf32> into tensor<6x6x5xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<6x6x5xf32>, tensor<6x6x5xf32>) outs(%{{.*}} : tensor<6x6x6xf32>)
// CHECK: linalg.softmax dimension(2) ins(%{{.*}} : tensor<6x6x6xf32>)
// CHECK: tensor.expand_shape {{.*}} output_shape [3, 2, 6, 5] : tensor<6x6x5xf32> into tensor<3x2x6x5xf32>
// CHECK-LABEL: pipe.stage @s0_mb1
// CHECK: tensor<2x6x6xf32>
// CHECK-LABEL: func.func @main
// CHECK: pipe.concat {{.*}} -> tensor<4x2x6x5xf32>
module @attention attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x6x10xf32> {panpipe.input = "x"}, %mask: tensor<6x6xf32> {panpipe.input = "mask"})
      -> (tensor<4x2x6x5xf32> {panpipe.output = "y"}) {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [4, 6, 2, 5] : tensor<4x6x10xf32> into tensor<4x6x2x5xf32>
    %1 = tensor.empty() : tensor<4x2x6x5xf32>
    %2 = linalg.transpose ins(%0 : tensor<4x6x2x5xf32>) outs(%1 : tensor<4x2x6x5xf32>) permutation = [0, 2, 1, 3]
    %3 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<4x2x6x5xf32> into tensor<8x6x5xf32>
    %4 = tensor.empty() : tensor<8x6x6xf32>
    %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>],
                         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
        ins(%3, %3 : tensor<8x6x5xf32>, tensor<8x6x5xf32>) outs(%5 : tensor<8x6x6xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %c, %m : f32
      linalg.yield %s : f32
    } -> tensor<8x6x6xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>],
                         iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%6, %mask : tensor<8x6x6xf32>, tensor<6x6xf32>) outs(%4 : tensor<8x6x6xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    } -> tensor<8x6x6xf32>
    %8 = linalg.softmax dimension(2) ins(%7 : tensor<8x6x6xf32>) outs(%4 : tensor<8x6x6xf32>) -> tensor<8x6x6xf32>
    %9 = tensor.empty() : tensor<8x6x5xf32>
    %10 = linalg.fill ins(%zero : f32) outs(%9 : tensor<8x6x5xf32>) -> tensor<8x6x5xf32>
    %11 = linalg.batch_matmul ins(%8, %3 : tensor<8x6x6xf32>, tensor<8x6x5xf32>) outs(%10 : tensor<8x6x5xf32>) -> tensor<8x6x5xf32>
    %12 = tensor.expand_shape %11 [[0, 1], [2], [3]] output_shape [4, 2, 6, 5] : tensor<8x6x5xf32> into tensor<4x2x6x5xf32>
    return %12 : tensor<4x2x6x5xf32>
  }
}

// -----

// A convolution with padding and a residual, a slice, a concatenation of
// channels, an insertion; pooling; flattening.
// CHECK-LABEL: module @conv
// CHECK-LABEL: pipe.stage @s0_mb3
// CHECK: call @conv2d.0_mb3(%{{.*}}, %{{.*}}) : (tensor<3x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<3x2x8x8xf32>
// CHECK: linalg.add ins(%{{.*}} : tensor<3x2x8x8xf32>, tensor<3x2x8x8xf32>)
// CHECK: tensor.extract_slice %{{.*}}[0, 1, 0, 0] [3, 1, 8, 8] [1, 1, 1, 1] : tensor<3x2x8x8xf32> to tensor<3x8x8xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0, 0, 0] [3, 1, 8, 8] [1, 1, 1, 1] : tensor<3x8x8xf32> into tensor<3x2x8x8xf32>
// CHECK: tensor.concat dim(1) %{{.*}} : (tensor<3x2x8x8xf32>, tensor<3x2x8x8xf32>) -> tensor<3x4x8x8xf32>
// CHECK: linalg.pooling_nchw_max {{.*}} outs(%{{.*}} : tensor<3x4x4x4xf32>)
// CHECK: tensor.collapse_shape {{.*}} into tensor<3x64xf32>
// CHECK-LABEL: func.func private @conv2d.0_mb3
// CHECK: tensor.pad %{{.*}} low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK: tensor<3x2x8x8xf32> to tensor<3x2x10x10xf32>
module @conv attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x2x8x8xf32> {panpipe.input = "x"}, %w: tensor<2x2x3x3xf32> {panpipe.param = "w"}) -> (tensor<4x64xf32> {panpipe.output = "y"}) {
    %0 = call @conv2d.0(%x, %w) : (tensor<4x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<4x2x8x8xf32>
    %e = tensor.empty() : tensor<4x2x8x8xf32>
    %1 = linalg.add ins(%0, %x : tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) outs(%e : tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %2 = tensor.extract_slice %1[0, 1, 0, 0] [4, 1, 8, 8] [1, 1, 1, 1] : tensor<4x2x8x8xf32> to tensor<4x8x8xf32>
    %3 = tensor.insert_slice %2 into %0[0, 0, 0, 0] [4, 1, 8, 8] [1, 1, 1, 1] : tensor<4x8x8xf32> into tensor<4x2x8x8xf32>
    %4 = tensor.concat dim(1) %3, %1 : (tensor<4x2x8x8xf32>, tensor<4x2x8x8xf32>) -> tensor<4x4x8x8xf32>
    %window = tensor.empty() : tensor<2x2xf32>
    %low = arith.constant -1.0 : f32
    %5 = tensor.empty() : tensor<4x4x4x4xf32>
    %6 = linalg.fill ins(%low : f32) outs(%5 : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %7 = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
        ins(%4, %window : tensor<4x4x8x8xf32>, tensor<2x2xf32>) outs(%6 : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
    %8 = tensor.collapse_shape %7 [[0], [1, 2, 3]] : tensor<4x4x4x4xf32> into tensor<4x64xf32>
    return %8 : tensor<4x64xf32>
  }
  func.func private @conv2d.0(%x: tensor<4x2x8x8xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<4x2x8x8xf32>
      attributes {panpipe.composite = "conv2d", panpipe.attrs = {}} {
    %zero = arith.constant 0.0 : f32
    %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%n: index, %c: index, %h: index, %v: index):
      tensor.yield %zero : f32
    } : tensor<4x2x8x8xf32> to tensor<4x2x10x10xf32>
    %e = tensor.empty() : tensor<4x2x8x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    %0 = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<4x2x10x10xf32>, tensor<2x2x3x3xf32>) outs(%f : tensor<4x2x8x8xf32>) -> tensor<4x2x8x8xf32>
    return %0 : tensor<4x2x8x8xf32>
  }
}

// -----

// Values with equal samples are cut where they are used so: a parameter
// broadcast along the batch, a constant, and one empty tensor in two shapes.
// CHECK-LABEL: module @token
// CHECK-LABEL: pipe.stage @s0_mb3
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<5xf32>) outs(%{{.*}} : tensor<3x5xf32>) dimensions = [0]
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00], [1.000000e+00
// CHECK-SAME: : tensor<3x5xf32>
// CHECK: arith.addf %{{.*}} : tensor<3x5xf32>
// CHECK: arith.mulf %{{.*}} : tensor<3x5xf32>
module @token attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x5xf32> {panpipe.input = "x"}, %t: tensor<5xf32> {panpipe.param = "token"}) -> (tensor<4x5xf32> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<4x5xf32>
    %0 = linalg.broadcast ins(%t : tensor<5xf32>) outs(%e : tensor<4x5xf32>) dimensions = [0]
    %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<4x5xf32>
    %1 = arith.addf %x, %0 : tensor<4x5xf32>
    %2 = arith.mulf %1, %c : tensor<4x5xf32>
    return %2 : tensor<4x5xf32>
  }
}

// -----

// A lookup in a table, and an upsampling that reads its own sample by position.
// CHECK-LABEL: module @lookup
// CHECK-LABEL: pipe.stage @s0_mb3
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<3x2xi64>) outs(%{{.*}} : tensor<3x2x6xf32>)
// CHECK: tensor.extract %{{.*}} : tensor<9x6xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4x6xf32>)
// CHECK: tensor.extract %{{.*}} : tensor<3x2x6xf32>
module @lookup attributes {panpipe.level = "model"} {
  func.func @main(%x: tensor<4x2xi64> {panpipe.input = "x"}, %t: tensor<9x6xf32> {panpipe.param = "table"}) -> (tensor<4x4x6xf32> {panpipe.output = "y"}) {
    %e = tensor.empty() : tensor<4x2x6xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(b, s, k) -> (b, s)>, affine_map<(b, s, k) -> (b, s, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%x : tensor<4x2xi64>) outs(%e : tensor<4x2x6xf32>) {
    ^bb0(%i: i64, %o: f32):
      %row = arith.index_cast %i : i64 to index
      %col = linalg.index 2 : index
      %v = tensor.extract %t[%row, %col] : tensor<9x6xf32>
      linalg.yield %v : f32
    } -> tensor<4x2x6xf32>
    %f = tensor.empty() : tensor<4x4x6xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(b, s, k) -> (b, s, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
        outs(%f : tensor<4x4x6xf32>) {
    ^bb0(%o: f32):
      %b = linalg.index 0 : index
      %s = linalg.index 1 : index
      %k = linalg.index 2 : index
      %two = arith.constant 2 : index
      %h = arith.divui %s, %two : index
      %v = tensor.extract %0[%b, %h, %k] : tensor<4x2x6xf32>
      linalg.yield %v : f32
    } -> tensor<4x4x6xf32>
    return %1 : tensor<4x4x6xf32>
  }
}
