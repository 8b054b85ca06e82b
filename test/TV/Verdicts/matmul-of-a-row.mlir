// RUN: panpipe-tv --expect %s

// A product of which the last row is computed apart: a slice of one row.

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
      %c = arith.constant dense<0.0> : tensor<3x5xf32>
      %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
      %c = arith.constant dense<0.0> : tensor<2x5xf32>
      %d = arith.constant dense<0.0> : tensor<1x5xf32>
      %p = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<3x4xf32> to tensor<2x4xf32>
      %q = tensor.extract_slice %x[2, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
      %a = linalg.matmul ins(%p, %y : tensor<2x4xf32>, tensor<4x5xf32>) outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
      %b = linalg.matmul ins(%q, %y : tensor<1x4xf32>, tensor<4x5xf32>) outs(%d : tensor<1x5xf32>) -> tensor<1x5xf32>
      %r = tensor.concat dim(0) %a, %b : (tensor<2x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
      %c = arith.constant dense<0.0> : tensor<3x5xf32>
      %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>) -> tensor<3x5xf32> {
      %c = arith.constant dense<0.0> : tensor<2x5xf32>
      %d = arith.constant dense<0.0> : tensor<1x5xf32>
      %p = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<3x4xf32> to tensor<2x4xf32>
      %q = tensor.extract_slice %x[1, 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<1x4xf32>
      %a = linalg.matmul ins(%p, %y : tensor<2x4xf32>, tensor<4x5xf32>) outs(%c : tensor<2x5xf32>) -> tensor<2x5xf32>
      %b = linalg.matmul ins(%q, %y : tensor<1x4xf32>, tensor<4x5xf32>) outs(%d : tensor<1x5xf32>) -> tensor<1x5xf32>
      %r = tensor.concat dim(0) %a, %b : (tensor<2x5xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
      return %r : tensor<3x5xf32>
    }
  }
}
