// RUN: panpipe-tv --expect %s

// llvm/llvm-project#90019: tensor value semantics vs in-place buffers, loops.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @loopmap(%a: tensor<3xi32>) -> tensor<3xi32> {
      %z = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %e = tensor.empty() : tensor<3xi32>
      %f = linalg.fill ins(%z : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%last = %a) -> (tensor<3xi32>) {
        %d = linalg.map { arith.subi } ins(%f, %a : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>)
        scf.yield %d : tensor<3xi32>
      }
      return %r : tensor<3xi32>
    }
  }
  module @tgt {
    func.func @loopmap(%a: tensor<3xi32>) -> tensor<3xi32> {
      %z = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %am = bufferization.to_buffer %a : tensor<3xi32> to memref<3xi32>
      %buf = memref.alloc() : memref<3xi32>
      linalg.fill ins(%z : i32) outs(%buf : memref<3xi32>)
      scf.for %i = %c0 to %c2 step %c1 {
        linalg.map { arith.subi } ins(%buf, %am : memref<3xi32>, memref<3xi32>) outs(%buf : memref<3xi32>)
      }
      %r = bufferization.to_tensor %buf restrict : memref<3xi32> to tensor<3xi32>
      return %r : tensor<3xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @loopmap(%a: tensor<3xi32>) -> tensor<3xi32> {
      %z = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %e = tensor.empty() : tensor<3xi32>
      %f = linalg.fill ins(%z : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%last = %a) -> (tensor<3xi32>) {
        %d = linalg.map { arith.subi } ins(%f, %a : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>)
        scf.yield %d : tensor<3xi32>
      }
      return %r : tensor<3xi32>
    }
  }
  module @tgt {
    func.func @loopmap(%a: tensor<3xi32>) -> tensor<3xi32> {
      %z = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %am = bufferization.to_buffer %a : tensor<3xi32> to memref<3xi32>
      %buf = memref.alloc() : memref<3xi32>
      %res = memref.alloc() : memref<3xi32>
      linalg.fill ins(%z : i32) outs(%buf : memref<3xi32>)
      scf.for %i = %c0 to %c2 step %c1 {
        linalg.map { arith.subi } ins(%buf, %am : memref<3xi32>, memref<3xi32>) outs(%res : memref<3xi32>)
      }
      %r = bufferization.to_tensor %res restrict : memref<3xi32> to tensor<3xi32>
      return %r : tensor<3xi32>
    }
  }
}
