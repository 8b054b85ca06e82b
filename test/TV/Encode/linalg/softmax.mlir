// RUN: panpipe-tv --expect %s

// Row by row.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %a = tensor.extract_slice %x[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
      %b = tensor.extract_slice %x[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
      %e = tensor.empty() : tensor<1x3xf32>
      %p = linalg.softmax dimension(1) ins(%a : tensor<1x3xf32>) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
      %q = linalg.softmax dimension(1) ins(%b : tensor<1x3xf32>) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
      %r = tensor.concat dim(0) %p, %q : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = linalg.softmax dimension(1) ins(%x : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>, %c: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = linalg.softmax dimension(0) ins(%x : tensor<2x3xf32>) outs(%c : tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}
