// RUN: panpipe-tv --expect %s

// llvm/llvm-project#210585: loop-carried memory dependences, semi-affine index.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @unk(%a: memref<2x4x4xi32>, %p: index, %q: index) {
      affine.for %i = 1 to 4 {
        affine.for %j = 0 to 3 {
          %z = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%p, %q]
          %l = affine.load %a[%z, %i - 1, %j + 1] : memref<2x4x4xi32>
          affine.store %l, %a[%z, %i, %j] : memref<2x4x4xi32>
        }
      }
      return
    }
  }
  module @tgt {
    func.func @unk(%a: memref<2x4x4xi32>, %p: index, %q: index) {
      affine.for %j = 0 to 3 {
        affine.for %i = 1 to 4 {
          %z = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%p, %q]
          %l = affine.load %a[%z, %i - 1, %j + 1] : memref<2x4x4xi32>
          affine.store %l, %a[%z, %i, %j] : memref<2x4x4xi32>
        }
      }
      return
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @unk(%a: memref<2x4x4xi32>, %p: index, %q: index) {
      affine.for %i = 1 to 4 {
        affine.for %j = 0 to 3 {
          %z = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%p, %q]
          %l = affine.load %a[%z, %i - 1, %j + 1] : memref<2x4x4xi32>
          affine.store %l, %a[%z, %i, %j] : memref<2x4x4xi32>
        }
      }
      return
    }
  }
  module @tgt {
    func.func @unk(%a: memref<2x4x4xi32>, %p: index, %q: index) {
      %z = arith.muli %p, %q : index
      affine.for %i = 1 to 4 {
        affine.for %j = 0 to 3 {
          %k = affine.apply affine_map<(d0) -> (d0 - 1)>(%i)
          %m = affine.apply affine_map<(d0) -> (d0 + 1)>(%j)
          %l = memref.load %a[%z, %k, %m] : memref<2x4x4xi32>
          memref.store %l, %a[%z, %i, %j] : memref<2x4x4xi32>
        }
      }
      return
    }
  }
}
