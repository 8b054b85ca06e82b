// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x2x2x2xi32> {
      %zp = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<2x2x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x2xi32>
      return %r : tensor<1x2x2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x2x2x2xi32> {
      %z = arith.constant 0 : i32
      %c2 = arith.constant dense<2> : tensor<1x3x3x1xi32>
      %d2 = arith.constant dense<2> : tensor<2x2x2x1xi32>
      %a = arith.extsi %x : tensor<1x3x3x1xi8> to tensor<1x3x3x1xi32>
      %a2 = arith.subi %a, %c2 : tensor<1x3x3x1xi32>
      %k = arith.extsi %w : tensor<2x2x2x1xi8> to tensor<2x2x2x1xi32>
      %k2 = arith.subi %k, %d2 : tensor<2x2x2x1xi32>
      %e = tensor.empty() : tensor<1x2x2x2xi32>
      %o = linalg.broadcast ins(%b : tensor<2xi32>) outs(%e : tensor<1x2x2x2xi32>) dimensions = [0, 1, 2]
      %r = linalg.conv_2d_nhwc_fhwc ins(%a2, %k2 : tensor<1x3x3x1xi32>, tensor<2x2x2x1xi32>) outs(%o : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
      return %r : tensor<1x2x2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x2x2x2xi32> {
      %zp = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<2x2x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2x2xi32>
      return %r : tensor<1x2x2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x2x2x2xi32> {
      %z = arith.constant 0 : i32
      %c2 = arith.constant dense<2> : tensor<1x3x3x1xi32>
      %d2 = arith.constant dense<2> : tensor<2x2x2x1xi32>
      %a = arith.extsi %x : tensor<1x3x3x1xi8> to tensor<1x3x3x1xi32>
      %a2 = arith.subi %a, %c2 : tensor<1x3x3x1xi32>
      %k = arith.extsi %w : tensor<2x2x2x1xi8> to tensor<2x2x2x1xi32>
      %k2 = arith.subi %k, %d2 : tensor<2x2x2x1xi32>
      %e = tensor.empty() : tensor<1x2x2x2xi32>
      %o = linalg.broadcast ins(%b : tensor<2xi32>) outs(%e : tensor<1x2x2x2xi32>) dimensions = [0, 1, 2]
      %r = linalg.conv_2d_nhwc_fhwc ins(%a2, %k2 : tensor<1x3x3x1xi32>, tensor<2x2x2x1xi32>) outs(%o : tensor<1x2x2x2xi32>) -> tensor<1x2x2x2xi32>
      return %r : tensor<1x2x2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x3x3x2xi32> {
      %z = arith.constant 0 : i32
      %c2 = arith.constant dense<2> : tensor<1x3x3x1xi32>
      %d2 = arith.constant dense<2> : tensor<2x2x2x1xi32>
      %a = arith.extsi %x : tensor<1x3x3x1xi8> to tensor<1x3x3x1xi32>
      %a2 = arith.subi %a, %c2 : tensor<1x3x3x1xi32>
      %k = arith.extsi %w : tensor<2x2x2x1xi8> to tensor<2x2x2x1xi32>
      %k2 = arith.subi %k, %d2 : tensor<2x2x2x1xi32>
      %p = tensor.pad %a2 low[0, 1, 0, 0] high[0, 0, 1, 0] {
      ^bb0(%i: index, %j: index, %l: index, %m: index):
        tensor.yield %z : i32
      } : tensor<1x3x3x1xi32> to tensor<1x4x4x1xi32>
      %e = tensor.empty() : tensor<1x3x3x2xi32>
      %o = linalg.broadcast ins(%b : tensor<2xi32>) outs(%e : tensor<1x3x3x2xi32>) dimensions = [0, 1, 2]
      %r = linalg.conv_2d_nhwc_fhwc ins(%p, %k2 : tensor<1x4x4x1xi32>, tensor<2x2x2x1xi32>) outs(%o : tensor<1x3x3x2xi32>) -> tensor<1x3x3x2xi32>
      return %r : tensor<1x3x3x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x3x3x2xi32> {
      %zp = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 0, 1, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<2x2x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi32>
      return %r : tensor<1x3x3x2xi32>
    }
  }
}

// -----

// Padding is not multiplied: a poison weight does not reach it.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x3x3x2xi32> {
      %zp = "tosa.const"() <{values = dense<2> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.conv2d %x, %w, %b, %zp, %zp {acc_type = i32, pad = array<i64: 1, 0, 0, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x3x3x1xi8>, tensor<2x2x2x1xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x2xi32>
      return %r : tensor<1x3x3x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x3x3x1xi8>, %w: tensor<2x2x2x1xi8>, %b: tensor<2xi32>) -> tensor<1x3x3x2xi32> {
      %z = arith.constant 0 : i32
      %c2 = arith.constant dense<2> : tensor<1x3x3x1xi32>
      %d2 = arith.constant dense<2> : tensor<2x2x2x1xi32>
      %a = arith.extsi %x : tensor<1x3x3x1xi8> to tensor<1x3x3x1xi32>
      %a2 = arith.subi %a, %c2 : tensor<1x3x3x1xi32>
      %k = arith.extsi %w : tensor<2x2x2x1xi8> to tensor<2x2x2x1xi32>
      %k2 = arith.subi %k, %d2 : tensor<2x2x2x1xi32>
      %p = tensor.pad %a2 low[0, 1, 0, 0] high[0, 0, 1, 0] {
      ^bb0(%i: index, %j: index, %l: index, %m: index):
        tensor.yield %z : i32
      } : tensor<1x3x3x1xi32> to tensor<1x4x4x1xi32>
      %e = tensor.empty() : tensor<1x3x3x2xi32>
      %o = linalg.broadcast ins(%b : tensor<2xi32>) outs(%e : tensor<1x3x3x2xi32>) dimensions = [0, 1, 2]
      %r = linalg.conv_2d_nhwc_fhwc ins(%p, %k2 : tensor<1x4x4x1xi32>, tensor<2x2x2x1xi32>) outs(%o : tensor<1x3x3x2xi32>) -> tensor<1x3x3x2xi32>
      return %r : tensor<1x3x3x2xi32>
    }
  }
}
