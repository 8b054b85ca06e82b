// What executed counterexamples with memory and loops look like; each replays.
// RUN: panpipe-tv --expect %s
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not panpipe-tv --split --color=never %s | FileCheck %s
// RUN: panpipe-tv --expect dropped.reproducer.mlir

// CHECK-LABEL: @dropped  INVALID
// CHECK: %arg0 : memref<3xi32> = [0, 0, 0]
// CHECK: affine.for: %arg2 = 2
// CHECK: memref.store %arg1, %arg0, %arg2  ->  %arg0[2] = 1
// CHECK: the memory of %arg0 at [2]: source 1, target 0
module attributes {tv.expect = "INVALID", tv.reflexive = false} {
  module @src {
    func.func @dropped(%m: memref<3xi32>, %x: i32) {
      affine.for %i = 0 to 3 {
        memref.store %x, %m[%i] : memref<3xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @dropped(%m: memref<3xi32>, %x: i32) {
      affine.for %i = 0 to 2 {
        memref.store %x, %m[%i] : memref<3xi32>
      }
      return
    }
  }
}

// -----

// CHECK-LABEL: @conflict  INVALID
// CHECK: iterations of a parallel loop access the same memory
module attributes {tv.expect = "INVALID", tv.reflexive = false} {
  module @src {
    func.func @conflict(%m: memref<4xi32>, %x: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %y = memref.load %m[%c0] : memref<4xi32>
        memref.store %y, %m[%i] : memref<4xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @conflict(%m: memref<4xi32>, %x: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
        %y = memref.load %m[%c0] : memref<4xi32>
        memref.store %y, %m[%i] : memref<4xi32>
        scf.reduce
      }
      return
    }
  }
}

// -----

// CHECK-LABEL: @calls  INVALID
// CHECK: the target calls @h where the source calls @g
module attributes {tv.expect = "INVALID", tv.reflexive = false} {
  module @src {
    func.func private @g()
    func.func private @h()
    func.func @calls() {
      func.call @g() : () -> ()
      func.call @h() : () -> ()
      return
    }
  }
  module @tgt {
    func.func private @g()
    func.func private @h()
    func.func @calls() {
      func.call @h() : () -> ()
      func.call @g() : () -> ()
      return
    }
  }
}
