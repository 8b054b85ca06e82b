// RUN: panpipe-tv --expect %s

// The high half is the top of the wide product.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %l, %r = arith.mului_extended %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %x = arith.extui %a : i8 to i16
      %y = arith.extui %b : i8 to i16
      %m = arith.muli %x, %y : i16
      %c = arith.constant 8 : i16
      %h = arith.shrui %m, %c : i16
      %r = arith.trunci %h : i16 to i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %l, %r = arith.mului_extended %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %l, %r = arith.mulsi_extended %a, %b : i8
      return %r : i8
    }
  }
}
