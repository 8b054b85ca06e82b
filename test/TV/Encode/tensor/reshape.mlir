// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<3x8xf32> {
      %s = arith.constant dense<[3, 8]> : tensor<2xi32>
      %r = tensor.reshape %x(%s) : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<3x8xf32>
      return %r : tensor<3x8xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<3x8xf32> {
      %1 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
      %r = tensor.expand_shape %1 [[0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
      return %r : tensor<3x8xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
      %s = arith.constant dense<[6, 4]> : tensor<2xi32>
      %r = tensor.reshape %x(%s) : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<6x4xf32>
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
