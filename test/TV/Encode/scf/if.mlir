// RUN: panpipe-tv --expect %s

// A branch is a select.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = scf.if %p -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = arith.select %p, %a, %b : i32
      return %r : i32
    }
  }
}

// -----

// Branches exchanged.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = scf.if %p -> (i32) {
        scf.yield %a : i32
      } else {
        scf.yield %b : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = arith.select %p, %b, %a : i32
      return %r : i32
    }
  }
}

// -----

// A division in front of its guard.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = scf.if %p -> (i32) {
        %q = arith.divui %a, %b : i32
        scf.yield %q : i32
      } else {
        scf.yield %a : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %q = arith.divui %a, %b : i32
      %r = arith.select %p, %q, %a : i32
      return %r : i32
    }
  }
}

// -----

// Stores under a condition.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %p: i1, %a: i32) {
      %c1 = arith.constant 1 : index
      scf.if %p {
        memref.store %a, %m[%c1] : memref<4xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %p: i1, %a: i32) {
      %c1 = arith.constant 1 : index
      %o = memref.load %m[%c1] : memref<4xi32>
      %v = arith.select %p, %a, %o : i32
      memref.store %v, %m[%c1] : memref<4xi32>
      return
    }
  }
}
