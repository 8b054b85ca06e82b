// RUN: panpipe-tv --expect %s

// Poison of the operand that is not chosen does not count.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%c: i1, %a: i8) -> i8 {
      %n = arith.constant 9 : i8
      %p = arith.shli %a, %n : i8
      %r = arith.select %c, %a, %p : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%c: i1, %a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %r = arith.addi %a, %z : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%c: i1, %a: i8, %b: i8) -> i8 {
      %r = arith.select %c, %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%c: i1, %a: i8, %b: i8) -> i8 {
      %r = arith.select %c, %b, %a : i8
      return %r : i8
    }
  }
}

// -----

// A bitwise operation is not lazy.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%c: i1, %d: i1, %n: i8) -> i1 {
      %s = arith.addi %n, %n overflow<nsw> : i8
      %z = arith.constant 0 : i8
      %q = arith.cmpi sgt, %s, %z : i8
      %f = arith.constant false
      %r = arith.select %c, %q, %f : i1
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%c: i1, %d: i1, %n: i8) -> i1 {
      %s = arith.addi %n, %n overflow<nsw> : i8
      %z = arith.constant 0 : i8
      %q = arith.cmpi sgt, %s, %z : i8
      %r = arith.andi %c, %q : i1
      return %r : i1
    }
  }
}
