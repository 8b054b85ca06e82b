// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.copy ins(%x : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = tensor.cast %x : tensor<3xf32> to tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.copy ins(%x : tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = tensor.cast %c : tensor<3xf32> to tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}
