// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.minsi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %c = arith.cmpi slt, %a, %b : i8
      %r = arith.select %c, %a, %b : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.minsi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %c = arith.cmpi ult, %a, %b : i8
      %r = arith.select %c, %a, %b : i8
      return %r : i8
    }
  }
}
