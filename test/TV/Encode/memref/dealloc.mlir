// RUN: panpipe-tv --expect %s

// Freed memory is not seen.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32>
      memref.store %a, %m[%c0] : memref<4xi32>
      %r = memref.load %m[%c0] : memref<4xi32>
      memref.dealloc %m : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      return %a : i32
    }
  }
}

// -----

// A load after the memory was freed.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32>
      memref.store %a, %m[%c0] : memref<4xi32>
      %r = memref.load %m[%c0] : memref<4xi32>
      memref.dealloc %m : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32>
      memref.store %a, %m[%c0] : memref<4xi32>
      memref.dealloc %m : memref<4xi32>
      %r = memref.load %m[%c0] : memref<4xi32>
      return %r : i32
    }
  }
}
