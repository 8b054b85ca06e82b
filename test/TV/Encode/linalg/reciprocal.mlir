// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %r = linalg.reciprocal ins(%x : tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %cst = arith.constant 1.000000e+00 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x4xf32>) outs(%arg1 : tensor<3x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.divf %cst, %in : f32
        linalg.yield %1 : f32
      } -> tensor<3x4xf32>
      return %0 : tensor<3x4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %r = linalg.reciprocal ins(%x : tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %cst = arith.constant 1.000000e+00 : f32
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x4xf32>) outs(%arg1 : tensor<3x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %1 = arith.mulf %cst, %in : f32
        linalg.yield %1 : f32
      } -> tensor<3x4xf32>
      return %0 : tensor<3x4xf32>
    }
  }
}
