// RUN: panpipe-tv --expect %s

// The last of two writes counts.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>, %a: f32, %b: f32, %i: index) -> tensor<4xf32> {
      %1 = tensor.insert %a into %x[%i] : tensor<4xf32>
      %r = tensor.insert %b into %1[%i] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>, %a: f32, %b: f32, %i: index) -> tensor<4xf32> {
      %r = tensor.insert %b into %x[%i] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}

// -----

// Two indices may be the same.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>, %a: f32, %b: f32, %i: index, %j: index) -> tensor<4xf32> {
      %1 = tensor.insert %a into %x[%i] : tensor<4xf32>
      %r = tensor.insert %b into %1[%j] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>, %a: f32, %b: f32, %i: index, %j: index) -> tensor<4xf32> {
      %1 = tensor.insert %b into %x[%j] : tensor<4xf32>
      %r = tensor.insert %a into %1[%i] : tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}
