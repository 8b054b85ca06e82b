// RUN: panpipe-tv --expect %s

// Addition commutes.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %b, %a : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.ori %a, %b : i8
      return %r : i8
    }
  }
}

// -----

// A flag may be dropped …
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b overflow<nsw> : i8
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

// … but not invented.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f(%a: i8, %b: i8) -> i8 {
      %r = arith.addi %a, %b overflow<nsw> : i8
      return %r : i8
    }
  }
}
