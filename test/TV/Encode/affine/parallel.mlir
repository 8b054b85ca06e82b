// RUN: panpipe-tv --expect %s

// Two dimensions.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<30x20xi32>, %a: i32) {
      affine.parallel (%i, %j) = (0, 0) to (30, 20) {
        affine.store %a, %m[%i, %j] : memref<30x20xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<30x20xi32>, %a: i32) {
      linalg.fill ins(%a : i32) outs(%m : memref<30x20xi32>)
      return
    }
  }
}

// -----

// A part.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<30x20xi32>, %a: i32) {
      affine.parallel (%i, %j) = (0, 0) to (30, 19) {
        affine.store %a, %m[%i, %j] : memref<30x20xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<30x20xi32>, %a: i32) {
      linalg.fill ins(%a : i32) outs(%m : memref<30x20xi32>)
      return
    }
  }
}
