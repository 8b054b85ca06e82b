// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %1 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
      %r = tensor.expand_shape %1 [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %r = tensor.cast %x : tensor<4x6xf32> to tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
}

// -----

// Another factorisation of the same count.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
      %1 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
      %r = tensor.expand_shape %1 [[0, 1]] output_shape [6, 4] : tensor<24xf32> into tensor<6x4xf32>
      return %r : tensor<6x4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
      %e = tensor.empty() : tensor<6x4xf32>
      %r = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
      return %r : tensor<6x4xf32>
    }
  }
}
