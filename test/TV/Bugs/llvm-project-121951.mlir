// RUN: panpipe-tv --expect %s

// Two clamps were merged although the first maps NaN to a number.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @cc(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = tosa.clamp %x {min_val = 0.0 : f32, max_val = 4.0 : f32, nan_mode = IGNORE} : (tensor<2xf32>) -> tensor<2xf32>
      %b = tosa.clamp %a {min_val = 1.0 : f32, max_val = 3.0 : f32, nan_mode = PROPAGATE} : (tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @cc(%x: tensor<2xf32>) -> tensor<2xf32> {
      %b = tosa.clamp %x {min_val = 1.0 : f32, max_val = 3.0 : f32, nan_mode = PROPAGATE} : (tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @cc(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = tosa.clamp %x {min_val = 0.0 : f32, max_val = 4.0 : f32, nan_mode = IGNORE} : (tensor<2xf32>) -> tensor<2xf32>
      %b = tosa.clamp %a {min_val = 1.0 : f32, max_val = 3.0 : f32, nan_mode = PROPAGATE} : (tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }
  }
  module @tgt {
    func.func @cc(%x: tensor<2xf32>) -> tensor<2xf32> {
      %b = tosa.clamp %x {min_val = 1.0 : f32, max_val = 3.0 : f32, nan_mode = IGNORE} : (tensor<2xf32>) -> tensor<2xf32>
      return %b : tensor<2xf32>
    }
  }
}
