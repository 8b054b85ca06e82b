// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xi32> {
      %r = tensor.bitcast %x : tensor<4xf32> to tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>) -> tensor<4xi32> {
      %r = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
      return %r : tensor<4xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xui8>) -> tensor<4xi16> {
      %b = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
      %r = arith.extui %b : tensor<4xi8> to tensor<4xi16>
      return %r : tensor<4xi16>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xui8>) -> tensor<4xi16> {
      %b = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
      %r = arith.extsi %b : tensor<4xi8> to tensor<4xi16>
      return %r : tensor<4xi16>
    }
  }
}
