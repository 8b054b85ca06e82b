// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x7x8x3xi8>, %y: tensor<3x2x3xi8>, %z: i32, %w: i32, %c: tensor<2x3x6x3xi32>) -> tensor<2x3x6x3xi32> {
      %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %y, %z, %w : tensor<2x7x8x3xi8>, tensor<3x2x3xi8>, i32, i32) outs(%c : tensor<2x3x6x3xi32>) -> tensor<2x3x6x3xi32>
      return %r : tensor<2x3x6x3xi32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x7x8x3xi8>, %arg1: tensor<3x2x3xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x6x3xi32>) -> tensor<2x3x6x3xi32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 + d5 * 2, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x7x8x3xi8>, tensor<3x2x3xi8>, i32, i32) outs(%arg4 : tensor<2x3x6x3xi32>) {
      ^bb0(%in: i8, %in_0: i8, %in_1: i32, %in_2: i32, %out: i32):
        %1 = arith.extsi %in : i8 to i32
        %2 = arith.subi %1, %in_1 : i32
        %3 = arith.extsi %in_0 : i8 to i32
        %4 = arith.subi %3, %in_2 : i32
        %5 = arith.muli %2, %4 : i32
        %6 = arith.addi %out, %5 : i32
        linalg.yield %6 : i32
      } -> tensor<2x3x6x3xi32>
      return %0 : tensor<2x3x6x3xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x7x8x3xi8>, %y: tensor<3x2x3xi8>, %z: i32, %w: i32, %c: tensor<2x3x6x3xi32>) -> tensor<2x3x6x3xi32> {
      %r = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %y, %z, %w : tensor<2x7x8x3xi8>, tensor<3x2x3xi8>, i32, i32) outs(%c : tensor<2x3x6x3xi32>) -> tensor<2x3x6x3xi32>
      return %r : tensor<2x3x6x3xi32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x7x8x3xi8>, %arg1: tensor<3x2x3xi8>, %arg2: i32, %arg3: i32, %arg4: tensor<2x3x6x3xi32>) -> tensor<2x3x6x3xi32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 + d5 * 2, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1, %arg2, %arg3 : tensor<2x7x8x3xi8>, tensor<3x2x3xi8>, i32, i32) outs(%arg4 : tensor<2x3x6x3xi32>) {
      ^bb0(%in: i8, %in_0: i8, %in_1: i32, %in_2: i32, %out: i32):
        %1 = arith.extsi %in : i8 to i32
        %2 = arith.subi %1, %in_1 : i32
        %3 = arith.extsi %in_0 : i8 to i32
        %4 = arith.subi %3, %in_2 : i32
        %5 = arith.muli %2, %4 : i32
        %6 = arith.subi %out, %5 : i32
        linalg.yield %6 : i32
      } -> tensor<2x3x6x3xi32>
      return %0 : tensor<2x3x6x3xi32>
    }
  }
}
