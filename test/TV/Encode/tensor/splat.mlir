// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> tensor<4xf32> {
      %r = tensor.splat %a : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %r = linalg.fill ins(%a : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> tensor<4xf32> {
      %r = tensor.splat %a : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> tensor<4xf32> {
      %c = arith.constant 1 : index
      %e = tensor.empty() : tensor<4xf32>
      %r = tensor.insert %a into %e[%c] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}
