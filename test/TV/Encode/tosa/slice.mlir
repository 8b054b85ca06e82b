// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
      %a = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %b = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %r = tosa.slice %x, %a, %b : (tensor<4x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
      %r = tensor.extract_slice %x[1, 2] [2, 3] [1, 1] : tensor<4x6xf32> to tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
      %a = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %b = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %r = tosa.slice %x, %a, %b : (tensor<4x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x3xf32> {
      %a = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %b = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %r = tosa.slice %x, %a, %b : (tensor<4x6xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}
