// RUN: panpipe-tv --expect %s

// What it returns.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %r = memref.alloca_scope -> (i32) {
        %m = memref.alloca() : memref<i32>
        memref.store %a, %m[] : memref<i32>
        %x = memref.load %m[] : memref<i32>
        memref.alloca_scope.return %x : i32
      }
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

// Not another value.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i32, %b: i32) -> i32 {
      %r = memref.alloca_scope -> (i32) {
        %m = memref.alloca() : memref<i32>
        memref.store %a, %m[] : memref<i32>
        %x = memref.load %m[] : memref<i32>
        memref.alloca_scope.return %x : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32, %b: i32) -> i32 {
      return %b : i32
    }
  }
}
