// RUN: panpipe-tv --expect %s

// Offsets and strides.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4x4xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = memref.subview %m[1, 1] [2, 2] [2, 2] : memref<4x4xi32> to memref<2x2xi32, strided<[8, 2], offset: 5>>
      memref.store %a, %v[%c0, %c1] : memref<2x2xi32, strided<[8, 2], offset: 5>>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4x4xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      memref.store %a, %m[%c1, %c3] : memref<4x4xi32>
      return
    }
  }
}

// -----

// The stride forgotten.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4x4xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = memref.subview %m[1, 1] [2, 2] [2, 2] : memref<4x4xi32> to memref<2x2xi32, strided<[8, 2], offset: 5>>
      memref.store %a, %v[%c0, %c1] : memref<2x2xi32, strided<[8, 2], offset: 5>>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4x4xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      memref.store %a, %m[%c1, %c2] : memref<4x4xi32>
      return
    }
  }
}

// -----

// A fill of a part, and the rest stays.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4x4xi32>, %a: i32) {
      %v = memref.subview %m[1, 1] [2, 2] [2, 2] : memref<4x4xi32> to memref<2x2xi32, strided<[8, 2], offset: 5>>
      linalg.fill ins(%a : i32) outs(%v : memref<2x2xi32, strided<[8, 2], offset: 5>>)
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4x4xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      memref.store %a, %m[%c3, %c3] : memref<4x4xi32>
      memref.store %a, %m[%c1, %c1] : memref<4x4xi32>
      memref.store %a, %m[%c1, %c3] : memref<4x4xi32>
      memref.store %a, %m[%c3, %c1] : memref<4x4xi32>
      return
    }
  }
}
