// RUN: panpipe-tv --expect %s

// Modulo by floor division, negative numbers included.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index) -> index {
      %r = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index) -> index {
      %r = affine.apply affine_map<(d0) -> (d0 - (d0 floordiv 8) * 8)>(%i)
      return %r : index
    }
  }
}

// -----

// A remainder is not a modulo.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index) -> index {
      %r = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index) -> index {
      %c = arith.constant 8 : index
      %r = arith.remsi %i, %c : index
      return %r : index
    }
  }
}

// -----

// Nested divisions.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index) -> index {
      %r = affine.apply affine_map<(d0) -> ((d0 floordiv 4) floordiv 3)>(%i)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index) -> index {
      %r = affine.apply affine_map<(d0) -> (d0 floordiv 12)>(%i)
      return %r : index
    }
  }
}
