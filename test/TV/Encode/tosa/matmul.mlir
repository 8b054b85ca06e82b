// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<1x2x3xi8>, %y: tensor<1x3x2xi8>) -> tensor<1x2x2xi32> {
      %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.matmul %x, %y, %z, %z : (tensor<1x2x3xi8>, tensor<1x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
      return %r : tensor<1x2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x2x3xi8>, %y: tensor<1x3x2xi8>) -> tensor<1x2x2xi32> {
      %c = arith.constant dense<0> : tensor<1x2x2xi32>
      %p = arith.extsi %x : tensor<1x2x3xi8> to tensor<1x2x3xi32>
      %q = arith.extsi %y : tensor<1x3x2xi8> to tensor<1x3x2xi32>
      %r = linalg.batch_matmul ins(%p, %q : tensor<1x2x3xi32>, tensor<1x3x2xi32>) outs(%c : tensor<1x2x2xi32>) -> tensor<1x2x2xi32>
      return %r : tensor<1x2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<1x2x3xi8>, %y: tensor<1x3x2xi8>) -> tensor<1x2x2xi32> {
      %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.matmul %x, %y, %z, %z : (tensor<1x2x3xi8>, tensor<1x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
      return %r : tensor<1x2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<1x2x3xi8>, %y: tensor<1x3x2xi8>) -> tensor<1x2x2xi32> {
      %z = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.matmul %x, %y, %z, %z : (tensor<1x2x3xi8>, tensor<1x3x2xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>
      return %r : tensor<1x2x2xi32>
    }
  }
}
