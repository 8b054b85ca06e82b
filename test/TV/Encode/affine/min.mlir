// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index, %j: index) -> index {
      %r = affine.min affine_map<(d0, d1) -> (d0, d1)>(%i, %j)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index, %j: index) -> index {
      %r = arith.minsi %i, %j : index
      return %r : index
    }
  }
}

// -----

// Compared as signed numbers.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index, %j: index) -> index {
      %r = affine.min affine_map<(d0, d1) -> (d0, d1)>(%i, %j)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index, %j: index) -> index {
      %r = arith.minui %i, %j : index
      return %r : index
    }
  }
}
