// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %r = linalg.broadcast ins(%x : tensor<3xf32>) outs(%c : tensor<3x3xf32>) dimensions = [0]
      return %r : tensor<3x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %d = linalg.broadcast ins(%x : tensor<3xf32>) outs(%c : tensor<3x3xf32>) dimensions = [1]
      %r = linalg.transpose ins(%d : tensor<3x3xf32>) outs(%c : tensor<3x3xf32>) permutation = [1, 0]
      return %r : tensor<3x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %r = linalg.broadcast ins(%x : tensor<3xf32>) outs(%c : tensor<3x3xf32>) dimensions = [0]
      return %r : tensor<3x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %c: tensor<3x3xf32>) -> tensor<3x3xf32> {
      %r = linalg.broadcast ins(%x : tensor<3xf32>) outs(%c : tensor<3x3xf32>) dimensions = [1]
      return %r : tensor<3x3xf32>
    }
  }
}
