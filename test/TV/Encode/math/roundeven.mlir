// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.roundeven %a : f32
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

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %f = math.roundeven %n : f32
      %r = arith.negf %f : f32
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
