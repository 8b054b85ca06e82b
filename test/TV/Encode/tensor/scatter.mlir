// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x1x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %i = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>
      %r = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<2x1x6xf32>, tensor<4x6xf32>, tensor<2x1xindex>) -> tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x1x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %a = tensor.extract_slice %x[0, 0, 0] [1, 1, 6] [1, 1, 1] : tensor<2x1x6xf32> to tensor<6xf32>
      %b = tensor.extract_slice %x[1, 0, 0] [1, 1, 6] [1, 1, 1] : tensor<2x1x6xf32> to tensor<6xf32>
      %1 = tensor.insert_slice %b into %y[1, 0] [1, 6] [1, 1] : tensor<6xf32> into tensor<4x6xf32>
      %r = tensor.insert_slice %a into %1[3, 0] [1, 6] [1, 1] : tensor<6xf32> into tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x1x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %i = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>
      %r = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<2x1x6xf32>, tensor<4x6xf32>, tensor<2x1xindex>) -> tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x1x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %i = arith.constant dense<[[1], [3]]> : tensor<2x1xindex>
      %r = tensor.scatter %x into %y[%i] scatter_dims([0]) unique : (tensor<2x1x6xf32>, tensor<4x6xf32>, tensor<2x1xindex>) -> tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
}
