// RUN: panpipe-tv --expect %s

// A call means the body of its callee.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = func.call @g(%a) : (i8) -> i8
      return %r : i8
    }
    func.func private @g(%x: i8) -> i8 {
      %y = arith.addi %x, %x : i8
      return %y : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = arith.addi %a, %a : i8
      return %r : i8
    }
    func.func private @g(%x: i8) -> i8 {
      %y = arith.addi %x, %x : i8
      return %y : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = func.call @g(%a) : (i8) -> i8
      return %r : i8
    }
    func.func private @g(%x: i8) -> i8 {
      %y = arith.addi %x, %x : i8
      return %y : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %r = func.call @g(%a) : (i8) -> i8
      return %r : i8
    }
    func.func private @g(%x: i8) -> i8 {
      %y = arith.muli %x, %x : i8
      return %y : i8
    }
  }
}

// -----

// Recursion has no encoding.
module attributes {tv.expect = "UNSUPPORTED"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %b = func.call @f(%a) : (i8) -> i8
      %r = arith.addi %b, %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %b = func.call @f(%a) : (i8) -> i8
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
}
