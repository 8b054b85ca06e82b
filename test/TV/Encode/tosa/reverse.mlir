// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = tosa.reverse %x {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %a = tensor.extract_slice %x[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
      %b = tensor.extract_slice %x[0, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<1x3xf32>
      %r = tensor.concat dim(0) %a, %b : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = tosa.reverse %x {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %r = tosa.reverse %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
  }
}
