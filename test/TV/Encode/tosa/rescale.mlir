// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi8> {
      %m = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
      %s = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
      %p = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
      %q = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.rescale %x, %m, %s, %p, %q {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi8>
      return %r : tensor<2xi8>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi8> {
      %e = tensor.empty() : tensor<2xi8>
      %r = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi8>)
        (%a: i32, %o: i8) {
          %m = arith.constant 4 : i64
          %l = arith.constant -128 : i64
          %h = arith.constant 127 : i64
          %k = arith.constant 3 : i64
          %w = arith.extsi %a : i32 to i64
          %d = arith.addi %w, %m : i64
          %t = arith.shrsi %d, %k : i64
          %u = arith.maxsi %t, %l : i64
          %c = arith.minsi %u, %h : i64
          %v = arith.trunci %c : i64 to i8
          linalg.yield %v : i8
        }
      return %r : tensor<2xi8>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi8> {
      %m = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
      %s = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
      %p = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
      %q = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %r = tosa.rescale %x, %m, %s, %p, %q {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<2xi8>
      return %r : tensor<2xi8>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2xi32>) -> tensor<2xi8> {
      %e = tensor.empty() : tensor<2xi8>
      %r = linalg.map ins(%x : tensor<2xi32>) outs(%e : tensor<2xi8>)
        (%a: i32, %o: i8) {
          %m = arith.constant 4 : i64
          %l = arith.constant -128 : i64
          %h = arith.constant 127 : i64
          %k = arith.constant 2 : i64
          %w = arith.extsi %a : i32 to i64
          %d = arith.addi %w, %m : i64
          %t = arith.shrsi %d, %k : i64
          %u = arith.maxsi %t, %l : i64
          %c = arith.minsi %u, %h : i64
          %v = arith.trunci %c : i64 to i8
          linalg.yield %v : i8
        }
      return %r : tensor<2xi8>
    }
  }
}
