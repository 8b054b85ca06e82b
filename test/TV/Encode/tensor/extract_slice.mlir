// RUN: panpipe-tv --expect %s

// A slice of a slice.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<10x6xf32>) -> tensor<3x6xf32> {
      %1 = tensor.extract_slice %x[1, 0] [8, 6] [1, 1] : tensor<10x6xf32> to tensor<8x6xf32>
      %r = tensor.extract_slice %1[1, 0] [3, 6] [2, 1] : tensor<8x6xf32> to tensor<3x6xf32>
      return %r : tensor<3x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<10x6xf32>) -> tensor<3x6xf32> {
      %r = tensor.extract_slice %x[2, 0] [3, 6] [2, 1] : tensor<10x6xf32> to tensor<3x6xf32>
      return %r : tensor<3x6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<10x6xf32>) -> tensor<3x6xf32> {
      %r = tensor.extract_slice %x[2, 0] [3, 6] [2, 1] : tensor<10x6xf32> to tensor<3x6xf32>
      return %r : tensor<3x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<10x6xf32>) -> tensor<3x6xf32> {
      %r = tensor.extract_slice %x[2, 0] [3, 6] [1, 1] : tensor<10x6xf32> to tensor<3x6xf32>
      return %r : tensor<3x6xf32>
    }
  }
}

// -----

// A run-time offset may be out of bounds.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<10xf32>, %i: index) -> tensor<3xf32> {
      %r = tensor.extract_slice %x[2] [3] [1] : tensor<10xf32> to tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<10xf32>, %i: index) -> tensor<3xf32> {
      %u = tensor.extract_slice %x[%i] [3] [1] : tensor<10xf32> to tensor<3xf32>
      %r = tensor.extract_slice %x[2] [3] [1] : tensor<10xf32> to tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}
