// RUN: panpipe-tv --expect %s

// A store of a tensor.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>, %m: memref<4xi32>) {
      bufferization.materialize_in_destination %x in restrict writable %m : (tensor<4xi32>, memref<4xi32>) -> ()
      return
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>, %m: memref<4xi32>) {
      %n = bufferization.to_buffer %x : tensor<4xi32> to memref<4xi32>
      memref.copy %n, %m : memref<4xi32> to memref<4xi32>
      return
    }
  }
}

// -----

// None.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>, %m: memref<4xi32>) {
      bufferization.materialize_in_destination %x in restrict writable %m : (tensor<4xi32>, memref<4xi32>) -> ()
      return
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>, %m: memref<4xi32>) {
      return
    }
  }
}
