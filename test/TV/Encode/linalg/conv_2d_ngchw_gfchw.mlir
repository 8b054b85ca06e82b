// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x2x3x7x8xf32>, %y: tensor<2x4x3x3x2xf32>, %c: tensor<2x2x4x3x6xf32>) -> tensor<2x2x4x3x6xf32> {
      %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %y : tensor<2x2x3x7x8xf32>, tensor<2x4x3x3x2xf32>) outs(%c : tensor<2x2x4x3x6xf32>) -> tensor<2x2x4x3x6xf32>
      return %r : tensor<2x2x4x3x6xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x2x3x7x8xf32>, %arg1: tensor<2x4x3x3x2xf32>, %arg2: tensor<2x2x4x3x6xf32>) -> tensor<2x2x4x3x6xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d5, d3 * 2 + d6, d4 + d7 * 2)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d5, d6, d7)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<2x2x3x7x8xf32>, tensor<2x4x3x3x2xf32>) outs(%arg2 : tensor<2x2x4x3x6xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.addf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<2x2x4x3x6xf32>
      return %0 : tensor<2x2x4x3x6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x2x3x7x8xf32>, %y: tensor<2x4x3x3x2xf32>, %c: tensor<2x2x4x3x6xf32>) -> tensor<2x2x4x3x6xf32> {
      %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %y : tensor<2x2x3x7x8xf32>, tensor<2x4x3x3x2xf32>) outs(%c : tensor<2x2x4x3x6xf32>) -> tensor<2x2x4x3x6xf32>
      return %r : tensor<2x2x4x3x6xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x2x3x7x8xf32>, %arg1: tensor<2x4x3x3x2xf32>, %arg2: tensor<2x2x4x3x6xf32>) -> tensor<2x2x4x3x6xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d5, d3 * 2 + d6, d4 + d7 * 2)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d5, d6, d7)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<2x2x3x7x8xf32>, tensor<2x4x3x3x2xf32>) outs(%arg2 : tensor<2x2x4x3x6xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.subf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<2x2x4x3x6xf32>
      return %0 : tensor<2x2x4x3x6xf32>
    }
  }
}
