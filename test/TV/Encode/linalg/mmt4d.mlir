// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3x4x5xf32>, %y: tensor<6x3x7x5xf32>, %c: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
      %r = linalg.mmt4d ins(%x, %y : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
      return %r : tensor<2x6x4x7xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x3x4x5xf32>, %arg1: tensor<6x3x7x5xf32>, %arg2: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%arg2 : tensor<2x6x4x7xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.addf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<2x6x4x7xf32>
      return %0 : tensor<2x6x4x7xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3x4x5xf32>, %y: tensor<6x3x7x5xf32>, %c: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
      %r = linalg.mmt4d ins(%x, %y : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%c : tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32>
      return %r : tensor<2x6x4x7xf32>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<2x3x4x5xf32>, %arg1: tensor<6x3x7x5xf32>, %arg2: tensor<2x6x4x7xf32>) -> tensor<2x6x4x7xf32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d4)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x4x5xf32>, tensor<6x3x7x5xf32>) outs(%arg2 : tensor<2x6x4x7xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %1 = arith.mulf %in, %in_0 : f32
        %2 = arith.subf %out, %1 : f32
        linalg.yield %2 : f32
      } -> tensor<2x6x4x7xf32>
      return %0 : tensor<2x6x4x7xf32>
    }
  }
}
