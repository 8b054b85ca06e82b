// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %t = tensor.from_elements %a, %b : tensor<2xf32>
      %c = arith.constant 1 : index
      %r = tensor.extract %t[%c] : tensor<2xf32>
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %n = arith.negf %b : f32
      %r = arith.negf %n : f32
      return %r : f32
    }
  }
}

// -----

// Row-major.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32, %c: f32, %d: f32) -> tensor<2x2xf32> {
      %r = tensor.from_elements %a, %b, %c, %d : tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32, %c: f32, %d: f32) -> tensor<2x2xf32> {
      %r = tensor.from_elements %a, %c, %b, %d : tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    }
  }
}
