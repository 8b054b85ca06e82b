// RUN: panpipe-tv --expect %s

// What the buffer holds.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %e = tensor.empty() : tensor<4xi32>
      %r = linalg.add ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %m = bufferization.to_buffer %x : tensor<4xi32> to memref<4xi32>
      %n = memref.alloc() : memref<4xi32>
      linalg.add ins(%m, %m : memref<4xi32>, memref<4xi32>) outs(%n : memref<4xi32>)
      %r = bufferization.to_tensor %n restrict : memref<4xi32> to tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}

// -----

// Before it was filled.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %e = tensor.empty() : tensor<4xi32>
      %r = linalg.add ins(%x, %x : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {
      %m = bufferization.to_buffer %x : tensor<4xi32> to memref<4xi32>
      %n = memref.alloc() : memref<4xi32>
      linalg.sub ins(%m, %m : memref<4xi32>, memref<4xi32>) outs(%n : memref<4xi32>)
      %r = bufferization.to_tensor %n restrict : memref<4xi32> to tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}
