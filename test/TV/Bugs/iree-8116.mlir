// RUN: panpipe-tv --expect %s

// iree-org/iree#8116 (and #7316): linalg.index.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @fuseidx(%arg0: tensor<2x3xi32>) -> tensor<3x2xi32> {
      %0 = tensor.empty() : tensor<2x3xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x3xi32>) outs(%0 : tensor<2x3xi32>) {
      ^bb0(%in: i32, %out: i32):
        %4 = linalg.index 0 : index
        %5 = arith.index_cast %4 : index to i32
        %6 = arith.addi %in, %5 : i32
        linalg.yield %6 : i32
      } -> tensor<2x3xi32>
      %2 = tensor.empty() : tensor<3x2xi32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x3xi32>) outs(%2 : tensor<3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        %4 = arith.muli %in, %in : i32
        linalg.yield %4 : i32
      } -> tensor<3x2xi32>
      return %3 : tensor<3x2xi32>
    }
  }
  module @tgt {
    func.func @fuseidx(%arg0: tensor<2x3xi32>) -> tensor<3x2xi32> {
      %0 = tensor.empty() : tensor<3x2xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x3xi32>) outs(%0 : tensor<3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        %2 = linalg.index 0 : index
        %3 = arith.index_cast %2 : index to i32
        %4 = arith.addi %in, %3 : i32
        %5 = arith.muli %4, %4 : i32
        linalg.yield %5 : i32
      } -> tensor<3x2xi32>
      return %1 : tensor<3x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @fuseidx(%arg0: tensor<2x3xi32>) -> tensor<3x2xi32> {
      %0 = tensor.empty() : tensor<2x3xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x3xi32>) outs(%0 : tensor<2x3xi32>) {
      ^bb0(%in: i32, %out: i32):
        %4 = linalg.index 0 : index
        %5 = arith.index_cast %4 : index to i32
        %6 = arith.addi %in, %5 : i32
        linalg.yield %6 : i32
      } -> tensor<2x3xi32>
      %2 = tensor.empty() : tensor<3x2xi32>
      %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<2x3xi32>) outs(%2 : tensor<3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        %4 = arith.muli %in, %in : i32
        linalg.yield %4 : i32
      } -> tensor<3x2xi32>
      return %3 : tensor<3x2xi32>
    }
  }
  module @tgt {
    func.func @fuseidx(%arg0: tensor<2x3xi32>) -> tensor<3x2xi32> {
      %0 = tensor.empty() : tensor<3x2xi32>
      %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x3xi32>) outs(%0 : tensor<3x2xi32>) {
      ^bb0(%in: i32, %out: i32):
        %2 = linalg.index 1 : index
        %3 = arith.index_cast %2 : index to i32
        %4 = arith.addi %in, %3 : i32
        %5 = arith.muli %4, %4 : i32
        linalg.yield %5 : i32
      } -> tensor<3x2xi32>
      return %1 : tensor<3x2xi32>
    }
  }
}
