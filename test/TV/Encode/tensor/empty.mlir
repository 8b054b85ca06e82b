// RUN: panpipe-tv --expect %s

// The target may choose what the source left open.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> tensor<4xi32> {
      %r = tensor.empty() : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<4xi32> {
      %c = arith.constant 7 : i32
      %r = tensor.splat %c : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> tensor<4xi32> {
      %c = arith.constant 7 : i32
      %r = tensor.splat %c : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<4xi32> {
      %r = tensor.empty() : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}

// -----

// An unspecified integer times zero is zero: it is not poison.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> tensor<4xi32> {
      %r = arith.constant dense<0> : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f() -> tensor<4xi32> {
      %z = arith.constant dense<0> : tensor<4xi32>
      %e = tensor.empty() : tensor<4xi32>
      %r = arith.muli %e, %z : tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}
