// RUN: panpipe-tv --expect %s

// A store that is overwritten.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32) {
      %c1 = arith.constant 1 : index
      memref.store %a, %m[%c1] : memref<4xi32>
      memref.store %b, %m[%c1] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32) {
      %c1 = arith.constant 1 : index
      memref.store %b, %m[%c1] : memref<4xi32>
      return
    }
  }
}

// -----

// The other one is overwritten.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32) {
      %c1 = arith.constant 1 : index
      memref.store %a, %m[%c1] : memref<4xi32>
      memref.store %b, %m[%c1] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32) {
      %c1 = arith.constant 1 : index
      memref.store %a, %m[%c1] : memref<4xi32>
      return
    }
  }
}

// -----

// At run-time indices: the order matters only where they meet.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32, %i: index, %j: index) {
      memref.store %a, %m[%i] : memref<4xi32>
      memref.store %a, %m[%j] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32, %i: index, %j: index) {
      memref.store %a, %m[%j] : memref<4xi32>
      memref.store %a, %m[%i] : memref<4xi32>
      return
    }
  }
}

// -----

// Two values: the order matters.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32, %i: index, %j: index) {
      memref.store %a, %m[%i] : memref<4xi32>
      memref.store %b, %m[%j] : memref<4xi32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32, %i: index, %j: index) {
      memref.store %b, %m[%j] : memref<4xi32>
      memref.store %a, %m[%i] : memref<4xi32>
      return
    }
  }
}

// -----

// A store out of bounds is undefined.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32) {
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32) {
      %c4 = arith.constant 4 : index
      memref.store %a, %m[%c4] : memref<4xi32>
      return
    }
  }
}
