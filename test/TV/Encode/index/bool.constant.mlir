// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> i1 {
      %a = index.bool.constant true
      return %a : i1
    }
  }
  module @tgt {
    func.func @f() -> i1 {
      %r = arith.constant true
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> i1 {
      %a = index.bool.constant true
      return %a : i1
    }
  }
  module @tgt {
    func.func @f() -> i1 {
      %r = arith.constant false
      return %r : i1
    }
  }
}
