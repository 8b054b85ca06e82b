// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> index {
      %a = index.sizeof
      return %a : index
    }
  }
  module @tgt {
    func.func @f() -> index {
      %r = arith.constant 64 : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> index {
      %a = index.sizeof
      return %a : index
    }
  }
  module @tgt {
    func.func @f() -> index {
      %r = arith.constant 32 : index
      return %r : index
    }
  }
}
