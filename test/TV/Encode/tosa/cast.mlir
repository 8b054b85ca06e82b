// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>) -> tensor<2xi8> {
      %r = tosa.cast %x : (tensor<2xf32>) -> tensor<2xi8>
      return %r : tensor<2xi8>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>) -> tensor<2xi8> {
      %e = tensor.empty() : tensor<2xi8>
      %r = linalg.map ins(%x : tensor<2xf32>) outs(%e : tensor<2xi8>)
        (%a: f32, %o: i8) {
          %l = arith.constant -128.0 : f32
          %h = arith.constant 127.0 : f32
          %t = math.roundeven %a : f32
          %p = arith.maximumf %t, %l : f32
          %q = arith.minimumf %p, %h : f32
          %v = arith.fptosi %q : f32 to i8
          linalg.yield %v : i8
        }
      return %r : tensor<2xi8>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xf32>) -> tensor<2xi8> {
      %r = tosa.cast %x : (tensor<2xf32>) -> tensor<2xi8>
      return %r : tensor<2xi8>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xf32>) -> tensor<2xi8> {
      %e = tensor.empty() : tensor<2xi8>
      %r = linalg.map ins(%x : tensor<2xf32>) outs(%e : tensor<2xi8>)
        (%a: f32, %o: i8) {
          %v = arith.fptosi %a : f32 to i8
          linalg.yield %v : i8
        }
      return %r : tensor<2xi8>
    }
  }
}

// -----

// True is 1.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi1>) -> tensor<2xi32> {
      %r = tosa.cast %x : (tensor<2xi1>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi1>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x : tensor<2xi1>) outs(%e : tensor<2xi32>)
        (%a: i1, %o: i32) {
          %v = arith.extui %a : i1 to i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi1> {
      %r = tosa.cast %x : (tensor<2xi32>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi1>)
        (%a: i32, %o: i1) {
          %z = arith.constant 0 : i32
          %v = arith.cmpi ne, %a, %z : i32
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi1> {
      %r = tosa.cast %x : (tensor<2xi32>) -> tensor<2xi1>
      return %r : tensor<2xi1>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi1> {
      %e = tensor.empty() : tensor<2xi1>
      %r = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi1>)
        (%a: i32, %o: i1) {
          %v = arith.trunci %a : i32 to i1
          linalg.yield %v : i1
        }
      return %r : tensor<2xi1>
    }
  }
}
