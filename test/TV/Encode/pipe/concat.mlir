// RUN: panpipe-tv --expect %s

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
    pipe.stage @s0 on 0 (%x: tensor<5x4xf32>, %w: tensor<4x3xf32>) -> (tensor<5x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<5x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x3xf32>) outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
      pipe.yield %m : tensor<5x3xf32>
    }
    pipe.stage @s1 on 1 (%m: tensor<5x3xf32>) -> (tensor<5x3xf32>) {
      %r = math.tanh %m : tensor<5x3xf32>
      pipe.yield %r : tensor<5x3xf32>
    }
    pipe.stage @s0_3 on 0 (%x: tensor<3x4xf32>, %w: tensor<4x3xf32>) -> (tensor<3x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<3x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x3xf32>) outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
      pipe.yield %m : tensor<3x3xf32>
    }
    pipe.stage @s1_3 on 1 (%m: tensor<3x3xf32>) -> (tensor<3x3xf32>) {
      %r = math.tanh %m : tensor<3x3xf32>
      pipe.yield %r : tensor<3x3xf32>
    }
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
      %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
      %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
      %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
      %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
      %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
      return %r : tensor<8x3xf32>
    }
  }
}

// -----

// A microbatch delivered twice, another lost.
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
    pipe.stage @s0 on 0 (%x: tensor<5x4xf32>, %w: tensor<4x3xf32>) -> (tensor<5x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<5x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x3xf32>) outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
      pipe.yield %m : tensor<5x3xf32>
    }
    pipe.stage @s1 on 1 (%m: tensor<5x3xf32>) -> (tensor<5x3xf32>) {
      %r = math.tanh %m : tensor<5x3xf32>
      pipe.yield %r : tensor<5x3xf32>
    }
    pipe.stage @s0_3 on 0 (%x: tensor<3x4xf32>, %w: tensor<4x3xf32>) -> (tensor<3x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<3x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x3xf32>) outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
      pipe.yield %m : tensor<3x3xf32>
    }
    pipe.stage @s1_3 on 1 (%m: tensor<3x3xf32>) -> (tensor<3x3xf32>) {
      %r = math.tanh %m : tensor<3x3xf32>
      pipe.yield %r : tensor<3x3xf32>
    }
    func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> tensor<8x3xf32> {
      %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
      %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
      %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
      %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
      %u = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
      %p = tensor.extract_slice %r0[0, 0] [3, 3] [1, 1] : tensor<5x3xf32> to tensor<3x3xf32>
      %r = pipe.concat %p, %r0 dim 0 : (tensor<3x3xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>
      return %r : tensor<8x3xf32>
    }
  }
}
