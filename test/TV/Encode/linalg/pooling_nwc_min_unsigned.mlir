// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x9x3xi8>, %y: tensor<3xi8>, %c: tensor<2x4x3xi8>) -> tensor<2x4x3xi8> {
      %r = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%x, %y : tensor<2x9x3xi8>, tensor<3xi8>) outs(%c : tensor<2x4x3xi8>) -> tensor<2x4x3xi8>
      return %r : tensor<2x4x3xi8>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x9x3xi8>, %arg1: tensor<3xi8>, %arg2: tensor<2x4x3xi8>) -> tensor<2x4x3xi8> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x9x3xi8>, tensor<3xi8>) outs(%arg2 : tensor<2x4x3xi8>) {
      ^bb0(%in: i8, %in_0: i8, %out: i8):
        %1 = arith.minui %out, %in : i8
        linalg.yield %1 : i8
      } -> tensor<2x4x3xi8>
      return %0 : tensor<2x4x3xi8>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x9x3xi8>, %y: tensor<3xi8>, %c: tensor<2x4x3xi8>) -> tensor<2x4x3xi8> {
      %r = linalg.pooling_nwc_min_unsigned {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%x, %y : tensor<2x9x3xi8>, tensor<3xi8>) outs(%c : tensor<2x4x3xi8>) -> tensor<2x4x3xi8>
      return %r : tensor<2x4x3xi8>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x9x3xi8>, %arg1: tensor<3xi8>, %arg2: tensor<2x4x3xi8>) -> tensor<2x4x3xi8> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2 + d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x9x3xi8>, tensor<3xi8>) outs(%arg2 : tensor<2x4x3xi8>) {
      ^bb0(%in: i8, %in_0: i8, %out: i8):
        %1 = arith.maxui %out, %in : i8
        linalg.yield %1 : i8
      } -> tensor<2x4x3xi8>
      return %0 : tensor<2x4x3xi8>
    }
  }
}
