// RUN: panpipe-tv --expect %s

// A short sum.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %z = arith.constant 0 : i32
      %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %z) -> (i32) {
        %v = tensor.extract %x[%i] : tensor<3xi32>
        %s = arith.addi %a, %v : i32
        scf.yield %s : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xi32>) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %x[%c0] : tensor<3xi32>
      %b = tensor.extract %x[%c1] : tensor<3xi32>
      %c = tensor.extract %x[%c2] : tensor<3xi32>
      %s = arith.addi %c, %b : i32
      %r = arith.addi %s, %a : i32
      return %r : i32
    }
  }
}

// -----

// A long loop with one writer per element.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<1000xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c1000 = arith.constant 1000 : index
      scf.for %i = %c0 to %c1000 step %c1 {
        memref.store %a, %m[%i] : memref<1000xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<1000xi32>, %a: i32) {
      linalg.fill ins(%a : i32) outs(%m : memref<1000xi32>)
      return
    }
  }
}

// -----

// One element is missing.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<1000xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c1000 = arith.constant 1000 : index
      scf.for %i = %c0 to %c1000 step %c1 {
        memref.store %a, %m[%i] : memref<1000xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<1000xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c999 = arith.constant 999 : index
      scf.for %i = %c0 to %c999 step %c1 {
        memref.store %a, %m[%i] : memref<1000xi32>
      }
      return
    }
  }
}

// -----

// Tiled by 8, with a guard at the ragged end.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<61xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c61 = arith.constant 61 : index
      scf.for %i = %c0 to %c61 step %c1 {
        memref.store %a, %m[%i] : memref<61xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<61xi32>, %a: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c61 = arith.constant 61 : index
      scf.for %i = %c0 to %c61 step %c8 {
        %u = affine.min affine_map<(d0) -> (8, 61 - d0)>(%i)
        scf.for %j = %c0 to %u step %c1 {
          %k = arith.addi %i, %j : index
          memref.store %a, %m[%k] : memref<61xi32>
        }
      }
      return
    }
  }
}

// -----

// A run-time trip count: the same loop, another body.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<?xi32>, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
        %v = tensor.extract %x[%i] : tensor<?xi32>
        %w = arith.addi %v, %v : i32
        %s = arith.addi %a, %w : i32
        scf.yield %s : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?xi32>, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %z = arith.constant 0 : i32
      %t = arith.constant 2 : i32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
        %v = tensor.extract %x[%i] : tensor<?xi32>
        %w = arith.muli %v, %t : i32
        %s = arith.addi %w, %a : i32
        scf.yield %s : i32
      }
      return %r : i32
    }
  }
}

// -----

// Each iteration reads what the one before wrote.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<40xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c39 = arith.constant 39 : index
      scf.for %i = %c0 to %c39 step %c1 {
        %j = arith.addi %i, %c1 : index
        %v = memref.load %m[%i] : memref<40xi32>
        memref.store %v, %m[%j] : memref<40xi32>
      }
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<40xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c39 = arith.constant 39 : index
      %t = memref.alloc() : memref<40xi32>
      memref.copy %m, %t : memref<40xi32> to memref<40xi32>
      scf.for %i = %c0 to %c39 step %c1 {
        %j = arith.addi %i, %c1 : index
        %v = memref.load %t[%i] : memref<40xi32>
        memref.store %v, %m[%j] : memref<40xi32>
      }
      return
    }
  }
}

// -----

// A matmul tiled on tensors, strict floats.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: tensor<8x12xf32>, %b: tensor<12x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
      %r = linalg.matmul ins(%a, %b : tensor<8x12xf32>, tensor<12x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
      return %r : tensor<8x6xf32>
    }
  }
  module @tgt {
    func.func @f(%a: tensor<8x12xf32>, %b: tensor<12x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c12 = arith.constant 12 : index
      %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%x = %c) -> (tensor<8x6xf32>) {
        %q = scf.for %k = %c0 to %c12 step %c4 iter_args(%y = %x) -> (tensor<8x6xf32>) {
          %as = tensor.extract_slice %a[%i, %k] [4, 4] [1, 1] : tensor<8x12xf32> to tensor<4x4xf32>
          %bs = tensor.extract_slice %b[%k, 0] [4, 6] [1, 1] : tensor<12x6xf32> to tensor<4x6xf32>
          %cs = tensor.extract_slice %y[%i, 0] [4, 6] [1, 1] : tensor<8x6xf32> to tensor<4x6xf32>
          %m = linalg.matmul ins(%as, %bs : tensor<4x4xf32>, tensor<4x6xf32>) outs(%cs : tensor<4x6xf32>) -> tensor<4x6xf32>
          %z = tensor.insert_slice %m into %y[%i, 0] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<8x6xf32>
          scf.yield %z : tensor<8x6xf32>
        }
        scf.yield %q : tensor<8x6xf32>
      }
      return %r : tensor<8x6xf32>
    }
  }
}
