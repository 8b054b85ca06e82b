// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = math.ctpop %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %m = arith.constant -1 : i8
      %n = arith.xori %a, %m : i8
      %p = math.ctpop %n : i8
      %e = arith.constant 8 : i8
      %r = arith.subi %e, %p : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = math.ctpop %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = math.ctlz %a : i8
      return %r : i8
    }
  }
}
