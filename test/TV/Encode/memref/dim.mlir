// RUN: panpipe-tv --expect %s

// Sizes, static and dynamic.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<3x?xi32>) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = memref.dim %m, %c0 : memref<3x?xi32>
      %b = memref.dim %m, %c1 : memref<3x?xi32>
      return %a, %b : index, index
    }
  }
  module @tgt {
    func.func @f(%m: memref<3x?xi32>) -> (index, index) {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %b = memref.dim %m, %c1 : memref<3x?xi32>
      return %c3, %b : index, index
    }
  }
}

// -----

// The other dimension.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<?x?xi32>) -> index {
      %c0 = arith.constant 0 : index
      %a = memref.dim %m, %c0 : memref<?x?xi32>
      return %a : index
    }
  }
  module @tgt {
    func.func @f(%m: memref<?x?xi32>) -> index {
      %c1 = arith.constant 1 : index
      %a = memref.dim %m, %c1 : memref<?x?xi32>
      return %a : index
    }
  }
}
