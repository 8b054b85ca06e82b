// RUN: panpipe-tv --expect %s

// Eight bits fit exactly.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> f32 {
      %r = arith.sitofp %a : i8 to f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> f32 {
      %e = arith.extsi %a : i8 to i16
      %r = arith.sitofp %e : i16 to f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> f32 {
      %r = arith.sitofp %a : i8 to f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> f32 {
      %r = arith.uitofp %a : i8 to f32
      return %r : f32
    }
  }
}
