// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.clampf %a to [%b, %c] : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.minimumf %a, %c : f32
      %r = arith.maximumf %m, %b : f32
      return %r : f32
    }
  }
}

// -----

// The order matters where the bounds cross.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %r = math.clampf %a to [%b, %c] : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.maximumf %a, %b : f32
      %r = arith.minimumf %m, %c : f32
      return %r : f32
    }
  }
}
