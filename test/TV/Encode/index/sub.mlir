// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.sub %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %c = arith.constant -1 : index
      %n = arith.muli %b, %c : index
      %r = arith.addi %a, %n : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.sub %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.sub %b, %a
      return %r : index
    }
  }
}
