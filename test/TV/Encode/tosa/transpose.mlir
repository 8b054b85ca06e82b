// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %r = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      return %r : tensor<3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %e = tensor.empty() : tensor<3x2xf32>
      %r = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) permutation = [1, 0]
      return %r : tensor<3x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %r = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      return %r : tensor<3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
      %s = "tosa.const_shape"() <{values = dense<[3, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %r = tosa.reshape %x, %s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<3x2xf32>
      return %r : tensor<3x2xf32>
    }
  }
}
