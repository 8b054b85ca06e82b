// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = math.isnan %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %r = arith.cmpf uno, %a, %a : f32
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = math.isnan %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %r = math.isinf %a : f32
      return %r : i1
    }
  }
}
