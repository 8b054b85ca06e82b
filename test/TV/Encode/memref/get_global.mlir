// RUN: panpipe-tv --expect %s

// A constant global.
module attributes {tv.expect = "VALID"} {
  module @src {
    memref.global "private" constant @k : memref<2xi32> = dense<[3, 5]>
    func.func @f() -> i32 {
      %c1 = arith.constant 1 : index
      %m = memref.get_global @k : memref<2xi32>
      %r = memref.load %m[%c1] : memref<2xi32>
      return %r : i32
    }
  }
  module @tgt {
    memref.global "private" constant @k : memref<2xi32> = dense<[3, 5]>
    func.func @f() -> i32 {
      %r = arith.constant 5 : i32
      return %r : i32
    }
  }
}

// -----

// A global is seen afterwards.
module attributes {tv.expect = "INVALID"} {
  module @src {
    memref.global "private" @g : memref<2xi32> = dense<0>
    func.func @f(%a: i32) {
      %c1 = arith.constant 1 : index
      %m = memref.get_global @g : memref<2xi32>
      memref.store %a, %m[%c1] : memref<2xi32>
      return
    }
  }
  module @tgt {
    memref.global "private" @g : memref<2xi32> = dense<0>
    func.func @f(%a: i32) {
      return
    }
  }
}
