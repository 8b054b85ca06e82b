// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i8) -> index {
      %r = arith.index_castui %a : i8 to index
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> index {
      %e = arith.extui %a : i8 to i16
      %r = arith.index_cast %e : i16 to index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i8) -> index {
      %r = arith.index_castui %a : i8 to index
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%a: i8) -> index {
      %r = arith.index_cast %a : i8 to index
      return %r : index
    }
  }
}
