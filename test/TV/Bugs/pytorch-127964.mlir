// RUN: panpipe-tv --expect %s

// pytorch/pytorch#127964: a correct rewrite that looks wrong.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @skip(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      %0 = arith.muli %arg0, %arg1 : tensor<2xi32>
      %1 = arith.muli %0, %arg1 : tensor<2xi32>
      %2 = arith.subi %1, %arg0 : tensor<2xi32>
      return %2 : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @skip(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      %0 = arith.muli %arg0, %arg1 : tensor<2xi32>
      %1 = arith.muli %0, %arg1 : tensor<2xi32>
      %2 = arith.subi %1, %0 : tensor<2xi32>
      return %2 : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @skip(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      %0 = arith.muli %arg0, %arg1 : tensor<2xi32>
      %1 = arith.muli %0, %arg1 : tensor<2xi32>
      %2 = arith.subi %1, %arg0 : tensor<2xi32>
      return %2 : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @skip(%arg0: tensor<2xi32>, %arg1: tensor<2xi32>) -> tensor<2xi32> {
      %0 = arith.muli %arg1, %arg1 : tensor<2xi32>
      %1 = arith.muli %0, %arg0 : tensor<2xi32>
      %2 = arith.subi %1, %arg0 : tensor<2xi32>
      return %2 : tensor<2xi32>
    }
  }
}
