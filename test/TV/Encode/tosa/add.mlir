// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.add %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %b: i32, %o: i32) {
          %v = arith.addi %b, %a : i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.add %x, %y : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %b: i32, %o: i32) {
          %v = arith.subi %a, %b : i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}

// -----

// Unit dimensions stretch.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
      %r = tosa.add %x, %y : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x1xf32>) -> tensor<2x3xf32> {
      %m = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
      %t = tosa.tile %y, %m : (tensor<2x1xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
      %r = tosa.add %x, %t : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}
