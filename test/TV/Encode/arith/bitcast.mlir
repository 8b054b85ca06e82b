// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %f = arith.bitcast %a : i32 to f32
      %r = arith.bitcast %f : f32 to i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      %z = arith.constant 0 : i32
      %r = arith.addi %a, %z : i32
      return %r : i32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> i32 {
      %r = arith.bitcast %a : f32 to i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i32 {
      %r = arith.fptosi %a : f32 to i32
      return %r : i32
    }
  }
}
