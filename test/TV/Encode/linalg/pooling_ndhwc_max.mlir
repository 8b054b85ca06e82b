// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<1x5x4x5x2xf32>, %y: tensor<2x2x3xf32>, %c: tensor<1x2x3x3x2xf32>) -> tensor<1x2x3x3x2xf32> {
      %r = linalg.pooling_ndhwc_max {dilations = dense<1> : vector<3xi64>, strides = dense<[2, 1, 1]> : vector<3xi64>} ins(%x, %y : tensor<1x5x4x5x2xf32>, tensor<2x2x3xf32>) outs(%c : tensor<1x2x3x3x2xf32>) -> tensor<1x2x3x3x2xf32>
      return %r : tensor<1x2x3x3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<1x5x4x5x2xf32>, %arg1: tensor<2x2x3xf32>, %arg2: tensor<1x2x3x3x2xf32>) -> tensor<1x2x3x3x2xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 * 2 + d5, d2 + d6, d3 + d7, d4)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d5, d6, d7)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x5x4x5x2xf32>, tensor<2x2x3xf32>) outs(%arg2 : tensor<1x2x3x3x2xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.maximumf %out, %in : f32
        linalg.yield %1 : f32
      } -> tensor<1x2x3x3x2xf32>
      return %0 : tensor<1x2x3x3x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x5x4x5x2xf32>, %y: tensor<2x2x3xf32>, %c: tensor<1x2x3x3x2xf32>) -> tensor<1x2x3x3x2xf32> {
      %r = linalg.pooling_ndhwc_max {dilations = dense<1> : vector<3xi64>, strides = dense<[2, 1, 1]> : vector<3xi64>} ins(%x, %y : tensor<1x5x4x5x2xf32>, tensor<2x2x3xf32>) outs(%c : tensor<1x2x3x3x2xf32>) -> tensor<1x2x3x3x2xf32>
      return %r : tensor<1x2x3x3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<1x5x4x5x2xf32>, %arg1: tensor<2x2x3xf32>, %arg2: tensor<1x2x3x3x2xf32>) -> tensor<1x2x3x3x2xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 * 2 + d5, d2 + d6, d3 + d7, d4)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d5, d6, d7)>, affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x5x4x5x2xf32>, tensor<2x2x3xf32>) outs(%arg2 : tensor<1x2x3x3x2xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.minimumf %out, %in : f32
        linalg.yield %1 : f32
      } -> tensor<1x2x3x3x2xf32>
      return %0 : tensor<1x2x3x3x2xf32>
    }
  }
}
