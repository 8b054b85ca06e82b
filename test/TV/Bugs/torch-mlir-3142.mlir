// RUN: panpipe-tv --expect %s

// llvm/torch-mlir#3142 (remainder sibling: #4440): floor vs truncating division.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @fd(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      %0 = tensor.empty() : tensor<2xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<2xi32>, tensor<2xi32>) outs(%0 : tensor<2xi32>) {
      ^bb0(%in: i32, %in_0: i32, %out: i32):
        %2 = arith.floordivsi %in, %in_0 : i32
        linalg.yield %2 : i32
      } -> tensor<2xi32>
      return %1 : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @fd(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      %0 = tensor.empty() : tensor<2xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<2xi32>, tensor<2xi32>) outs(%0 : tensor<2xi32>) {
      ^bb0(%in: i32, %in_0: i32, %out: i32):
        %2 = arith.divsi %in, %in_0 : i32
        linalg.yield %2 : i32
      } -> tensor<2xi32>
      return %1 : tensor<2xi32>
    }
  }
}
