// RUN: panpipe-tv --expect %s

// Indices exchanged.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %v = memref.transpose %m (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
      memref.store %a, %v[%c2, %c1] : memref<3x2xi32, strided<[1, 3]>>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      memref.store %a, %m[%c1, %c2] : memref<2x3xi32>
      return
    }
  }
}

// -----

// Not exchanged.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = memref.transpose %m (i, j) -> (j, i) : memref<2x3xi32> to memref<3x2xi32, strided<[1, 3]>>
      memref.store %a, %v[%c1, %c0] : memref<3x2xi32, strided<[1, 3]>>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      memref.store %a, %m[%c1, %c0] : memref<2x3xi32>
      return
    }
  }
}
