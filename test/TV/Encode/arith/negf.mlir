// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = arith.negf %a : f32
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

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %n = arith.negf %a : f32
      %m = arith.negf %b : f32
      %r = arith.mulf %n, %m : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.mulf %a, %b : f32
      return %r : f32
    }
  }
}

// -----

// Zero minus zero is plus zero: only without signed zeros.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = arith.negf %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %z = arith.constant 0.0 : f32
      %r = arith.subf %z, %a : f32
      return %r : f32
    }
  }
}
