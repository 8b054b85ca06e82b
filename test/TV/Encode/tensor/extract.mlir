// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>, %i: index) -> f32 {
      %c = arith.constant 2 : index
      %s = tensor.extract_slice %x[2, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
      %r = tensor.extract %s[%i] : tensor<6xf32>
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>, %i: index) -> f32 {
      %c = arith.constant 2 : index
      %r = tensor.extract %x[%c, %i] : tensor<4x6xf32>
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> f32 {
      %c = arith.constant 2 : index
      %d = arith.constant 3 : index
      %r = tensor.extract %x[%c, %d] : tensor<4x6xf32>
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> f32 {
      %c = arith.constant 2 : index
      %d = arith.constant 3 : index
      %r = tensor.extract %x[%d, %c] : tensor<4x6xf32>
      return %r : f32
    }
  }
}

// -----

// Out of bounds is undefined; a read may not be added.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>, %i: index, %a: f32) -> f32 {
      %r = arith.addf %a, %a : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>, %i: index, %a: f32) -> f32 {
      %e = tensor.extract %x[%i] : tensor<4xf32>
      %r = arith.addf %a, %a : f32
      return %r : f32
    }
  }
}
