// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x9x3xf32>, %y: tensor<3xf32>, %c: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
      %r = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%x, %y : tensor<2x9x3xf32>, tensor<3xf32>) outs(%c : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
      return %r : tensor<2x4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x9x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x9x3xf32>, tensor<3xf32>) outs(%arg2 : tensor<2x4x3xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.maximumf %out, %in : f32
        linalg.yield %1 : f32
      } -> tensor<2x4x3xf32>
      return %0 : tensor<2x4x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x9x3xf32>, %y: tensor<3xf32>, %c: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
      %r = linalg.pooling_nwc_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%x, %y : tensor<2x9x3xf32>, tensor<3xf32>) outs(%c : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
      return %r : tensor<2x4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x9x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x9x3xf32>, tensor<3xf32>) outs(%arg2 : tensor<2x4x3xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.minimumf %out, %in : f32
        linalg.yield %1 : f32
      } -> tensor<2x4x3xf32>
      return %0 : tensor<2x4x3xf32>
    }
  }
}
