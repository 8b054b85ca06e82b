// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.sqrt %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %m = arith.negf %n : f32
      %r = math.sqrt %m : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %s = math.sqrt %a : f32
      %r = arith.mulf %s, %s : f32
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
