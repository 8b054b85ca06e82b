// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xi1>) -> tensor<2x1xi1> {
      %r = tosa.reduce_any %x {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
      return %r : tensor<2x1xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xi1>) -> tensor<2x1xi1> {
      %s0 = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xi1> to tensor<2x1xi1>
      %s1 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xi1> to tensor<2x1xi1>
      %s2 = tensor.extract_slice %x[0, 2] [2, 1] [1, 1] : tensor<2x3xi1> to tensor<2x1xi1>
      %t1 = arith.ori %s0, %s1 : tensor<2x1xi1>
      %t2 = arith.ori %t1, %s2 : tensor<2x1xi1>
      return %t2 : tensor<2x1xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xi1>) -> tensor<2x1xi1> {
      %r = tosa.reduce_any %x {axis = 1 : i32} : (tensor<2x3xi1>) -> tensor<2x1xi1>
      return %r : tensor<2x1xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xi1>) -> tensor<2x1xi1> {
      %s0 = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xi1> to tensor<2x1xi1>
      %s1 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xi1> to tensor<2x1xi1>
      %s2 = tensor.extract_slice %x[0, 2] [2, 1] [1, 1] : tensor<2x3xi1> to tensor<2x1xi1>
      %t1 = arith.andi %s0, %s1 : tensor<2x1xi1>
      %t2 = arith.andi %t1, %s2 : tensor<2x1xi1>
      return %t2 : tensor<2x1xi1>
    }
  }
}
