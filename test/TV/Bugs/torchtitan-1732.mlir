// RUN: panpipe-tv --expect %s

// pytorch/torchtitan#1732: a correct rewrite that looks wrong.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @acc(%g: tensor<3xi32>, %k: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %g[%c0] : tensor<3xi32>
      %b = tensor.extract %g[%c1] : tensor<3xi32>
      %c = tensor.extract %g[%c2] : tensor<3xi32>
      %s = arith.addi %a, %b : i32
      %t = arith.addi %s, %c : i32
      %r = arith.muli %t, %k : i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @acc(%g: tensor<3xi32>, %k: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %z = arith.constant 0 : i32
      %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (i32) {
        %v = tensor.extract %g[%i] : tensor<3xi32>
        %s = arith.addi %acc, %v : i32
        %t = arith.muli %s, %k : i32
        scf.yield %t : i32
      }
      return %r : i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @acc(%g: tensor<3xi32>, %k: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %g[%c0] : tensor<3xi32>
      %b = tensor.extract %g[%c1] : tensor<3xi32>
      %c = tensor.extract %g[%c2] : tensor<3xi32>
      %s = arith.addi %a, %b : i32
      %t = arith.addi %s, %c : i32
      %r = arith.muli %t, %k : i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @acc(%g: tensor<3xi32>, %k: i32) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %z = arith.constant 0 : i32
      %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %z) -> (i32) {
        %v = tensor.extract %g[%i] : tensor<3xi32>
        %t = arith.muli %v, %k : i32
        %s = arith.addi %acc, %t : i32
        scf.yield %s : i32
      }
      return %r : i32
    }
  }
}
