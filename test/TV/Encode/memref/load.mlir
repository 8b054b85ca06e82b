// RUN: panpipe-tv --expect %s

// Forwarding a store.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32, %i: index) -> i32 {
      memref.store %a, %m[%i] : memref<4xi32>
      %r = memref.load %m[%i] : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32, %i: index) -> i32 {
      memref.store %a, %m[%i] : memref<4xi32>
      return %a : i32
    }
  }
}

// -----

// Forwarding past another store.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32, %i: index, %j: index) -> i32 {
      memref.store %a, %m[%i] : memref<4xi32>
      memref.store %b, %m[%j] : memref<4xi32>
      %r = memref.load %m[%i] : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %a: i32, %b: i32, %i: index, %j: index) -> i32 {
      memref.store %a, %m[%i] : memref<4xi32>
      memref.store %b, %m[%j] : memref<4xi32>
      return %a : i32
    }
  }
}

// -----

// Memrefs may overlap; that they do not is an assumption.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["noalias"], tv.reflexive = false} {
  module @src {
    func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %b: i32, %i: index) -> i32 {
      %r = memref.load %m[%i] : memref<4xi32>
      memref.store %b, %n[%i] : memref<4xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %b: i32, %i: index) -> i32 {
      memref.store %b, %n[%i] : memref<4xi32>
      %r = memref.load %m[%i] : memref<4xi32>
      return %r : i32
    }
  }
}
