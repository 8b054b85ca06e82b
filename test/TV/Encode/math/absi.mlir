// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %r = math.absi %a : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %n = arith.subi %z, %a : i8
      %c = arith.cmpi slt, %a, %z : i8
      %r = arith.select %c, %n, %a : i8
      return %r : i8
    }
  }
}

// -----

// The smallest value has no absolute value.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i1 {
      %x = math.absi %a : i8
      %z = arith.constant 0 : i8
      %r = arith.cmpi sge, %x, %z : i8
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i1 {
      %r = arith.constant true
      return %r : i1
    }
  }
}
