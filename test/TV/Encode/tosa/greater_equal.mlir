// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
      %r = tosa.greater_equal %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xi1>)
        (%a: f32, %b: f32, %o: i1) {
          %v = arith.cmpf oge, %a, %b : f32
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
      %r = tosa.greater_equal %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x, %y : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xi1>)
        (%a: f32, %b: f32, %o: i1) {
          %v = arith.cmpf ogt, %a, %b : f32
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}
