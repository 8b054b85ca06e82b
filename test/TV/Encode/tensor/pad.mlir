// RUN: panpipe-tv --expect %s

// Sliced off again.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %z = arith.constant 0.0 : f32
      %1 = tensor.pad %x low[1, 2] high[3, 0] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<4x6xf32> to tensor<8x8xf32>
      %r = tensor.extract_slice %1[1, 2] [4, 6] [1, 1] : tensor<8x8xf32> to tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %r = tensor.cast %x : tensor<4x6xf32> to tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
}

// -----

// Low and high exchanged.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x6xf32> {
      %z = arith.constant 0.0 : f32
      %r = tensor.pad %x low[0, 0] high[2, 0] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<4x6xf32> to tensor<6x6xf32>
      return %r : tensor<6x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x6xf32> {
      %z = arith.constant 0.0 : f32
      %r = tensor.pad %x low[2, 0] high[0, 0] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<4x6xf32> to tensor<6x6xf32>
      return %r : tensor<6x6xf32>
    }
  }
}

// -----

// Padding in two steps.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x8xf32> {
      %z = arith.constant 0.0 : f32
      %r = tensor.pad %x low[1, 1] high[1, 1] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<4x6xf32> to tensor<6x8xf32>
      return %r : tensor<6x8xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x8xf32> {
      %z = arith.constant 0.0 : f32
      %1 = tensor.pad %x low[1, 0] high[0, 1] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<4x6xf32> to tensor<5x7xf32>
      %r = tensor.pad %1 low[0, 1] high[1, 0] {
        ^bb0(%i: index, %j: index):
          tensor.yield %z : f32
        } : tensor<5x7xf32> to tensor<6x8xf32>
      return %r : tensor<6x8xf32>
    }
  }
}
