// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 1 : i8
      %r = arith.shli %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = arith.addi %a, %a : i8
      return %r : i8
    }
  }
}

// -----

// A shift by the width is poison.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = arith.constant 0 : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 8 : i8
      %r = arith.shli %a, %c : i8
      return %r : i8
    }
  }
}

// -----

// Poison may become anything.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 8 : i8
      %r = arith.shli %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = arith.constant 0 : i8
      return %r : i8
    }
  }
}
