// RUN: panpipe-tv --expect %s

// There and back.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %f = arith.sitofp %a : i8 to f32
      %r = arith.fptosi %f : f32 to i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %r = arith.addi %a, %z : i8
      return %r : i8
    }
  }
}

// -----

// Out of range is poison: a wider detour does not excuse it.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> i8 {
      %w = arith.fptosi %a : f32 to i32
      %r = arith.trunci %w : i32 to i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i8 {
      %r = arith.fptosi %a : f32 to i8
      return %r : i8
    }
  }
}
