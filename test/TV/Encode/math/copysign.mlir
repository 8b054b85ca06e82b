// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %c = arith.constant 1.0 : f32
      %r = math.copysign %a, %c : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = math.absf %a : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = math.copysign %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = math.copysign %b, %a : f32
      return %r : f32
    }
  }
}
