// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<3x3xf32> {
      %r = tosa.concat %x, %y {axis = 0 : i32} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
      return %r : tensor<3x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<3x3xf32> {
      %r = tensor.concat dim(0) %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
      return %r : tensor<3x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<3x3xf32> {
      %r = tosa.concat %x, %y {axis = 0 : i32} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
      return %r : tensor<3x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<3x3xf32> {
      %r = tosa.concat %y, %x {axis = 0 : i32} : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
      return %r : tensor<3x3xf32>
    }
  }
}
