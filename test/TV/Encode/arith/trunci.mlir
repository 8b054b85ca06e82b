// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %e = arith.extsi %a : i8 to i32
      %r = arith.trunci %e : i32 to i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %e = arith.extui %a : i8 to i16
      %r = arith.trunci %e : i16 to i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i16) -> i8 {
      %r = arith.trunci %a : i16 to i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i16) -> i8 {
      %c = arith.constant 8 : i16
      %s = arith.shrui %a, %c : i16
      %r = arith.trunci %s : i16 to i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i16) -> i8 {
      %r = arith.trunci %a : i16 to i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i16) -> i8 {
      %r = arith.trunci %a overflow<nuw> : i16 to i8
      return %r : i8
    }
  }
}
