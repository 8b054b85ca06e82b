// RUN: panpipe-tv --expect %s

// llvm/llvm-project#196554 (affine) and #198266 (scf): loop-carried memory dependences.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @stn(%a: memref<3x3xi32>) {
      affine.for %i = 1 to 3 {
        affine.for %j = 0 to 2 {
          %v = affine.load %a[%i - 1, %j + 1] : memref<3x3xi32>
          affine.store %v, %a[%i, %j] : memref<3x3xi32>
        }
      }
      return
    }
  }
  module @tgt {
    func.func @stn(%a: memref<3x3xi32>) {
      affine.for %i = 1 to 3 step 2 {
        affine.for %j = 0 to 2 {
          %v = affine.load %a[%i - 1, %j + 1] : memref<3x3xi32>
          affine.store %v, %a[%i, %j] : memref<3x3xi32>
          %w = affine.load %a[%i, %j + 1] : memref<3x3xi32>
          affine.store %w, %a[%i + 1, %j] : memref<3x3xi32>
        }
      }
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @stn(%a: memref<3x3xi32>) {
      affine.for %i = 1 to 3 {
        affine.for %j = 0 to 2 {
          %v = affine.load %a[%i - 1, %j + 1] : memref<3x3xi32>
          affine.store %v, %a[%i, %j] : memref<3x3xi32>
        }
      }
      return
    }
  }
  module @tgt {
    func.func @stn(%a: memref<3x3xi32>) {
      affine.for %i = 1 to 3 {
        %v = affine.load %a[%i - 1, 1] : memref<3x3xi32>
        affine.store %v, %a[%i, 0] : memref<3x3xi32>
        %w = affine.load %a[%i - 1, 2] : memref<3x3xi32>
        affine.store %w, %a[%i, 1] : memref<3x3xi32>
      }
      return
    }
  }
}
