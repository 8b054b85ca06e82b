// RUN: panpipe-tv --expect %s

// An expression as index.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
      %r = affine.load %m[symbol(%i) + 1] : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
      %c1 = arith.constant 1 : index
      %j = arith.addi %i, %c1 : index
      %r = memref.load %m[%j] : memref<4xi32>
      return %r : i32
    }
  }
}

// -----

// Another index.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
      %r = affine.load %m[symbol(%i) + 1] : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %i: index) -> i32 {
      %r = memref.load %m[%i] : memref<4xi32>
      return %r : i32
    }
  }
}
