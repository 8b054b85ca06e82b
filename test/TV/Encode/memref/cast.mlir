// RUN: panpipe-tv --expect %s

// The same memory.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %v = memref.cast %m : memref<4xi32> to memref<?xi32>
      memref.store %a, %v[%c1] : memref<?xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      memref.store %a, %m[%c1] : memref<4xi32>
      return
    }
  }
}

// -----

// Not a copy.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      %v = memref.cast %m : memref<4xi32> to memref<?xi32>
      memref.store %a, %v[%c1] : memref<?xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32) {
      return
    }
  }
}

// -----

// A size that is not there is undefined.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<?xi32>) {
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<?xi32>) {
      %c0 = arith.constant 0 : index
      %v = memref.cast %m : memref<?xi32> to memref<4xi32>
      %x = memref.load %v[%c0] : memref<4xi32>
      memref.store %x, %v[%c0] : memref<4xi32>
      return
    }
  }
}
