// RUN: panpipe-tv --expect %s

// MODEL to STAGED: the stages, inlined, are the model.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
      %c = arith.constant dense<0.0> : tensor<8x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%c : tensor<8x3xf32>) -> tensor<8x3xf32>
      %r = math.tanh %m : tensor<8x3xf32>
      return %r : tensor<8x3xf32>
    }
  }
  module @tgt {
    pipe.stage @s0 on 0 (%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<8x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%c : tensor<8x3xf32>) -> tensor<8x3xf32>
      pipe.yield %m : tensor<8x3xf32>
    }
    pipe.stage @s1 on 1 (%m: tensor<8x3xf32>) -> (tensor<8x3xf32>) {
      %r = math.tanh %m : tensor<8x3xf32>
      pipe.yield %r : tensor<8x3xf32>
    }
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
      %m = pipe.run @s0(%x, %w) : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
      %r = pipe.run @s1(%m) : (tensor<8x3xf32>) -> tensor<8x3xf32>
      return %r : tensor<8x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
      %c = arith.constant dense<0.0> : tensor<8x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%c : tensor<8x3xf32>) -> tensor<8x3xf32>
      %r = math.tanh %m : tensor<8x3xf32>
      return %r : tensor<8x3xf32>
    }
  }
  module @tgt {
    pipe.stage @s0 on 0 (%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<8x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x3xf32>) outs(%c : tensor<8x3xf32>) -> tensor<8x3xf32>
      pipe.yield %m : tensor<8x3xf32>
    }
    pipe.stage @s1 on 1 (%m: tensor<8x3xf32>) -> (tensor<8x3xf32>) {
      %r = math.sin %m : tensor<8x3xf32>
      pipe.yield %r : tensor<8x3xf32>
    }
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
      %m = pipe.run @s0(%x, %w) : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
      %r = pipe.run @s1(%m) : (tensor<8x3xf32>) -> tensor<8x3xf32>
      return %r : tensor<8x3xf32>
    }
  }
}
