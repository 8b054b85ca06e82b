// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %r = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %z = arith.constant dense<0.0> : tensor<2xf32>
      %s = linalg.reduce { arith.addf } ins(%x : tensor<2x3xf32>) outs(%z : tensor<2xf32>) dimensions = [1]
      %r = tensor.expand_shape %s [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %r = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
      %z = arith.constant dense<0.0> : tensor<2xf32>
      %s = linalg.reduce { arith.mulf } ins(%x : tensor<2x3xf32>) outs(%z : tensor<2xf32>) dimensions = [1]
      %r = tensor.expand_shape %s [[0, 1]] output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
      return %r : tensor<2x1xf32>
    }
  }
}
