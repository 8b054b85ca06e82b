// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.add %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.add %b, %a
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.add %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.subi %a, %b : index
      return %r : index
    }
  }
}
