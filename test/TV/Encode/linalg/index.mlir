// RUN: panpipe-tv --expect %s

// The index follows its loop when the loops are exchanged.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> tensor<3x4xi64> {
      %e = tensor.empty() : tensor<3x4xi64>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x4xi64>) {
      ^bb0(%o: i64):
        %i = linalg.index 1 : index
        %s = arith.index_cast %i : index to i64
        linalg.yield %s : i64
      } -> tensor<3x4xi64>
      return %r : tensor<3x4xi64>
    }
  }
  module @tgt {
    func.func @f() -> tensor<3x4xi64> {
      %e = tensor.empty() : tensor<3x4xi64>
      %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x4xi64>) {
      ^bb0(%o: i64):
        %i = linalg.index 0 : index
        %s = arith.index_cast %i : index to i64
        linalg.yield %s : i64
      } -> tensor<3x4xi64>
      return %r : tensor<3x4xi64>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> tensor<3x4xi64> {
      %e = tensor.empty() : tensor<3x4xi64>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x4xi64>) {
        ^bb0(%o: i64):
          %i = linalg.index 0 : index
          %s = arith.index_cast %i : index to i64
          linalg.yield %s : i64
        } -> tensor<3x4xi64>
      return %r : tensor<3x4xi64>
    }
  }
  module @tgt {
    func.func @f() -> tensor<3x4xi64> {
      %e = tensor.empty() : tensor<3x4xi64>
      %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x4xi64>) {
        ^bb0(%o: i64):
          %i = linalg.index 1 : index
          %s = arith.index_cast %i : index to i64
          linalg.yield %s : i64
        } -> tensor<3x4xi64>
      return %r : tensor<3x4xi64>
    }
  }
}
