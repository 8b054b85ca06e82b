// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xi32>) -> tensor<2x1xi32> {
      %r = tosa.reduce_product %x {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>
      return %r : tensor<2x1xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xi32>) -> tensor<2x1xi32> {
      %s0 = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
      %s1 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
      %s2 = tensor.extract_slice %x[0, 2] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
      %t1 = arith.muli %s0, %s1 : tensor<2x1xi32>
      %t2 = arith.muli %t1, %s2 : tensor<2x1xi32>
      return %t2 : tensor<2x1xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xi32>) -> tensor<2x1xi32> {
      %r = tosa.reduce_product %x {axis = 1 : i32} : (tensor<2x3xi32>) -> tensor<2x1xi32>
      return %r : tensor<2x1xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xi32>) -> tensor<2x1xi32> {
      %s0 = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
      %s1 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
      %s2 = tensor.extract_slice %x[0, 2] [2, 1] [1, 1] : tensor<2x3xi32> to tensor<2x1xi32>
      %t1 = arith.addi %s0, %s1 : tensor<2x1xi32>
      %t2 = arith.addi %t1, %s2 : tensor<2x1xi32>
      return %t2 : tensor<2x1xi32>
    }
  }
}
