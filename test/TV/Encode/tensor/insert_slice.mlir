// RUN: panpipe-tv --expect %s

// What covers everything leaves nothing of the destination.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %r = tensor.insert_slice %x into %y[0, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
      %r = tensor.cast %x : tensor<4x6xf32> to tensor<4x6xf32>
      return %r : tensor<4x6xf32>
    }
  }
}

// -----

// Reading back what was written.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x6xf32>, %y: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %1 = tensor.insert_slice %x into %y[1, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
      %r = tensor.extract_slice %1[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x6xf32>, %y: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %r = tensor.cast %x : tensor<2x6xf32> to tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x6xf32>, %y: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %1 = tensor.insert_slice %x into %y[1, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
      %r = tensor.extract_slice %1[0, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x6xf32>, %y: tensor<4x6xf32>) -> tensor<2x6xf32> {
      %r = tensor.cast %x : tensor<2x6xf32> to tensor<2x6xf32>
      return %r : tensor<2x6xf32>
    }
  }
}

// -----

// Strided windows that interleave.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<6xf32> {
      %e = tensor.empty() : tensor<6xf32>
      %1 = tensor.insert_slice %x into %e[0] [3] [2] : tensor<3xf32> into tensor<6xf32>
      %r = tensor.insert_slice %y into %1[1] [3] [2] : tensor<3xf32> into tensor<6xf32>
      return %r : tensor<6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<6xf32> {
      %e = tensor.empty() : tensor<6xf32>
      %1 = tensor.insert_slice %y into %e[1] [3] [2] : tensor<3xf32> into tensor<6xf32>
      %r = tensor.insert_slice %x into %1[0] [3] [2] : tensor<3xf32> into tensor<6xf32>
      return %r : tensor<6xf32>
    }
  }
}
