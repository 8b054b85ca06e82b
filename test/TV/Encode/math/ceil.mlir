// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %f = math.floor %n : f32
      %r = arith.negf %f : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %r = math.ceil %a : f32
      return %r : f32
    }
  }
}

// -----

// Through integers the sign of zero is lost.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %r = math.ceil %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %i = arith.fptosi %a : f32 to i32
      %f = arith.sitofp %i : i32 to f32
      %c = arith.cmpf olt, %f, %a : f32
      %o = arith.constant 1.0 : f32
      %g = arith.addf %f, %o : f32
      %r = arith.select %c, %g, %f : f32
      return %r : f32
    }
  }
}
