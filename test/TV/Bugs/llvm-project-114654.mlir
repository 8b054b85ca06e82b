// RUN: panpipe-tv --expect %s

// llvm/llvm-project#114654: floor division and modulo of negative numbers.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @m2(%arg0: index) -> index {
      %0 = affine.apply affine_map<(d0) -> (((d0 - (d0 + 2)) floordiv 8) mod 8)>(%arg0)
      return %0 : index
    }
  }
  module @tgt {
    func.func @m2(%arg0: index) -> index {
      %c8 = arith.constant 8 : index
      return %c8 : index
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @m2(%arg0: index) -> index {
      %0 = affine.apply affine_map<(d0) -> (((d0 - (d0 + 2)) floordiv 8) mod 8)>(%arg0)
      return %0 : index
    }
  }
  module @tgt {
    func.func @m2(%arg0: index) -> index {
      %c7 = arith.constant 7 : index
      return %c7 : index
    }
  }
}
