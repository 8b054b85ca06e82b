// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.bitwise_not %x : (tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %o: i32) {
          %m = arith.constant -1 : i32
          %v = arith.subi %m, %a : i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.bitwise_not %x : (tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %o: i32) {
          %m = arith.constant -1 : i32
          %v = arith.muli %m, %a : i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}
