// RUN: panpipe-tv --expect %s

// Remainder and quotient belong together.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.remsi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %q = arith.divsi %a, %b : i8
      %m = arith.muli %q, %b : i8
      %r = arith.subi %a, %m : i8
      return %r : i8
    }
  }
}

// -----

// A negative dividend has a negative remainder.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 4 : i8
      %r = arith.remsi %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 3 : i8
      %r = arith.andi %a, %c : i8
      return %r : i8
    }
  }
}
