// RUN: panpipe-tv --expect %s

// llvm/llvm-project#58398: loop-carried tensor accumulation.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @mmk(%x: tensor<2x4xi32>, %y: tensor<4x2xi32>) -> tensor<2x2xi32> {
      %z = arith.constant 0 : i32
      %e = tensor.empty() : tensor<2x2xi32>
      %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
      %r = linalg.matmul ins(%x, %y : tensor<2x4xi32>, tensor<4x2xi32>) outs(%f : tensor<2x2xi32>) -> tensor<2x2xi32>
      return %r : tensor<2x2xi32>
    }
  }
  module @tgt {
    func.func @mmk(%x: tensor<2x4xi32>, %y: tensor<4x2xi32>) -> tensor<2x2xi32> {
      %z = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %e = tensor.empty() : tensor<2x2xi32>
      %r = scf.for %k = %c0 to %c4 step %c2 iter_args(%acc = %e) -> (tensor<2x2xi32>) {
        %xs = tensor.extract_slice %x[0, %k] [2, 2] [1, 1] : tensor<2x4xi32> to tensor<2x2xi32>
        %ys = tensor.extract_slice %y[%k, 0] [2, 2] [1, 1] : tensor<4x2xi32> to tensor<2x2xi32>
        %f = linalg.fill ins(%z : i32) outs(%acc : tensor<2x2xi32>) -> tensor<2x2xi32>
        %m = linalg.matmul ins(%xs, %ys : tensor<2x2xi32>, tensor<2x2xi32>) outs(%f : tensor<2x2xi32>) -> tensor<2x2xi32>
        scf.yield %m : tensor<2x2xi32>
      }
      return %r : tensor<2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @mmk(%x: tensor<2x4xi32>, %y: tensor<4x2xi32>) -> tensor<2x2xi32> {
      %z = arith.constant 0 : i32
      %e = tensor.empty() : tensor<2x2xi32>
      %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
      %r = linalg.matmul ins(%x, %y : tensor<2x4xi32>, tensor<4x2xi32>) outs(%f : tensor<2x2xi32>) -> tensor<2x2xi32>
      return %r : tensor<2x2xi32>
    }
  }
  module @tgt {
    func.func @mmk(%x: tensor<2x4xi32>, %y: tensor<4x2xi32>) -> tensor<2x2xi32> {
      %z = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %e = tensor.empty() : tensor<2x2xi32>
      %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
      %r = scf.for %k = %c0 to %c4 step %c2 iter_args(%acc = %f) -> (tensor<2x2xi32>) {
        %xs = tensor.extract_slice %x[0, %k] [2, 2] [1, 1] : tensor<2x4xi32> to tensor<2x2xi32>
        %ys = tensor.extract_slice %y[%k, 0] [2, 2] [1, 1] : tensor<4x2xi32> to tensor<2x2xi32>
        %m = linalg.matmul ins(%xs, %ys : tensor<2x2xi32>, tensor<2x2xi32>) outs(%acc : tensor<2x2xi32>) -> tensor<2x2xi32>
        scf.yield %m : tensor<2x2xi32>
      }
      return %r : tensor<2x2xi32>
    }
  }
}
