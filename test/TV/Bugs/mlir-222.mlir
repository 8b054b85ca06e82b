// RUN: panpipe-tv --expect %s

// tensorflow/mlir#222: loop-carried reduction through memory.

module attributes {tv.expect = "INVALID", tv.allow = ["noalias"]} {
  module @src {
    func.func @dot(%x: memref<2x3xi32>, %y: memref<3xi32>, %o: memref<2xi32>) {
      %z = arith.constant 0 : i32
      %t = memref.alloc() : memref<2xi32>
      affine.for %i = 0 to 2 {
        affine.store %z, %t[%i] : memref<2xi32>
      }
      affine.for %i = 0 to 2 {
        affine.for %k = 0 to 3 {
          %a = affine.load %x[%i, %k] : memref<2x3xi32>
          %b = affine.load %y[%k] : memref<3xi32>
          %m = arith.muli %a, %b : i32
          %c = affine.load %t[%i] : memref<2xi32>
          %s = arith.addi %c, %m : i32
          affine.store %s, %t[%i] : memref<2xi32>
        }
      }
      affine.for %i = 0 to 2 {
        %c = affine.load %t[%i] : memref<2xi32>
        affine.store %c, %o[%i] : memref<2xi32>
      }
      memref.dealloc %t : memref<2xi32>
      return
    }
  }
  module @tgt {
    func.func @dot(%x: memref<2x3xi32>, %y: memref<3xi32>, %o: memref<2xi32>) {
      %z = arith.constant 0 : i32
      %t = memref.alloc() : memref<1xi32>
      affine.for %i = 0 to 2 {
        affine.for %k = 0 to 3 {
          affine.store %z, %t[0] : memref<1xi32>
          %a = affine.load %x[%i, %k] : memref<2x3xi32>
          %b = affine.load %y[%k] : memref<3xi32>
          %m = arith.muli %a, %b : i32
          %c = affine.load %t[0] : memref<1xi32>
          %s = arith.addi %c, %m : i32
          affine.store %s, %t[0] : memref<1xi32>
        }
        %c = affine.load %t[0] : memref<1xi32>
        affine.store %c, %o[%i] : memref<2xi32>
      }
      memref.dealloc %t : memref<1xi32>
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID", tv.allow = ["noalias"]} {
  module @src {
    func.func @dot(%x: memref<2x3xi32>, %y: memref<3xi32>, %o: memref<2xi32>) {
      %z = arith.constant 0 : i32
      %t = memref.alloc() : memref<2xi32>
      affine.for %i = 0 to 2 {
        affine.store %z, %t[%i] : memref<2xi32>
      }
      affine.for %i = 0 to 2 {
        affine.for %k = 0 to 3 {
          %a = affine.load %x[%i, %k] : memref<2x3xi32>
          %b = affine.load %y[%k] : memref<3xi32>
          %m = arith.muli %a, %b : i32
          %c = affine.load %t[%i] : memref<2xi32>
          %s = arith.addi %c, %m : i32
          affine.store %s, %t[%i] : memref<2xi32>
        }
      }
      affine.for %i = 0 to 2 {
        %c = affine.load %t[%i] : memref<2xi32>
        affine.store %c, %o[%i] : memref<2xi32>
      }
      memref.dealloc %t : memref<2xi32>
      return
    }
  }
  module @tgt {
    func.func @dot(%x: memref<2x3xi32>, %y: memref<3xi32>, %o: memref<2xi32>) {
      %z = arith.constant 0 : i32
      %t = memref.alloc() : memref<1xi32>
      affine.for %i = 0 to 2 {
        affine.store %z, %t[0] : memref<1xi32>
        affine.for %k = 0 to 3 {
          %a = affine.load %x[%i, %k] : memref<2x3xi32>
          %b = affine.load %y[%k] : memref<3xi32>
          %m = arith.muli %a, %b : i32
          %c = affine.load %t[0] : memref<1xi32>
          %s = arith.addi %c, %m : i32
          affine.store %s, %t[0] : memref<1xi32>
        }
        %c = affine.load %t[0] : memref<1xi32>
        affine.store %c, %o[%i] : memref<2xi32>
      }
      memref.dealloc %t : memref<1xi32>
      return
    }
  }
}
