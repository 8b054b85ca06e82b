// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %r = tosa.reduce_max %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %s0 = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %s1 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %s2 = tensor.extract_slice %x[0, 2] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %t1 = arith.maximumf %s0, %s1 : tensor<2x1xf32>
      %t2 = arith.maximumf %t1, %s2 : tensor<2x1xf32>
      return %t2 : tensor<2x1xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %r = tosa.reduce_max %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %s0 = tensor.extract_slice %x[0, 0] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %s1 = tensor.extract_slice %x[0, 1] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %s2 = tensor.extract_slice %x[0, 2] [2, 1] [1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %t1 = arith.minimumf %s0, %s1 : tensor<2x1xf32>
      %t2 = arith.minimumf %t1, %s2 : tensor<2x1xf32>
      return %t2 : tensor<2x1xf32>
    }
  }
}
