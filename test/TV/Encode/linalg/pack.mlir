// RUN: panpipe-tv --expect %s

// There and back.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<6x8xf32>, %c: tensor<3x2x2x4xf32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
      %p = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %c : tensor<6x8xf32> -> tensor<3x2x2x4xf32>
      %r = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %d : tensor<3x2x2x4xf32> -> tensor<6x8xf32>
      return %r : tensor<6x8xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<6x8xf32>, %c: tensor<3x2x2x4xf32>, %d: tensor<6x8xf32>) -> tensor<6x8xf32> {
      %r = tensor.cast %x : tensor<6x8xf32> to tensor<6x8xf32>
      return %r : tensor<6x8xf32>
    }
  }
}

// -----

// Outer dimensions exchanged.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x4xf32>, %c: tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32> {
      %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %c : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
      return %r : tensor<2x2x2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x4xf32>, %c: tensor<2x2x2x2xf32>) -> tensor<2x2x2x2xf32> {
      %r = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %c : tensor<4x4xf32> -> tensor<2x2x2x2xf32>
      return %r : tensor<2x2x2x2xf32>
    }
  }
}

// -----

// With padding.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<5xf32>, %c: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %z = arith.constant 0.0 : f32
      %r = linalg.pack %x padding_value(%z : f32) inner_dims_pos = [0] inner_tiles = [2] into %c : tensor<5xf32> -> tensor<3x2xf32>
      return %r : tensor<3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<5xf32>, %c: tensor<3x2xf32>) -> tensor<3x2xf32> {
      %z = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0] high[1] {
        ^bb0(%i: index):
          tensor.yield %z : f32
        } : tensor<5xf32> to tensor<6xf32>
      %r = tensor.expand_shape %p [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
      return %r : tensor<3x2xf32>
    }
  }
}
