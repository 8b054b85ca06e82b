// RUN: panpipe-tv --expect %s

// llvm/llvm-project#130929: memrefs as loop-carried values, aliasing after the loop.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @keep(%a: tensor<3xi32>, %n: index) -> (tensor<3xi32>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1 : i32
      %nine = arith.constant 9 : i32
      %u = arith.andi %n, %c3 : index
      %e = tensor.empty() : tensor<3xi32>
      %f = linalg.fill ins(%one : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
      %r = scf.for %i = %c0 to %u step %c1 iter_args(%t = %a) -> (tensor<3xi32>) {
        scf.yield %f : tensor<3xi32>
      }
      %g = tensor.insert %nine into %f[%c1] : tensor<3xi32>
      %x = tensor.extract %g[%c1] : tensor<3xi32>
      return %r, %x : tensor<3xi32>, i32
    }
  }
  module @tgt {
    func.func @keep(%a: tensor<3xi32>, %n: index) -> (tensor<3xi32>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1 : i32
      %nine = arith.constant 9 : i32
      %u = arith.andi %n, %c3 : index
      %am = bufferization.to_buffer %a : tensor<3xi32> to memref<3xi32>
      %m = memref.alloc() : memref<3xi32>
      linalg.fill ins(%one : i32) outs(%m : memref<3xi32>)
      %rm = scf.for %i = %c0 to %u step %c1 iter_args(%t = %am) -> (memref<3xi32>) {
        scf.yield %m : memref<3xi32>
      }
      memref.store %nine, %m[%c1] : memref<3xi32>
      %x = memref.load %m[%c1] : memref<3xi32>
      %r = bufferization.to_tensor %rm restrict : memref<3xi32> to tensor<3xi32>
      return %r, %x : tensor<3xi32>, i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @keep(%a: tensor<3xi32>, %n: index) -> (tensor<3xi32>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1 : i32
      %nine = arith.constant 9 : i32
      %u = arith.andi %n, %c3 : index
      %e = tensor.empty() : tensor<3xi32>
      %f = linalg.fill ins(%one : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
      %r = scf.for %i = %c0 to %u step %c1 iter_args(%t = %a) -> (tensor<3xi32>) {
        scf.yield %f : tensor<3xi32>
      }
      %g = tensor.insert %nine into %f[%c1] : tensor<3xi32>
      %x = tensor.extract %g[%c1] : tensor<3xi32>
      return %r, %x : tensor<3xi32>, i32
    }
  }
  module @tgt {
    func.func @keep(%a: tensor<3xi32>, %n: index) -> (tensor<3xi32>, i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %one = arith.constant 1 : i32
      %nine = arith.constant 9 : i32
      %u = arith.andi %n, %c3 : index
      %am = bufferization.to_buffer %a : tensor<3xi32> to memref<3xi32>
      %m = memref.alloc() : memref<3xi32>
      linalg.fill ins(%one : i32) outs(%m : memref<3xi32>)
      %k = memref.alloc() : memref<3xi32>
      memref.copy %m, %k : memref<3xi32> to memref<3xi32>
      %rm = scf.for %i = %c0 to %u step %c1 iter_args(%t = %am) -> (memref<3xi32>) {
        scf.yield %k : memref<3xi32>
      }
      memref.store %nine, %m[%c1] : memref<3xi32>
      %x = memref.load %m[%c1] : memref<3xi32>
      %r = bufferization.to_tensor %rm restrict : memref<3xi32> to tensor<3xi32>
      return %r, %x : tensor<3xi32>, i32
    }
  }
}
