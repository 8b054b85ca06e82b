// RUN: panpipe-opt %s --pipe-lower-stages=block=16 --split-input-file | FileCheck %s

// A convolution and the leaky relu behind it are one library kernel on packed images.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<1x16x8x8xf32>, %[[W:.*]]: tensor<32x16x3x3xf32>, %[[B:.*]]: tensor<32xf32>)
// CHECK: %[[PACKED:.*]] = linalg.pack %[[X]]
// CHECK-SAME: tensor<1x16x8x8xf32> -> tensor<1x1x8x8x16xf32>
// CHECK: %[[Y:.*]] = call @[[KERNEL:kernel.conv2d[.0-9]+]](%[[PACKED]], %[[W]], %[[B]])
// CHECK-SAME: -> tensor<1x2x8x8x16xf32>
// CHECK: %[[PLAIN:.*]] = linalg.unpack %[[Y]]
// CHECK: return %[[PLAIN]]
// CHECK: func.func private @[[KERNEL]]({{.*}})
// CHECK-SAME: panpipe.kernel = "conv2d"
// CHECK-SAME: alpha = 0.2
// CHECK-SAME: leaky_relu
// CHECK-NOT: @conv2d.0
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%x: tensor<1x16x8x8xf32>, %w: tensor<32x16x3x3xf32>, %b: tensor<32xf32>) -> tensor<1x32x8x8xf32> {
    %0 = call @conv2d.0(%x, %w, %b) : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
    %1 = tensor.empty() : tensor<1x32x8x8xf32>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x32x8x8xf32>) outs(%1 : tensor<1x32x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %zero = arith.constant 0.0 : f32
      %slope = arith.constant 0.2 : f32
      %positive = arith.cmpf ogt, %in, %zero : f32
      %scaled = arith.mulf %in, %slope : f32
      %y = arith.select %positive, %in, %scaled : f32
      linalg.yield %y : f32
    } -> tensor<1x32x8x8xf32>
    return %2 : tensor<1x32x8x8xf32>
  }
  func.func private @conv2d.0(tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
      attributes {panpipe.composite = "conv2d", panpipe.attrs = {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}}
}

// -----

// A relu is not the library's (that one turns a NaN into 0): it stays a kernel of
// its own, on the packed image. The change of layout in between is gone.
// CHECK-LABEL: func.func @main
// CHECK: linalg.pack
// CHECK-NOT: linalg.{{.*}}pack
// CHECK: call @kernel.conv2d
// CHECK-NOT: linalg.{{.*}}pack
// CHECK: call @kernel.compiled{{.*}} : (tensor<1x1x8x8x16xf32>) -> tensor<1x1x8x8x16xf32>
// CHECK-NOT: linalg.{{.*}}pack
// CHECK: call @kernel.conv2d
// CHECK: linalg.unpack
// CHECK-NOT: linalg.{{.*}}pack
// CHECK: return
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%x: tensor<1x16x8x8xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32> {
    %0 = call @conv2d.0(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
    %1 = tensor.empty() : tensor<1x16x8x8xf32>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<1x16x8x8xf32>) outs(%1 : tensor<1x16x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %zero = arith.constant 0.0 : f32
      %y = arith.maximumf %in, %zero : f32
      linalg.yield %y : f32
    } -> tensor<1x16x8x8xf32>
    %3 = call @conv2d.0(%2, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
    return %3 : tensor<1x16x8x8xf32>
  }
  func.func private @conv2d.0(tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
      attributes {panpipe.composite = "conv2d", panpipe.attrs = {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}}
}

// -----

// The mean over an image reads it packed: the sum of each channel keeps its order.
// CHECK-LABEL: func.func @main
// CHECK: %[[Y:.*]] = call @kernel.conv2d
// CHECK-NEXT: %[[SUM:.*]] = call @[[MEAN:kernel.compiled[.0-9]+]](%[[Y]]) : (tensor<1x1x8x8x16xf32>) -> tensor<1x1x16xf32>
// CHECK-NEXT: tensor.collapse_shape %[[SUM]]
// CHECK: func.func private @[[MEAN]]
// CHECK: linalg.fill
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#nc = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
module {
  func.func @main(%x: tensor<1x1x8x8xf32>, %w: tensor<16x1x3x3xf32>) -> tensor<1x16xf32> {
    %0 = call @conv2d.0(%x, %w) : (tensor<1x1x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x8x8xf32>
    %zero = arith.constant 0.0 : f32
    %1 = tensor.empty() : tensor<1x16xf32>
    %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %3 = linalg.generic {indexing_maps = [#id, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%0 : tensor<1x16x8x8xf32>) outs(%2 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.addf %out, %in : f32
      linalg.yield %s : f32
    } -> tensor<1x16xf32>
    return %3 : tensor<1x16xf32>
  }
  func.func private @conv2d.0(tensor<1x1x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x8x8xf32>
      attributes {panpipe.composite = "conv2d", panpipe.attrs = {stride = array<i64: 1, 1>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}}
}

// -----

// Composites without a kernel are inlined; a matrix product inside becomes the
// library's, here with a transposed right-hand side. Equal kernels are one.
// CHECK-LABEL: func.func @main
// CHECK: call @[[MM:kernel.matmul[.0-9]+]](%arg0, %arg1)
// CHECK: call @[[EXP:kernel.compiled[.0-9]+]](
// CHECK: call @[[EXP]](
// CHECK: func.func private @[[MM]]
// CHECK-SAME: transposed
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %0 = call @scores(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %1 = call @exponential(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = call @exponential(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
  }
  func.func private @scores(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x4xf32> attributes {panpipe.composite = "scores"} {
    %zero = arith.constant 0.0 : f32
    %0 = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
        ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
  func.func private @exponential(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {panpipe.composite = "exponential"} {
    %0 = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = math.exp %in : f32
      linalg.yield %e : f32
    } -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
}

// -----

// Stages are lowered too; concatenation of packed images stays packed.
// CHECK-LABEL: pipe.stage @s0 on 0
// CHECK: call @kernel.conv2d
// CHECK: call @kernel.conv2d
// CHECK: call @kernel.compiled{{.*}} : (tensor<1x1x4x4x16xf32>, tensor<1x2x4x4x16xf32>) -> tensor<1x3x4x4x16xf32>
// CHECK: linalg.unpack
// CHECK: pipe.yield
module {
  pipe.stage @s0 on 0 (%x: tensor<1x3x4x4xf32>, %w: tensor<16x3x1x1xf32>, %v: tensor<32x3x1x1xf32>) -> (tensor<1x48x4x4xf32>) {
    %0 = func.call @conv2d.0(%x, %w) : (tensor<1x3x4x4xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x4x4xf32>
    %1 = func.call @conv2d.1(%x, %v) : (tensor<1x3x4x4xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x4x4xf32>
    %2 = tensor.concat dim(1) %0, %1 : (tensor<1x16x4x4xf32>, tensor<1x32x4x4xf32>) -> tensor<1x48x4x4xf32>
    pipe.yield %2 : tensor<1x48x4x4xf32>
  }
  func.func private @conv2d.0(tensor<1x3x4x4xf32>, tensor<16x3x1x1xf32>) -> tensor<1x16x4x4xf32>
      attributes {panpipe.composite = "conv2d", panpipe.attrs = {stride = array<i64: 1, 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}}
  func.func private @conv2d.1(tensor<1x3x4x4xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x4x4xf32>
      attributes {panpipe.composite = "conv2d", panpipe.attrs = {stride = array<i64: 1, 1>, padding = array<i64: 0, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64}}
}
