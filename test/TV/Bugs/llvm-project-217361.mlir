// RUN: panpipe-tv --expect %s

// llvm/llvm-project#217361: tensor.cast mismatch is undefined; which unit dim is dropped.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @is(%arg0: tensor<1x2x2xi32>, %arg1: tensor<1x2x1x2xi32>) -> tensor<1x2x1x2xi32> {
      %inserted_slice = tensor.insert_slice %arg0 into %arg1[0, 0, 0, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x2xi32> into tensor<1x2x1x2xi32>
      return %inserted_slice : tensor<1x2x1x2xi32>
    }
  }
  module @tgt {
    func.func @is(%arg0: tensor<1x2x2xi32>, %arg1: tensor<1x2x1x2xi32>) -> tensor<1x2x1x2xi32> {
      %cast = tensor.cast %arg0 : tensor<1x2x2xi32> to tensor<?x?x2xi32>
      %cast_0 = tensor.cast %cast : tensor<?x?x2xi32> to tensor<2x1x2xi32>
      %inserted_slice = tensor.insert_slice %cast_0 into %arg1[0, 0, 0, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<2x1x2xi32> into tensor<1x2x1x2xi32>
      return %inserted_slice : tensor<1x2x1x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @is(%arg0: tensor<1x2x2xi32>, %arg1: tensor<1x2x1x2xi32>) -> tensor<1x2x1x2xi32> {
      %inserted_slice = tensor.insert_slice %arg0 into %arg1[0, 0, 0, 0] [1, 2, 1, 2] [1, 1, 1, 1] : tensor<1x2x2xi32> into tensor<1x2x1x2xi32>
      return %inserted_slice : tensor<1x2x1x2xi32>
    }
  }
  module @tgt {
    func.func @is(%arg0: tensor<1x2x2xi32>, %arg1: tensor<1x2x1x2xi32>) -> tensor<1x2x1x2xi32> {
      %expanded = tensor.expand_shape %arg0 [[0], [1, 2], [3]] output_shape [1, 2, 1, 2] : tensor<1x2x2xi32> into tensor<1x2x1x2xi32>
      return %expanded : tensor<1x2x1x2xi32>
    }
  }
}
