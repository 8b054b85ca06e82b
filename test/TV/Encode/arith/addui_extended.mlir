// RUN: panpipe-tv --expect %s

// The overflow flag is an unsigned comparison.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %s, %r = arith.addui_extended %a, %b : i8, i1
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %s = arith.addi %a, %b : i8
      %r = arith.cmpi ult, %s, %a : i8
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %s, %r = arith.addui_extended %a, %b : i8, i1
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i1 {
      %s = arith.addi %a, %b : i8
      %r = arith.cmpi slt, %s, %a : i8
      return %r : i1
    }
  }
}
