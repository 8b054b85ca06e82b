// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %y : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %e = tensor.empty() : tensor<4x5xf32>
      %t = linalg.transpose ins(%y : tensor<5x4xf32>) outs(%e : tensor<4x5xf32>) permutation = [1, 0]
      %r = linalg.matmul ins(%x, %t : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %y : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
      %r = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %y : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      %n = arith.negf %r : tensor<3x5xf32>
      return %n : tensor<3x5xf32>
    }
  }
}
