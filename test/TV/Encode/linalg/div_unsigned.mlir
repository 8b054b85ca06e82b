// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xi8>, %y: tensor<3x4xi8>, %c: tensor<3x4xi8>) -> tensor<3x4xi8> {
      %r = linalg.div_unsigned ins(%x, %y : tensor<3x4xi8>, tensor<3x4xi8>) outs(%c : tensor<3x4xi8>) -> tensor<3x4xi8>
      return %r : tensor<3x4xi8>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<3x4xi8>, %arg1: tensor<3x4xi8>, %arg2: tensor<3x4xi8>) -> tensor<3x4xi8> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x4xi8>, tensor<3x4xi8>) outs(%arg2 : tensor<3x4xi8>) {
      ^bb0(%in: i8, %in_0: i8, %out: i8):
        %1 = arith.divui %in, %in_0 : i8
        linalg.yield %1 : i8
      } -> tensor<3x4xi8>
      return %0 : tensor<3x4xi8>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xi8>, %y: tensor<3x4xi8>, %c: tensor<3x4xi8>) -> tensor<3x4xi8> {
      %r = linalg.div_unsigned ins(%x, %y : tensor<3x4xi8>, tensor<3x4xi8>) outs(%c : tensor<3x4xi8>) -> tensor<3x4xi8>
      return %r : tensor<3x4xi8>
    }
  }
  module @tgt {
    func.func @f(%arg0: tensor<3x4xi8>, %arg1: tensor<3x4xi8>, %arg2: tensor<3x4xi8>) -> tensor<3x4xi8> {
      %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x4xi8>, tensor<3x4xi8>) outs(%arg2 : tensor<3x4xi8>) {
      ^bb0(%in: i8, %in_0: i8, %out: i8):
        %1 = arith.divsi %in, %in_0 : i8
        linalg.yield %1 : i8
      } -> tensor<3x4xi8>
      return %0 : tensor<3x4xi8>
    }
  }
}
