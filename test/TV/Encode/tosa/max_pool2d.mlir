// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32> {
      %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
      return %r : tensor<1x2x2x1xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32> {
      %z = arith.constant dense<0xFF800000> : tensor<1x2x2x1xf32>
      %k = tensor.empty() : tensor<2x2xf32>
      %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
      return %r : tensor<1x2x2x1xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32> {
      %r = tosa.max_pool2d %x {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
      return %r : tensor<1x2x2x1xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32> {
      %z = arith.constant dense<0xFF800000> : tensor<1x2x2x1xf32>
      %k = tensor.empty() : tensor<2x2xf32>
      %r = linalg.pooling_nhwc_sum {strides = dense<2> : tensor<2xi64>} ins(%x, %k : tensor<1x4x4x1xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
      return %r : tensor<1x2x2x1xf32>
    }
  }
}
