// RUN: panpipe-tv --expect %s

// Narrowing is undone by widening only where rounding may be left out.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["contract"]} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %t = arith.truncf %a : f32 to f16
      %r = arith.extf %t : f16 to f32
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

// Negation goes through.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f16 {
      %n = arith.negf %a : f32
      %r = arith.truncf %n : f32 to f16
      return %r : f16
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f16 {
      %t = arith.truncf %a : f32 to f16
      %r = arith.negf %t : f16
      return %r : f16
    }
  }
}

// -----

// Through the wrong sign it does not.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f16 {
      %n = arith.negf %a : f32
      %r = arith.truncf %n : f32 to f16
      return %r : f16
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f16 {
      %r = arith.truncf %a : f32 to f16
      return %r : f16
    }
  }
}
