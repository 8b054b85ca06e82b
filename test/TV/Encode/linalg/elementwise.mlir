// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = arith.addf %x, %y : tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%x, %y : tensor<3xf32>, tensor<3xf32>) outs(%c : tensor<3xf32>) -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<3xf32>, %y: tensor<3xf32>, %c: tensor<3xf32>) -> tensor<3xf32> {
      %r = arith.addf %x, %y : tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}
