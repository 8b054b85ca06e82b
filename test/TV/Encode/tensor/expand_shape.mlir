// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<24xf32>) -> tensor<4x6xf32> {
      %r = tensor.expand_shape %x [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<24xf32>) -> tensor<4x6xf32> {
      %1 = tensor.expand_shape %x [[0, 1, 2]] output_shape [2, 2, 6] : tensor<24xf32> into tensor<2x2x6xf32>
      %r = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<2x2x6xf32> into tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
}

// -----

// Expand, transpose, collapse is not a reshape.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
      %r = tensor.cast %x : tensor<6xf32> to tensor<6xf32>
      return %r : tensor<6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<6xf32>) -> tensor<6xf32> {
      %1 = tensor.expand_shape %x [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
      %e = tensor.empty() : tensor<3x2xf32>
      %t = linalg.transpose ins(%1 : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
      %r = tensor.collapse_shape %t [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
      return %r : tensor<6xf32>
    }
  }
}
