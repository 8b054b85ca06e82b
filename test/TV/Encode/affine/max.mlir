// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index, %j: index) -> index {
      %r = affine.max affine_map<(d0, d1) -> (d0, d1)>(%i, %j)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index, %j: index) -> index {
      %r = affine.max affine_map<(d0, d1) -> (d1, d0)>(%i, %j)
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index, %j: index) -> index {
      %r = affine.max affine_map<(d0, d1) -> (d0, d1)>(%i, %j)
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%i: index, %j: index) -> index {
      %r = affine.min affine_map<(d0, d1) -> (d0, d1)>(%i, %j)
      return %r : index
    }
  }
}
