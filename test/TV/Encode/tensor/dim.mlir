// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<?x6xf32>) -> index {
      %c = arith.constant 0 : index
      %1 = tensor.extract_slice %x[0, 0] [1, 6] [1, 1] : tensor<?x6xf32> to tensor<1x6xf32>
      %r = tensor.dim %1, %c : tensor<1x6xf32>
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?x6xf32>) -> index {
      %r = arith.constant 1 : index
      return %r : index
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<?x?xf32>) -> index {
      %c = arith.constant 0 : index
      %r = tensor.dim %x, %c : tensor<?x?xf32>
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?x?xf32>) -> index {
      %c = arith.constant 1 : index
      %r = tensor.dim %x, %c : tensor<?x?xf32>
      return %r : index
    }
  }
}
