// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.minu %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.minui %a, %b : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.minu %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.minsi %a, %b : index
      return %r : index
    }
  }
}
