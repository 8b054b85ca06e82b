// RUN: panpipe-tv --expect %s

// Factors commute.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.fma %a, %b, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.fma %b, %a, %c : f32
      return %r : f32
    }
  }
}

// -----

// Two roundings are not one.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.fma %a, %b, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.mulf %a, %b : f32
      %r = arith.addf %m, %c : f32
      return %r : f32
    }
  }
}
