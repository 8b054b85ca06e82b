// RUN: panpipe-tv --expect %s

// The same function of the same argument.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %s = arith.addf %a, %b : f32
      %r = math.asin %s : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %s = arith.addf %b, %a : f32
      %r = math.asin %s : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.asin %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = math.acos %a : f32
      return %r : f32
    }
  }
}
