// RUN: panpipe-tv --expect %s

// Does nothing to values.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>) -> i32 {
      %c1 = arith.constant 1 : index
      %a = bufferization.alloc_tensor() copy(%x) : tensor<4xi32>
      %r = tensor.extract %a[%c1] : tensor<4xi32>
      bufferization.dealloc_tensor %a : tensor<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>) -> i32 {
      %c1 = arith.constant 1 : index
      %r = tensor.extract %x[%c1] : tensor<4xi32>
      return %r : i32
    }
  }
}

// -----

// Another element.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>) -> i32 {
      %c1 = arith.constant 1 : index
      %a = bufferization.alloc_tensor() copy(%x) : tensor<4xi32>
      %r = tensor.extract %a[%c1] : tensor<4xi32>
      bufferization.dealloc_tensor %a : tensor<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>) -> i32 {
      %c2 = arith.constant 2 : index
      %r = tensor.extract %x[%c2] : tensor<4xi32>
      return %r : i32
    }
  }
}
