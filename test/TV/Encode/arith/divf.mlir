// RUN: panpipe-tv --expect %s

// A power of two has an exact inverse.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 4.0 : f32
      %r = arith.divf %a, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 0.25 : f32
      %r = arith.mulf %a, %c : f32
      return %r : f32
    }
  }
}

// -----

// A third has none.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 3.0 : f32
      %r = arith.divf %a, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 0.33333334 : f32
      %r = arith.mulf %a, %c : f32
      return %r : f32
    }
  }
}
