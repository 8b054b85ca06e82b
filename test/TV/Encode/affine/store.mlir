// RUN: panpipe-tv --expect %s

// An expression as index.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %i: index, %a: i32) {
      affine.store %a, %m[symbol(%i) + 1] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %i: index, %a: i32) {
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      memref.store %a, %m[%j] : memref<4xi32>
      return
    }
  }
}

// -----

// Another index.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %i: index, %a: i32) {
      affine.store %a, %m[symbol(%i) + 1] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %i: index, %a: i32) {
      memref.store %a, %m[%i] : memref<4xi32>
      return
    }
  }
}
