// RUN: panpipe-tv --expect %s

// llvm/torch-mlir#300: tensor.empty contents are unspecified.
// any input: target adds to unspecified initial value

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @red(%arg0: tensor<4xi32>) -> tensor<i32> {
      %c0_i32 = arith.constant 0 : i32
      %0 = tensor.empty() : tensor<i32>
      %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<i32>) -> tensor<i32>
      %reduced = linalg.reduce { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg0 : tensor<4xi32>) outs(%1 : tensor<i32>) dimensions = [0] 
      return %reduced : tensor<i32>
    }
  }
  module @tgt {
    func.func @red(%arg0: tensor<4xi32>) -> tensor<i32> {
      %0 = tensor.empty() : tensor<i32>
      %reduced = linalg.reduce { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<i32>) dimensions = [0] 
      return %reduced : tensor<i32>
    }
  }
}
