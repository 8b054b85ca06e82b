// RUN: panpipe-tv --expect %s

// Row-major.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<6xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %v = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>
      memref.store %a, %v[%c1, %c1] : memref<2x3xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xi32>, %a: i32) {
      %c4 = arith.constant 4 : index
      memref.store %a, %m[%c4] : memref<6xi32>
      return
    }
  }
}

// -----

// Another order.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<6xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %v = memref.expand_shape %m [[0, 1]] output_shape [2, 3] : memref<6xi32> into memref<2x3xi32>
      memref.store %a, %v[%c1, %c1] : memref<2x3xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xi32>, %a: i32) {
      %c3 = arith.constant 3 : index
      memref.store %a, %m[%c3] : memref<6xi32>
      return
    }
  }
}
