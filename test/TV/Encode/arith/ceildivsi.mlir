// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 2 : i8
      %r = arith.ceildivsi %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 1 : i8
      %h = arith.shrsi %a, %c : i8
      %l = arith.andi %a, %c : i8
      %r = arith.addi %h, %l : i8
      return %r : i8
    }
  }
}

// -----

// The sum wraps at 127.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 2 : i8
      %r = arith.ceildivsi %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 1 : i8
      %h = arith.addi %a, %c : i8
      %r = arith.shrsi %h, %c : i8
      return %r : i8
    }
  }
}
