// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> index {
      %a = index.constant 5
      %b = index.constant -2
      %r = index.add %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f() -> index {
      %r = arith.constant 3 : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> index {
      %a = index.constant 5
      return %a : index
    }
  }
  module @tgt {
    func.func @f() -> index {
      %r = arith.constant 3 : index
      return %r : index
    }
  }
}
