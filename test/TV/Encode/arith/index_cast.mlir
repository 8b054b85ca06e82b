// RUN: panpipe-tv --expect %s

// Through a wide enough type a round trip is the identity …
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %i = arith.index_cast %a : i32 to index
      %r = arith.index_cast %i : index to i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      %z = arith.constant 0 : i32
      %r = arith.addi %a, %z : i32
      return %r : i32
    }
  }
}

// -----

// … through a narrower one it is not.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index) -> index {
      %i = arith.index_cast %a : index to i32
      %r = arith.index_cast %i : i32 to index
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index) -> index {
      %z = arith.constant 0 : index
      %r = arith.addi %a, %z : index
      return %r : index
    }
  }
}
