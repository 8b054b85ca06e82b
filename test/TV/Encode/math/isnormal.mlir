// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = math.isnormal %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %n = arith.negf %a : f32
      %r = math.isnormal %n : f32
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = math.isnormal %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %r = math.isfinite %a : f32
      return %r : i1
    }
  }
}
