// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = math.powf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %u = arith.addf %a, %b : f32
      %r = math.powf %a, %b : f32
      return %r : f32
    }
  }
}

// -----

// Not for a negative base.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = math.powf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %l = math.log %a : f32
      %m = arith.mulf %b, %l : f32
      %r = math.exp %m : f32
      return %r : f32
    }
  }
}
