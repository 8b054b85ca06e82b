// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[3, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<2xi32> {
      %r = arith.constant dense<[3, 4]> : tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[3, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[4, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}
