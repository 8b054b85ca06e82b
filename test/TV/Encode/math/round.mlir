// RUN: panpipe-tv --expect %s

// Halves go away from zero.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.round %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = math.roundeven %a : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %f = math.round %a : f32
      %r = math.roundeven %f : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = math.round %a : f32
      return %r : f32
    }
  }
}
