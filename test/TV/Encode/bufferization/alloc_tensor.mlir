// RUN: panpipe-tv --expect %s

// A copy.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %r = bufferization.alloc_tensor() copy(%x) : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      return %x : tensor<4xi32>
    }
  }
}

// -----

// No contents.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      return %x : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %r = bufferization.alloc_tensor() : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}
