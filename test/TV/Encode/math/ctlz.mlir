// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 1 : i8
      %s = arith.shrui %a, %c : i8
      %r = math.ctlz %s : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %o = arith.constant 1 : i8
      %e = arith.constant 8 : i8
      %l = math.ctlz %a : i8
      %p = arith.addi %l, %o : i8
      %r = arith.minui %p, %e : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = math.ctlz %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = math.cttz %a : i8
      return %r : i8
    }
  }
}
