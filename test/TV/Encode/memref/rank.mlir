// RUN: panpipe-tv --expect %s

// A constant.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<3x?xi32>) -> index {
      %r = memref.rank %m : memref<3x?xi32>
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%m: memref<3x?xi32>) -> index {
      %c2 = arith.constant 2 : index
      return %c2 : index
    }
  }
}

// -----

// Another one.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<3x?xi32>) -> index {
      %r = memref.rank %m : memref<3x?xi32>
      return %r : index
    }
  }
  module @tgt {
    func.func @f(%m: memref<3x?xi32>) -> index {
      %c3 = arith.constant 3 : index
      return %c3 : index
    }
  }
}
