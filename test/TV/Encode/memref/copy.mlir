// RUN: panpipe-tv --expect %s

// A copy is a store of each element.
module attributes {tv.expect = "VALID", tv.allow = ["noalias"], tv.assumes = ["noalias"]} {
  module @src {
    func.func @f(%a: memref<2xi32>, %b: memref<2xi32>) {
      memref.copy %a, %b : memref<2xi32> to memref<2xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%a: memref<2xi32>, %b: memref<2xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x = memref.load %a[%c0] : memref<2xi32>
      %y = memref.load %a[%c1] : memref<2xi32>
      memref.store %x, %b[%c0] : memref<2xi32>
      memref.store %y, %b[%c1] : memref<2xi32>
      return
    }
  }
}

// -----

// In the other direction.
module attributes {tv.expect = "INVALID", tv.allow = ["noalias"]} {
  module @src {
    func.func @f(%a: memref<2xi32>, %b: memref<2xi32>) {
      memref.copy %a, %b : memref<2xi32> to memref<2xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%a: memref<2xi32>, %b: memref<2xi32>) {
      memref.copy %b, %a : memref<2xi32> to memref<2xi32>
      return
    }
  }
}
