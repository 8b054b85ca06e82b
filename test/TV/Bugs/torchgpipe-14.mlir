// RUN: panpipe-tv --expect %s

// kakaobrain/torchgpipe#14 and #9: a correct rewrite that looks wrong.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @bn(%arg0: tensor<4xi32>) -> tensor<4xi32> {
      %c0_i32 = arith.constant 0 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = tensor.empty() : tensor<i32>
      %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<i32>) -> tensor<i32>
      %reduced = linalg.reduce { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg0 : tensor<4xi32>) outs(%1 : tensor<i32>) dimensions = [0] 
      %extracted = tensor.extract %reduced[] : tensor<i32>
      %generated = tensor.generate  {
      ^bb0(%arg1: index):
        %extracted_0 = tensor.extract %arg0[%arg1] : tensor<4xi32>
        %2 = arith.muli %extracted_0, %c4_i32 : i32
        %3 = arith.subi %2, %extracted : i32
        tensor.yield %3 : i32
      } : tensor<4xi32>
      return %generated : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @bn(%arg0: tensor<4xi32>) -> tensor<4xi32> {
      %c4_i32 = arith.constant 4 : i32
      %c2_i32 = arith.constant 2 : i32
      %generated = tensor.generate  {
      ^bb0(%arg1: index):
        %0 = affine.apply affine_map<(d0) -> (d0 - d0 mod 2)>(%arg1)
        %1 = affine.apply affine_map<(d0) -> (d0 - d0 mod 2 + 1)>(%arg1)
        %extracted = tensor.extract %arg0[%0] : tensor<4xi32>
        %extracted_0 = tensor.extract %arg0[%1] : tensor<4xi32>
        %2 = arith.addi %extracted, %extracted_0 : i32
        %3 = arith.muli %2, %c2_i32 : i32
        %extracted_1 = tensor.extract %arg0[%arg1] : tensor<4xi32>
        %4 = arith.muli %extracted_1, %c4_i32 : i32
        %5 = arith.subi %4, %3 : i32
        tensor.yield %5 : i32
      } : tensor<4xi32>
      return %generated : tensor<4xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @bn(%arg0: tensor<4xi32>) -> tensor<4xi32> {
      %c0_i32 = arith.constant 0 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = tensor.empty() : tensor<i32>
      %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<i32>) -> tensor<i32>
      %reduced = linalg.reduce { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg0 : tensor<4xi32>) outs(%1 : tensor<i32>) dimensions = [0] 
      %extracted = tensor.extract %reduced[] : tensor<i32>
      %generated = tensor.generate  {
      ^bb0(%arg1: index):
        %extracted_0 = tensor.extract %arg0[%arg1] : tensor<4xi32>
        %2 = arith.muli %extracted_0, %c4_i32 : i32
        %3 = arith.subi %2, %extracted : i32
        tensor.yield %3 : i32
      } : tensor<4xi32>
      return %generated : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @bn(%arg0: tensor<4xi32>) -> tensor<4xi32> {
      %c4_i32 = arith.constant 4 : i32
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
      %generated = tensor.generate  {
      ^bb0(%arg1: index):
        %extracted_3 = tensor.extract %arg0[%arg1] : tensor<4xi32>
        %3 = arith.muli %extracted_3, %c4_i32 : i32
        %4 = arith.subi %3, %2 : i32
        tensor.yield %4 : i32
      } : tensor<4xi32>
      return %generated : tensor<4xi32>
    }
  }
}
