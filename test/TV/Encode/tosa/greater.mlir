// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
      %r = tosa.greater %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi1>)
        (%a: i32, %b: i32, %o: i1) {
          %v = arith.cmpi sgt, %a, %b : i32
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
      %r = tosa.greater %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi1>)
        (%a: i32, %b: i32, %o: i1) {
          %v = arith.cmpi ugt, %a, %b : i32
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}
