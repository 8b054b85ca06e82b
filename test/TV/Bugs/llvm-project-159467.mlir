// RUN: panpipe-tv --expect %s

// llvm/llvm-project#159467: a correct rewrite that looks wrong.

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @fa11(%arg0: tensor<3xi32>) -> tensor<3xi32> {
      %c0_i32 = arith.constant 0 : i32
      %padded = tensor.pad %arg0 low[0] high[1] {
      ^bb0(%arg1: index):
        tensor.yield %c0_i32 : i32
      } : tensor<3xi32> to tensor<4xi32>
      %0 = arith.addi %padded, %padded : tensor<4xi32>
      %extracted_slice = tensor.extract_slice %0[0] [3] [1] : tensor<4xi32> to tensor<3xi32>
      return %extracted_slice : tensor<3xi32>
    }
  }
  module @tgt {
    func.func @fa11(%arg0: tensor<3xi32>) -> tensor<3xi32> {
      %0 = ub.poison : i32
      %padded = tensor.pad %arg0 low[0] high[1] {
      ^bb0(%arg1: index):
        tensor.yield %0 : i32
      } : tensor<3xi32> to tensor<4xi32>
      %1 = arith.addi %padded, %padded : tensor<4xi32>
      %extracted_slice = tensor.extract_slice %1[0] [3] [1] : tensor<4xi32> to tensor<3xi32>
      return %extracted_slice : tensor<3xi32>
    }
  }
}
