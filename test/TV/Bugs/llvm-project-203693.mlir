// RUN: panpipe-tv --expect %s

// llvm/llvm-project#203693 (same: #119825, fix PR #203798): scf.parallel, which addresses are written.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @pt(%m: memref<12xi32>, %v: i32) {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      scf.parallel (%i) = (%c0) to (%c12) step (%c4) {
        memref.store %v, %m[%i] : memref<12xi32>
        scf.reduce
      }
      return
    }
  }
  module @tgt {
    func.func @pt(%m: memref<12xi32>, %v: i32) {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      scf.parallel (%o) = (%c0) to (%c12) step (%c8) {
        scf.parallel (%i) = (%c0) to (%c8) step (%c4) {
          %t = arith.muli %i, %c4 : index
          %g = arith.addi %t, %o : index
          %k = arith.cmpi ult, %g, %c12 : index
          scf.if %k {
            %p = arith.addi %i, %o : index
            memref.store %v, %m[%p] : memref<12xi32>
          }
          scf.reduce
        }
        scf.reduce
      }
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @pt(%m: memref<12xi32>, %v: i32) {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c12 = arith.constant 12 : index
      scf.parallel (%i) = (%c0) to (%c12) step (%c4) {
        memref.store %v, %m[%i] : memref<12xi32>
        scf.reduce
      }
      return
    }
  }
  module @tgt {
    func.func @pt(%m: memref<12xi32>, %v: i32) {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      scf.parallel (%o) = (%c0) to (%c12) step (%c8) {
        scf.parallel (%i) = (%c0) to (%c8) step (%c4) {
          %p = arith.addi %i, %o : index
          %k = arith.cmpi slt, %p, %c12 : index
          scf.if %k {
            memref.store %v, %m[%p] : memref<12xi32>
          }
          scf.reduce
        }
        scf.reduce
      }
      return
    }
  }
}
