// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> i8 {
      %r = ub.poison : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f() -> i8 {
      %r = arith.constant 3 : i8
      return %r : i8
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> i8 {
      %r = arith.constant 3 : i8
      return %r : i8
    }
  }
  module @tgt {
    func.func @f() -> i8 {
      %r = ub.poison : i8
      return %r : i8
    }
  }
}

// -----

// Poison that is sliced off does no harm.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %z = arith.constant 0.0 : f32
      %1 = tensor.pad %x low[0] high[4] {
        ^bb0(%i: index):
          tensor.yield %z : f32
        } : tensor<4xf32> to tensor<8xf32>
      %r = tensor.extract_slice %1[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %z = ub.poison : f32
      %1 = tensor.pad %x low[0] high[4] {
        ^bb0(%i: index):
          tensor.yield %z : f32
        } : tensor<4xf32> to tensor<8xf32>
      %r = tensor.extract_slice %1[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}
