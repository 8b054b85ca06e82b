// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.ceildivu %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.ceildivui %a, %b : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index, %b: index) -> index {
      %r = index.ceildivu %a, %b
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: index, %b: index) -> index {
      %r = arith.divui %a, %b : index
      return %r : index
    }
  }
}

// -----

// A division by zero is undefined, used or not.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: index) -> index {
      return %a : index
    }
  }
  module @tgt {
    func.func @f(%a: index) -> index {
      %c0 = index.constant 0
      %c1 = index.constant 1
      %d = index.ceildivu %c1, %c0
      return %a : index
    }
  }
}
