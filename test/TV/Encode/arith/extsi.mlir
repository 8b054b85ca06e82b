// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i16 {
      %r = arith.extsi %a : i8 to i16
      return %r : i16
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i16 {
      %e = arith.extui %a : i8 to i16
      %c = arith.constant 8 : i16
      %s = arith.shli %e, %c : i16
      %r = arith.shrsi %s, %c : i16
      return %r : i16
    }
  }
}

// -----

// True is minus one.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i1) -> i8 {
      %r = arith.extsi %a : i1 to i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i1) -> i8 {
      %r = arith.extui %a : i1 to i8
      return %r : i8
    }
  }
}
