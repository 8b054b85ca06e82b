// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x2xf32>) -> tensor<3x5xf32> {
      %w = "tosa.const_shape"() <{values = dense<[0, 1, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
      %p = "tosa.const"() <{values = dense<3.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.pad %x, %w, %p : (tensor<2x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x2xf32>) -> tensor<3x5xf32> {
      %c = arith.constant 3.0 : f32
      %r = tensor.pad %x low[0, 1] high[1, 2] {
      ^bb0(%i: index, %j: index):
        tensor.yield %c : f32
      } : tensor<2x2xf32> to tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x2xf32>) -> tensor<3x5xf32> {
      %w = "tosa.const_shape"() <{values = dense<[0, 1, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
      %p = "tosa.const"() <{values = dense<3.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.pad %x, %w, %p : (tensor<2x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x2xf32>) -> tensor<3x5xf32> {
      %w = "tosa.const_shape"() <{values = dense<[1, 0, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
      %p = "tosa.const"() <{values = dense<3.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.pad %x, %w, %p : (tensor<2x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
}
