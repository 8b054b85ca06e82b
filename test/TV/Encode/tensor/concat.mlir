// RUN: panpipe-tv --expect %s

// Pieces of a tensor, joined.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
      %a = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<5x4xf32> to tensor<2x4xf32>
      %b = tensor.extract_slice %x[2, 0] [3, 4] [1, 1] : tensor<5x4xf32> to tensor<3x4xf32>
      %r = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
      return %r : tensor<5x4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
      %r = tensor.cast %x : tensor<5x4xf32> to tensor<5x4xf32>
      return %r : tensor<5x4xf32>
    }
  }
}

// -----

// Wrong offset.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
      %a = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<5x4xf32> to tensor<2x4xf32>
      %b = tensor.extract_slice %x[1, 0] [3, 4] [1, 1] : tensor<5x4xf32> to tensor<3x4xf32>
      %r = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
      return %r : tensor<5x4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
      %r = tensor.cast %x : tensor<5x4xf32> to tensor<5x4xf32>
      return %r : tensor<5x4xf32>
    }
  }
}
