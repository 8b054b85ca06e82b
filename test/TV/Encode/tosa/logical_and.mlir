// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
      %r = tosa.logical_and %x, %y : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x, %y : tensor<2xi1>, tensor<2xi1>) outs(%e : tensor<2xi1>)
        (%a: i1, %b: i1, %o: i1) {
          %v = arith.andi %a, %b : i1
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
      %r = tosa.logical_and %x, %y : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x, %y : tensor<2xi1>, tensor<2xi1>) outs(%e : tensor<2xi1>)
        (%a: i1, %b: i1, %o: i1) {
          %v = arith.ori %a, %b : i1
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}
