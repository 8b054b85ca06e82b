// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<1x3x4x2xf32>, %w: tensor<1x2x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
      %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x4x2xf32>, tensor<1x2x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x2xf32>
      return %r : tensor<1x3x3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x3x4x2xf32>, %w: tensor<1x2x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
      %z = arith.constant dense<0.0> : tensor<1x3x3x2xf32>
      %v = tensor.collapse_shape %w [[0], [1], [2, 3]] : tensor<1x2x2x1xf32> into tensor<1x2x2xf32>
      %c = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %v : tensor<1x3x4x2xf32>, tensor<1x2x2xf32>) outs(%z : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
      %e = tensor.empty() : tensor<1x3x3x2xf32>
      %o = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<1x3x3x2xf32>) dimensions = [0, 1, 2]
      %r = arith.addf %c, %o : tensor<1x3x3x2xf32>
      return %r : tensor<1x3x3x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x3x4x2xf32>, %w: tensor<1x2x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
      %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %r = tosa.depthwise_conv2d %x, %w, %b, %zp, %zp {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x4x2xf32>, tensor<1x2x2x1xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x2xf32>
      return %r : tensor<1x3x3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x3x4x2xf32>, %w: tensor<1x2x2x1xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
      %z = arith.constant dense<0.0> : tensor<1x3x3x2xf32>
      %v = tensor.collapse_shape %w [[0], [1], [2, 3]] : tensor<1x2x2x1xf32> into tensor<1x2x2xf32>
      %c = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %v : tensor<1x3x4x2xf32>, tensor<1x2x2xf32>) outs(%z : tensor<1x3x3x2xf32>) -> tensor<1x3x3x2xf32>
      %e = tensor.empty() : tensor<1x3x3x2xf32>
      %o = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<1x3x3x2xf32>) dimensions = [0, 1, 2]
      %r = arith.subf %c, %o : tensor<1x3x3x2xf32>
      return %r : tensor<1x3x3x2xf32>
    }
  }
}
