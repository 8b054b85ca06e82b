// RUN: panpipe-tv --expect %s

// Dividing by one.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 1 : i8
      %r = arith.divsi %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %z = arith.constant 0 : i8
      %r = arith.addi %a, %z : i8
      return %r : i8
    }
  }
}

// -----

// A shift rounds down, a division towards zero.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 2 : i8
      %r = arith.divsi %a, %c : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> i8 {
      %c = arith.constant 1 : i8
      %r = arith.shrsi %a, %c : i8
      return %r : i8
    }
  }
}

// -----

// Undefined behaviour may go …
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %d = arith.divsi %a, %b : i8
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
}

// -----

// … but not come.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %d = arith.divsi %a, %b : i8
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
}
