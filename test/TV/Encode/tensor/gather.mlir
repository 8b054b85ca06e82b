// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %i = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>
      %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x6xf32>, tensor<2x1xindex>) -> tensor<2x1x6xf32>
      %r = tensor.collapse_shape %g [[0, 1], [2]] : tensor<2x1x6xf32> into tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %a = tensor.extract_slice %x[3, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
      %b = tensor.extract_slice %x[1, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
      %r = tensor.concat dim(0) %a, %b : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %i = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>
      %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x6xf32>, tensor<2x1xindex>) -> tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %i = arith.constant dense<[[1], [3]]> : tensor<2x1xindex>
      %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x6xf32>, tensor<2x1xindex>) -> tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
}

// -----

// `unique` is a promise of the source,
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @unique(%x: tensor<3x3xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x3xf32> {
      %r = tensor.gather %x[%i] gather_dims([0]) unique : (tensor<3x3xf32>, tensor<2x1xindex>) -> tensor<2x1x3xf32>
      return %r : tensor<2x1x3xf32>
    }
  }
  module @tgt {
    func.func @unique(%x: tensor<3x3xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x3xf32> {
      %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<3x3xf32>, tensor<2x1xindex>) -> tensor<2x1x3xf32>
      return %r : tensor<2x1x3xf32>
    }
  }
}

// -----

// and a new way to be undefined in the target.
module attributes {tv.expect = "INVALID", tv.reason = "undefined"} {
  module @src {
    func.func @unique(%x: tensor<3x3xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x3xf32> {
      %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<3x3xf32>, tensor<2x1xindex>) -> tensor<2x1x3xf32>
      return %r : tensor<2x1x3xf32>
    }
  }
  module @tgt {
    func.func @unique(%x: tensor<3x3xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x3xf32> {
      %r = tensor.gather %x[%i] gather_dims([0]) unique : (tensor<3x3xf32>, tensor<2x1xindex>) -> tensor<2x1x3xf32>
      return %r : tensor<2x1x3xf32>
    }
  }
}
