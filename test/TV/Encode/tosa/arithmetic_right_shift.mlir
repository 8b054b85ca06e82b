// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.arithmetic_right_shift %x, %y {round = true} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %b: i32, %o: i32) {
          %one = arith.constant 1 : i32
          %z = arith.constant 0 : i32
          %f = arith.constant false
          %s = arith.shrsi %a, %b : i32
          %g = arith.cmpi sgt, %b, %z : i32
          %d = arith.subi %b, %one : i32
          %h = arith.shrsi %a, %d : i32
          %t = arith.trunci %h : i32 to i1
          %u = arith.select %g, %t, %f : i1
          %w = arith.extui %u : i1 to i32
          %v = arith.addi %s, %w : i32
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
      %r = tosa.arithmetic_right_shift %x, %y {round = true} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %b: i32, %o: i32) {
          %one = arith.constant 1 : i32
          %z = arith.constant 0 : i32
          %f = arith.constant false
          %s = arith.shrsi %a, %b : i32
          %g = arith.cmpi sgt, %b, %z : i32
          %d = arith.subi %b, %one : i32
          %h = arith.shrsi %a, %d : i32
          %t = arith.trunci %h : i32 to i1
          %u = arith.andi %g, %t : i1
          %w = arith.extui %u : i1 to i32
          %v = arith.addi %s, %w : i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %r = tosa.arithmetic_right_shift %x, %y {round = false} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
      return %r : tensor<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
      %e = tensor.empty() : tensor<2xi32>
      %r = linalg.map ins(%x, %y : tensor<2xi32>, tensor<2xi32>) outs(%e : tensor<2xi32>)
        (%a: i32, %b: i32, %o: i32) {
          %v = arith.shrsi %a, %b : i32
          linalg.yield %v : i32
        }
      return %r : tensor<2xi32>
    }
  }
}
