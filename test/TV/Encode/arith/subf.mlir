// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.subf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %n = arith.negf %b : f32
      %r = arith.addf %a, %n : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.subf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.subf %b, %a : f32
      return %r : f32
    }
  }
}
