// RUN: panpipe-tv --expect %s

// Row-major.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c4 = arith.constant 4 : index
      %v = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>
      memref.store %a, %v[%c4] : memref<6xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c1 = arith.constant 1 : index
      memref.store %a, %m[%c1, %c1] : memref<2x3xi32>
      return
    }
  }
}

// -----

// Column-major.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c4 = arith.constant 4 : index
      %v = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>
      memref.store %a, %v[%c4] : memref<6xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      memref.store %a, %m[%c0, %c2] : memref<2x3xi32>
      return
    }
  }
}

// -----

// A fill through the view.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      %v = memref.collapse_shape %m [[0, 1]] : memref<2x3xi32> into memref<6xi32>
      linalg.fill ins(%a : i32) outs(%v : memref<6xi32>)
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x3xi32>, %a: i32) {
      linalg.fill ins(%a : i32) outs(%m : memref<2x3xi32>)
      return
    }
  }
}
