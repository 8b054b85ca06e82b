// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %r = linalg.transpose ins(%x : tensor<3x4xf32>) outs(%c : tensor<4x3xf32>) permutation = [1, 0]
      return %r : tensor<4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xf32>) outs(%c : tensor<4x3xf32>) {
        ^bb0(%a: f32, %b: f32):
          linalg.yield %a : f32
        } -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3x3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %r = linalg.transpose ins(%x : tensor<3x3xf32>) outs(%c : tensor<3x3xf32>) permutation = [1, 0]
      return %r : tensor<3x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %r = linalg.copy ins(%x : tensor<3x3xf32>) outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
      return %r : tensor<3x3xf32>
    }
  }
}
