// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<1x4x2xf32>) -> tensor<1x2x2xf32> {
      %i = "tosa.const"() <{values = dense<[[3, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
      %r = tosa.gather %x, %i : (tensor<1x4x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
      return %r : tensor<1x2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x4x2xf32>) -> tensor<1x2x2xf32> {
      %a = tensor.extract_slice %x[0, 3, 0] [1, 1, 2] [1, 1, 1] : tensor<1x4x2xf32> to tensor<1x1x2xf32>
      %b = tensor.extract_slice %x[0, 1, 0] [1, 1, 2] [1, 1, 1] : tensor<1x4x2xf32> to tensor<1x1x2xf32>
      %r = tensor.concat dim(1) %a, %b : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x2x2xf32>
      return %r : tensor<1x2x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x4x2xf32>) -> tensor<1x2x2xf32> {
      %i = "tosa.const"() <{values = dense<[[3, 1]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
      %r = tosa.gather %x, %i : (tensor<1x4x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
      return %r : tensor<1x2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x4x2xf32>) -> tensor<1x2x2xf32> {
      %i = "tosa.const"() <{values = dense<[[1, 3]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
      %r = tosa.gather %x, %i : (tensor<1x4x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
      return %r : tensor<1x2x2xf32>
    }
  }
}
