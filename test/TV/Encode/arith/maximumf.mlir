// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.maximumf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.maximumf %b, %a : f32
      return %r : f32
    }
  }
}

// -----

// A NaN must come through.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.maximumf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.maxnumf %a, %b : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.maximumf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.minimumf %a, %b : f32
      return %r : f32
    }
  }
}
