// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<?x6xf32>) -> index {
      %r = tensor.rank %x : tensor<?x6xf32>
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?x6xf32>) -> index {
      %r = arith.constant 2 : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<?x6xf32>) -> index {
      %r = tensor.rank %x : tensor<?x6xf32>
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?x6xf32>) -> index {
      %r = arith.constant 6 : index
      return %r : index
    }
  }
}
