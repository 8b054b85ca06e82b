// RUN: panpipe-tv --expect %s

// llvm/llvm-project#174517: implicit casts of linalg named ops.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @mmz(%arg0: tensor<2x2xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<2x2xi32>) -> tensor<2x2xi32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x2xi8>, tensor<2x2xi8>) outs(%arg2 : tensor<2x2xi32>) {
      ^bb0(%in: i8, %in_0: i8, %out: i32):
        %1 = arith.extui %in : i8 to i32
        %2 = arith.extui %in_0 : i8 to i32
        %3 = arith.muli %1, %2 : i32
        %4 = arith.addi %out, %3 : i32
        linalg.yield %4 : i32
      } -> tensor<2x2xi32>
      return %0 : tensor<2x2xi32>
    }
  }
  module @tgt {
    func.func @mmz(%arg0: tensor<2x2xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<2x2xi32>) -> tensor<2x2xi32> {
      %0 = linalg.matmul ins(%arg0, %arg1 : tensor<2x2xi8>, tensor<2x2xi8>) outs(%arg2 : tensor<2x2xi32>) -> tensor<2x2xi32>
      return %0 : tensor<2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @mmz(%arg0: tensor<2x2xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<2x2xi32>) -> tensor<2x2xi32> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x2xi8>, tensor<2x2xi8>) outs(%arg2 : tensor<2x2xi32>) {
      ^bb0(%in: i8, %in_0: i8, %out: i32):
        %1 = arith.extui %in : i8 to i32
        %2 = arith.extui %in_0 : i8 to i32
        %3 = arith.muli %1, %2 : i32
        %4 = arith.addi %out, %3 : i32
        linalg.yield %4 : i32
      } -> tensor<2x2xi32>
      return %0 : tensor<2x2xi32>
    }
  }
  module @tgt {
    func.func @mmz(%arg0: tensor<2x2xi8>, %arg1: tensor<2x2xi8>, %arg2: tensor<2x2xi32>) -> tensor<2x2xi32> {
      %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%arg0, %arg1 : tensor<2x2xi8>, tensor<2x2xi8>) outs(%arg2 : tensor<2x2xi32>) -> tensor<2x2xi32>
      return %0 : tensor<2x2xi32>
    }
  }
}
