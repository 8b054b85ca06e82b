// RUN: panpipe-tv --expect %s

// Reversed.
module attributes {tv.expect = "VALID", tv.allow = ["noalias"], tv.assumes = ["noalias"]} {
  module @src {
    func.func @f(%m: memref<100xi32>, %n: memref<100xi32>) {
      affine.for %i = 0 to 100 {
        %v = affine.load %m[%i] : memref<100xi32>
        affine.store %v, %n[%i] : memref<100xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<100xi32>, %n: memref<100xi32>) {
      affine.for %i = 0 to 100 {
        %v = affine.load %m[99 - %i] : memref<100xi32>
        affine.store %v, %n[99 - %i] : memref<100xi32>
      }
      return
    }
  }
}

// -----

// Shifted.
module attributes {tv.expect = "INVALID", tv.allow = ["noalias"]} {
  module @src {
    func.func @f(%m: memref<100xi32>, %n: memref<100xi32>) {
      affine.for %i = 0 to 99 {
        %v = affine.load %m[%i] : memref<100xi32>
        affine.store %v, %n[%i] : memref<100xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<100xi32>, %n: memref<100xi32>) {
      affine.for %i = 0 to 99 {
        %v = affine.load %m[%i + 1] : memref<100xi32>
        affine.store %v, %n[%i] : memref<100xi32>
      }
      return
    }
  }
}

// -----

// Interchanged.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<30x20xi32>, %a: i32) {
      affine.for %i = 0 to 30 {
        affine.for %j = 0 to 20 {
          affine.store %a, %m[%i, %j] : memref<30x20xi32>
        }
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<30x20xi32>, %a: i32) {
      affine.for %j = 0 to 20 {
        affine.for %i = 0 to 30 {
          affine.store %a, %m[%i, %j] : memref<30x20xi32>
        }
      }
      return
    }
  }
}
