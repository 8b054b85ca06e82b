// RUN: panpipe-tv --expect %s

// Folding tosa.mul with a shift rounded down.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @ms() -> tensor<2xi32> {
      %a = "tosa.const"() <{values = dense<[3, -3]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %b = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
      %s = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.mul %a, %b, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @ms() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[7, -8]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @ms() -> tensor<2xi32> {
      %a = "tosa.const"() <{values = dense<[3, -3]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %b = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
      %s = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.mul %a, %b, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @ms() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[8, -7]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}
