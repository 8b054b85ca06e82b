// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = tosa.sub %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.map ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>)
        (%a: f32, %b: f32, %o: f32) {
          %v = arith.subf %a, %b : f32
          linalg.yield %v : f32
        }
      return %r : tensor<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = tosa.sub %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.map ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>)
        (%a: f32, %b: f32, %o: f32) {
          %v = arith.subf %b, %a : f32
          linalg.yield %v : f32
        }
      return %r : tensor<2xf32>
    }
  }
}
