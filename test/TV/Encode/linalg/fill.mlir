// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %r = linalg.fill ins(%a : f32) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %r = tensor.splat %a : tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %r = linalg.fill ins(%a : f32) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
      %n = arith.negf %a : f32
      %r = linalg.fill ins(%n : f32) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
}
