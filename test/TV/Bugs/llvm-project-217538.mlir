// RUN: panpipe-tv --expect %s

// llvm/llvm-project#217538: uninitialised memory read.
// final contents of m[0] are whatever the fresh buffer held

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @dcg(%m: memref<4xi32>, %s: i32) {
      %c0 = arith.constant 0 : index
      affine.for %i = 0 to 4 {
        affine.store %s, %m[0] : memref<4xi32>
        memref.store %s, %m[%c0] : memref<4xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @dcg(%m: memref<4xi32>, %s: i32) {
      %c0 = arith.constant 0 : index
      %f = memref.alloc() : memref<1xi32>
      affine.for %i = 0 to 4 {
        affine.store %s, %m[0] : memref<4xi32>
        memref.store %s, %m[%c0] : memref<4xi32>
      }
      affine.for %i = 0 to 1 {
        %a = affine.load %f[%i] : memref<1xi32>
        affine.store %a, %m[%i] : memref<4xi32>
      }
      memref.dealloc %f : memref<1xi32>
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @dcg(%m: memref<4xi32>, %s: i32) {
      %c0 = arith.constant 0 : index
      affine.for %i = 0 to 4 {
        affine.store %s, %m[0] : memref<4xi32>
        memref.store %s, %m[%c0] : memref<4xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @dcg(%m: memref<4xi32>, %s: i32) {
      %c0 = arith.constant 0 : index
      memref.store %s, %m[%c0] : memref<4xi32>
      return
    }
  }
}
