// RUN: panpipe-tv --expect %s

// llvm/llvm-project#56235 (second defect of the same report): loop step must be positive, signed compare of bounds.

module attributes {tv.expect = "INVALID", tv.reflexive = false} {
  module @src {
    func.func @rn(%m: memref<5xi32>, %v: i32, %b: i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %p2 = arith.constant 2 : index
      %m2 = arith.constant -2 : index
      %k = arith.select %b, %m2, %p2 : index
      %off = arith.select %b, %c4, %c0 : index
      scf.for %i = %c0 to %c3 step %c1 {
        %j = arith.muli %i, %k : index
        %p = arith.addi %j, %off : index
        memref.store %v, %m[%p] : memref<5xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @rn(%m: memref<5xi32>, %v: i32, %b: i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %p2 = arith.constant 2 : index
      %m2 = arith.constant -2 : index
      %k = arith.select %b, %m2, %p2 : index
      %off = arith.select %b, %c4, %c0 : index
      %u = arith.muli %c3, %k : index
      %s = arith.muli %c1, %k : index
      scf.for %j = %c0 to %u step %s {
        %p = arith.addi %j, %off : index
        memref.store %v, %m[%p] : memref<5xi32>
      }
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @rn(%m: memref<5xi32>, %v: i32, %b: i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %p2 = arith.constant 2 : index
      %m2 = arith.constant -2 : index
      %k = arith.select %b, %m2, %p2 : index
      %off = arith.select %b, %c4, %c0 : index
      scf.for %i = %c0 to %c3 step %c1 {
        %j = arith.muli %i, %k : index
        %p = arith.addi %j, %off : index
        memref.store %v, %m[%p] : memref<5xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @rn(%m: memref<5xi32>, %v: i32, %b: i1) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c6 = arith.constant 6 : index
      scf.for %j = %c0 to %c6 step %c2 {
        memref.store %v, %m[%j] : memref<5xi32>
      }
      return
    }
  }
}
