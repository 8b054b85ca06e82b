// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
      %m = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %r = tosa.tile %x, %m : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
      %r = tensor.concat dim(0) %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
      %m = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %r = tosa.tile %x, %m : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {
      %v = tosa.reverse %x {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %r = tensor.concat dim(0) %x, %v : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
      return %r : tensor<4x3xf32>
    }
  }
}
