// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> tensor<2xi32> {
      %a = "tosa.const"() <{values = dense<[3, -3]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %b = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
      %s = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.mul %a, %b, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[8, -7]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> tensor<2xi32> {
      %a = "tosa.const"() <{values = dense<[3, -3]> : tensor<2xi32>}> : () -> tensor<2xi32>
      %b = "tosa.const"() <{values = dense<5> : tensor<2xi32>}> : () -> tensor<2xi32>
      %s = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.mul %a, %b, %s : (tensor<2xi32>, tensor<2xi32>, tensor<1xi8>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<2xi32> {
      %r = "tosa.const"() <{values = dense<[7, -8]> : tensor<2xi32>}> : () -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.mul %x, %y, %s : (tensor<2xf32>, tensor<2xf32>, tensor<1xi8>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %e = tensor.empty() : tensor<2xf32>
      %r = linalg.map ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>)
        (%a: f32, %b: f32, %o: f32) {
          %v = arith.mulf %b, %a : f32
          linalg.yield %v : f32
        }
      return %r : tensor<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi8>, %y: tensor<2xi8>) -> tensor<2xi32> {
      %s = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.mul %x, %y, %s : (tensor<2xi8>, tensor<2xi8>, tensor<1xi8>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi8>, %y: tensor<2xi8>) -> tensor<2xi32> {
      %p = tosa.cast %x : (tensor<2xi8>) -> tensor<2xi32>
      %q = tosa.cast %y : (tensor<2xi8>) -> tensor<2xi32>
      %r = arith.muli %p, %q : tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
}
