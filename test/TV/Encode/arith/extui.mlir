// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i16 {
      %r = arith.extui %a : i8 to i16
      return %r : i16
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i16 {
      %e = arith.extsi %a : i8 to i16
      %c = arith.constant 255 : i16
      %r = arith.andi %e, %c : i16
      return %r : i16
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i16 {
      %r = arith.extui %a : i8 to i16
      return %r : i16
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i16 {
      %r = arith.extsi %a : i8 to i16
      return %r : i16
    }
  }
}
