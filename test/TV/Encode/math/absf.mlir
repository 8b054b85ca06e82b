// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %r = math.absf %n : f32
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

// The larger of a number and its negation.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.absf %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %z = arith.constant 0.0 : f32
      %n = arith.subf %z, %a : f32
      %r = arith.maximumf %a, %n : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.absf %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = arith.negf %a : f32
      return %r : f32
    }
  }
}
