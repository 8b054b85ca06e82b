// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 7 : i8
      %r = arith.shrsi %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %c = arith.cmpi slt, %a, %z : i8
      %r = arith.extsi %c : i1 to i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.shrsi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.shrui %a, %b : i8
      return %r : i8
    }
  }
}
