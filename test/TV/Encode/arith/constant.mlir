// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> i8 {
      %x = arith.constant 2 : i8
      %y = arith.constant 3 : i8
      %r = arith.addi %x, %y : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f() -> i8 {
      %r = arith.constant 5 : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> i8 {
      %x = arith.constant 2 : i8
      %y = arith.constant 3 : i8
      %r = arith.addi %x, %y : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f() -> i8 {
      %r = arith.constant 6 : i8
      return %r : i8
    }
  }
}

// -----

// Signed zeros differ.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> f32 {
      %r = arith.constant 0.0 : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f() -> f32 {
      %r = arith.constant -0.0 : f32
      return %r : f32
    }
  }
}

// -----

// Elements of a constant tensor.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> i32 {
      %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
      %i = arith.constant 1 : index
      %j = arith.constant 2 : index
      %r = tensor.extract %t[%i, %j] : tensor<2x3xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f() -> i32 {
      %r = arith.constant 6 : i32
      return %r : i32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> i32 {
      %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
      %i = arith.constant 1 : index
      %j = arith.constant 0 : index
      %r = tensor.extract %t[%i, %j] : tensor<2x3xi32>
      return %r : i32
    }
  }
  module @tgt {
    func.func @f() -> i32 {
      %r = arith.constant 6 : i32
      return %r : i32
    }
  }
}
