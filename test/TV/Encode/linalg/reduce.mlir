// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x4xf32>) outs(%c : tensor<3xf32>) dimensions = [1]
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x4xf32>) outs(%c : tensor<3xf32>) {
        ^bb0(%a: f32, %b: f32):
          %s = arith.addf %a, %b : f32
          linalg.yield %s : f32
        } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x4xf32>) outs(%c : tensor<3xf32>) dimensions = [1]
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.reduce { arith.mulf } ins(%x : tensor<3x4xf32>) outs(%c : tensor<3xf32>) dimensions = [1]
      return %r : tensor<3xf32>
    }
  }
}

// -----

// A maximum has no order …
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.reduce { arith.maximumf } ins(%x : tensor<3x4xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
      return %r : tensor<f32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %e = tensor.empty() : tensor<4x3xf32>
      %t = linalg.transpose ins(%x : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
      %r = linalg.reduce { arith.maximumf } ins(%t : tensor<4x3xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
      return %r : tensor<f32>
    }
  }
}

// -----

// … a sum has: another order is another value, unless the caller allows `reassoc`.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %r = linalg.reduce { arith.addf } ins(%x : tensor<3x4xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
      return %r : tensor<f32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %c: tensor<f32>) -> tensor<f32> {
      %e = tensor.empty() : tensor<4x3xf32>
      %t = linalg.transpose ins(%x : tensor<3x4xf32>) outs(%e : tensor<4x3xf32>) permutation = [1, 0]
      %r = linalg.reduce { arith.addf } ins(%t : tensor<4x3xf32>) outs(%c : tensor<f32>) dimensions = [0, 1]
      return %r : tensor<f32>
    }
  }
}
