// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 1.0 : f32
      %r = arith.mulf %a, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %r = arith.negf %n : f32
      return %r : f32
    }
  }
}

// -----

// NaN, infinity and the sign of zero forbid it.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 0.0 : f32
      %r = arith.mulf %a, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = arith.constant 0.0 : f32
      return %r : f32
    }
  }
}
