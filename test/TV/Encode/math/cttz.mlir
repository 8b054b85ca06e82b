// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = math.cttz %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %o = arith.constant 1 : i8
      %n = arith.subi %z, %a : i8
      %l = arith.andi %a, %n : i8
      %m = arith.subi %l, %o : i8
      %r = math.ctpop %m : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = math.cttz %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = math.ctpop %a : i8
      return %r : i8
    }
  }
}
