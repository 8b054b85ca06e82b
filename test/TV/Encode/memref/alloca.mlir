// RUN: panpipe-tv --expect %s

// A slot on the stack is a value.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %m = memref.alloca() : memref<i32>
      memref.store %a, %m[] : memref<i32>
      %r = memref.load %m[] : memref<i32>
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

// The last store counts.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i32, %b: i32) -> i32 {
      %m = memref.alloca() : memref<i32>
      memref.store %a, %m[] : memref<i32>
      memref.store %b, %m[] : memref<i32>
      %r = memref.load %m[] : memref<i32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32, %b: i32) -> i32 {
      return %a : i32
    }
  }
}
