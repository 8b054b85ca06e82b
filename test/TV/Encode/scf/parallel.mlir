// RUN: panpipe-tv --expect %s

// Disjoint stores.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<100xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c100 = arith.constant 100 : index
      scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
        memref.store %a, %m[%i] : memref<100xi32>
        scf.reduce
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<100xi32>, %a: i32) {
      linalg.fill ins(%a : i32) outs(%m : memref<100xi32>)
      return
    }
  }
}

// -----

// Half of them.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<100xi32>, %a: i32) {
      linalg.fill ins(%a : i32) outs(%m : memref<100xi32>)
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<100xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c100 = arith.constant 100 : index
      scf.parallel (%i) = (%c0) to (%c100) step (%c2) {
        memref.store %a, %m[%i] : memref<100xi32>
        scf.reduce
      }
      return
    }
  }
}

// -----

// A reduction of integers.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xi32>, %z: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%z) -> i32 {
        %v = tensor.extract %x[%i] : tensor<4xi32>
        scf.reduce(%v : i32) {
        ^bb0(%a: i32, %b: i32):
          %s = arith.addi %a, %b : i32
          scf.reduce.return %s : i32
        }
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xi32>, %z: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %z) -> (i32) {
        %v = tensor.extract %x[%i] : tensor<4xi32>
        %s = arith.addi %a, %v : i32
        scf.yield %s : i32
      }
      return %r : i32
    }
  }
}
