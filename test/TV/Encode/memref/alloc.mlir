// RUN: panpipe-tv --expect %s

// Local memory that is only written may vanish.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32>
      memref.store %a, %m[%c0] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%a: i32) {
      return
    }
  }
}

// -----

// Uninitialised contents may be anything.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> i32 {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32>
      %r = memref.load %m[%c0] : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f() -> i32 {
      %r = arith.constant 7 : i32
      return %r : i32
    }
  }
}

// -----

// And are no particular value.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> i32 {
      %r = arith.constant 7 : i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @f() -> i32 {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32>
      %r = memref.load %m[%c0] : memref<4xi32>
      return %r : i32
    }
  }
}

// -----

// A size at run time.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%n: index, %a: i32) -> i32 {
      %c2 = arith.constant 2 : index
      %m = memref.alloc(%n) : memref<?xi32>
      memref.store %a, %m[%c2] : memref<?xi32>
      %r = memref.load %m[%c2] : memref<?xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%n: index, %a: i32) -> i32 {
      return %a : i32
    }
  }
}
