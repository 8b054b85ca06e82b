// RUN: panpipe-tv --expect %s

// A transposition, element by element.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
      %r = tensor.generate {
        ^bb0(%i: index, %j: index):
          %v = tensor.extract %x[%j, %i] : tensor<4x6xf32>
          tensor.yield %v : f32
        } : tensor<6x4xf32>
      return %r : tensor<6x4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
      %e = tensor.empty() : tensor<6x4xf32>
      %r = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
      return %r : tensor<6x4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<6x6xf32>) -> tensor<6x4xf32> {
      %r = tensor.generate {
        ^bb0(%i: index, %j: index):
          %v = tensor.extract %x[%j, %i] : tensor<6x6xf32>
          tensor.yield %v : f32
        } : tensor<6x4xf32>
      return %r : tensor<6x4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<6x6xf32>) -> tensor<6x4xf32> {
      %r = tensor.generate {
        ^bb0(%i: index, %j: index):
          %v = tensor.extract %x[%i, %j] : tensor<6x6xf32>
          tensor.yield %v : f32
        } : tensor<6x4xf32>
      return %r : tensor<6x4xf32>
    }
  }
}
