// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x2xf32>, %d: tensor<6xf32>) -> tensor<6xf32> {
      %r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [2] into %d : tensor<3x2xf32> -> tensor<6xf32>
      return %r : tensor<6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x2xf32>, %d: tensor<6xf32>) -> tensor<6xf32> {
      %r = tensor.collapse_shape %x [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
      return %r : tensor<6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x2x2x2xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %d : tensor<2x2x2x2xf32> -> tensor<4x4xf32>
      return %r : tensor<4x4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x2x2x2xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %r = linalg.unpack %x inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %d : tensor<2x2x2x2xf32> -> tensor<4x4xf32>
      return %r : tensor<4x4xf32>
    }
  }
}
