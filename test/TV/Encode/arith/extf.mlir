// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f16) -> f16 {
      %e = arith.extf %a : f16 to f32
      %r = arith.truncf %e : f32 to f16
      return %r : f16
    }
  }
  module @tgt {
    func.func @f(%a: f16) -> f16 {
      %n = arith.negf %a : f16
      %r = arith.negf %n : f16
      return %r : f16
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f16, %b: f16) -> f32 {
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %r = arith.addf %x, %y : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f16, %b: f16) -> f32 {
      %s = arith.addf %a, %b : f16
      %r = arith.extf %s : f16 to f32
      return %r : f32
    }
  }
}
