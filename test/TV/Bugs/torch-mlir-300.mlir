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

// -----

module attributes {tv.expect = "VALID"} {
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
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %extracted = tensor.extract %arg0[%c0] : tensor<4xi32>
      %extracted_0 = tensor.extract %arg0[%c1] : tensor<4xi32>
      %extracted_1 = tensor.extract %arg0[%c2] : tensor<4xi32>
      %extracted_2 = tensor.extract %arg0[%c3] : tensor<4xi32>
      %0 = arith.addi %extracted, %extracted_0 : i32
      %1 = arith.addi %extracted_1, %extracted_2 : i32
      %2 = arith.addi %0, %1 : i32
      %from_elements = tensor.from_elements %2 : tensor<i32>
      return %from_elements : tensor<i32>
    }
  }
}
