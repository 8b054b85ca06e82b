// RUN: panpipe-tv --split %s | FileCheck %s

// Private functions are part of their callers: a renamed one is no difference,
// and only @main is reported.
// CHECK: @main  VALID
// CHECK-NOT: @relu
module {
  module @src {
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @relu(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = arith.constant dense<0.0> : tensor<4xf32>
      %0 = arith.maximumf %x, %zero : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
  module @tgt {
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @clip(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @clip(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = arith.constant dense<0.0> : tensor<4xf32>
      %0 = arith.maximumf %zero, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
  }
}
