// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = tosa.select %c, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @f(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %n = tosa.logical_not %c : (tensor<2xi1>) -> tensor<2xi1>
      %r = tosa.select %n, %y, %x : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = tosa.select %c, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @f(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %r = tosa.select %c, %y, %x : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    }
  }
}
