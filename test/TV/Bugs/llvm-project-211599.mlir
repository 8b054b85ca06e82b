// RUN: panpipe-tv --expect %s

// llvm/llvm-project#211599 (and #211591): opaque calls havoc memory; memref.cast aliasing.

module attributes {tv.expect = "INVALID", tv.allow = ["noalias"]} {
  module @src {
    func.func private @touch(memref<?xi32>)
    func.func @esc(%in: memref<8xi32>, %mid: memref<8xi32>, %out: memref<8xi32>) {
      affine.for %i = 0 to 8 {
        %a = affine.load %in[%i] : memref<8xi32>
        %b = arith.addi %a, %a : i32
        affine.store %b, %mid[%i] : memref<8xi32>
      }
      %v = memref.cast %mid : memref<8xi32> to memref<?xi32>
      func.call @touch(%v) : (memref<?xi32>) -> ()
      affine.for %i = 0 to 8 {
        %a = affine.load %mid[%i] : memref<8xi32>
        affine.store %a, %out[%i] : memref<8xi32>
      }
      return
    }
  }
  module @tgt {
    func.func private @touch(memref<?xi32>)
    func.func @esc(%in: memref<8xi32>, %mid: memref<8xi32>, %out: memref<8xi32>) {
      affine.for %i = 0 to 8 {
        %a = affine.load %in[%i] : memref<8xi32>
        %b = arith.addi %a, %a : i32
        affine.store %b, %mid[%i] : memref<8xi32>
        %c = affine.load %mid[%i] : memref<8xi32>
        affine.store %c, %out[%i] : memref<8xi32>
      }
      %v = memref.cast %mid : memref<8xi32> to memref<?xi32>
      func.call @touch(%v) : (memref<?xi32>) -> ()
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID", tv.allow = ["noalias"]} {
  module @src {
    func.func private @touch(memref<?xi32>)
    func.func @esc(%in: memref<8xi32>, %mid: memref<8xi32>, %out: memref<8xi32>) {
      affine.for %i = 0 to 8 {
        %a = affine.load %in[%i] : memref<8xi32>
        %b = arith.addi %a, %a : i32
        affine.store %b, %mid[%i] : memref<8xi32>
      }
      %v = memref.cast %mid : memref<8xi32> to memref<?xi32>
      func.call @touch(%v) : (memref<?xi32>) -> ()
      affine.for %i = 0 to 8 {
        %a = affine.load %mid[%i] : memref<8xi32>
        affine.store %a, %out[%i] : memref<8xi32>
      }
      return
    }
  }
  module @tgt {
    func.func private @touch(memref<?xi32>)
    func.func @esc(%in: memref<8xi32>, %mid: memref<8xi32>, %out: memref<8xi32>) {
      %c2 = arith.constant 2 : i32
      affine.for %i = 0 to 8 {
        %a = affine.load %in[%i] : memref<8xi32>
        %b = arith.muli %a, %c2 : i32
        affine.store %b, %mid[%i] : memref<8xi32>
      }
      %v = memref.cast %mid : memref<8xi32> to memref<?xi32>
      func.call @touch(%v) : (memref<?xi32>) -> ()
      affine.for %i = 0 to 8 {
        %a = affine.load %mid[%i] : memref<8xi32>
        affine.store %a, %out[%i] : memref<8xi32>
      }
      return
    }
  }
}
