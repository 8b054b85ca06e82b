// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %d = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
      %r = tensor.cast %d : tensor<?xf32> to tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %r = tensor.cast %x : tensor<4xf32> to tensor<4xf32>
      return %r : tensor<4xf32>
    }
  }
}

// -----

// A cast that cannot succeed is undefined: it may not be added.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %r = tensor.cast %x : tensor<?xf32> to tensor<?xf32>
      return %r : tensor<?xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %s = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
      %r = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
      return %r : tensor<?xf32>
    }
  }
}
