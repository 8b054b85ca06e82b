// RUN: panpipe-tv --expect %s

// MICROBATCHED to SCHEDULED: the network of programs computes the same.
module attributes {tv.expect = "VALID"} {
  module @src {
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
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 0 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.send %m1 to 1 tag 1 : tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 1 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}

// -----

// Both microbatches on one channel, in order: first in, first out.
module attributes {tv.expect = "VALID"} {
  module @src {
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
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 0 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.send %m1 to 1 tag 0 : tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 0 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}

// -----

// A stage run on the wrong weights would be INVALID; here another function.
module attributes {tv.expect = "INVALID"} {
  module @src {
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
  module @tgt {
    pipe.stage @s0 on 0 (%x: tensor<5x4xf32>, %w: tensor<4x3xf32>) -> (tensor<5x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<5x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<5x4xf32>, tensor<4x3xf32>) outs(%c : tensor<5x3xf32>) -> tensor<5x3xf32>
      pipe.yield %m : tensor<5x3xf32>
    }
    pipe.stage @s1 on 1 (%m: tensor<5x3xf32>) -> (tensor<5x3xf32>) {
      %r = math.sin %m : tensor<5x3xf32>
      pipe.yield %r : tensor<5x3xf32>
    }
    pipe.stage @s0_3 on 0 (%x: tensor<3x4xf32>, %w: tensor<4x3xf32>) -> (tensor<3x3xf32>) {
      %c = arith.constant dense<0.0> : tensor<3x3xf32>
      %m = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x3xf32>) outs(%c : tensor<3x3xf32>) -> tensor<3x3xf32>
      pipe.yield %m : tensor<3x3xf32>
    }
    pipe.stage @s1_3 on 1 (%m: tensor<3x3xf32>) -> (tensor<3x3xf32>) {
      %r = math.sin %m : tensor<3x3xf32>
      pipe.yield %r : tensor<3x3xf32>
    }
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 0 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.send %m1 to 1 tag 1 : tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 1 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}

// -----

// Two devices that wait for each other.
module attributes {tv.expect = "INVALID", tv.reason = "the target never finishes: device 0 waits for tag 7 from device 1; device 1 waits for tag 1 from device 0", tv.reflexive = false} {
  module @src {
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
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 0 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %t = pipe.recv from 1 tag 7 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.send %m1 to 1 tag 1 : tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 1 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        pipe.send %r0 to 0 tag 7 : tensor<5x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.reason = "the target never finishes: device 1 waits for tag 1 from device 0", tv.reflexive = false} {
  module @src {
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
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 0 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 1 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}

// -----

module attributes {tv.expect = "BAD-INPUT", tv.reason = "is never received"} {
  module @src {
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
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 0 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.send %m1 to 1 tag 9 : tensor<3x3xf32>
        pipe.send %m1 to 1 tag 1 : tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 1 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}

// -----

module attributes {tv.expect = "BAD-INPUT", tv.reason = "receives tensor<5x3xf32> but tensor<3x3xf32> was sent"} {
  module @src {
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
    pipe.pipeline @f(%x: tensor<8x4xf32>, %w: tensor<4x3xf32>) -> (tensor<8x3xf32>) {
      pipe.program on 0 {
        %a, %b = pipe.split %x dim 0 sizes [5, 3] : tensor<8x4xf32> -> (tensor<5x4xf32>, tensor<3x4xf32>)
        %m0 = pipe.run @s0(%a, %w) microbatch 0 : (tensor<5x4xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
        pipe.send %m0 to 1 tag 1 : tensor<5x3xf32>
        pipe.free %m0 : tensor<5x3xf32>
        %m1 = pipe.run @s0_3(%b, %w) microbatch 1 : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
        pipe.send %m1 to 1 tag 0 : tensor<3x3xf32>
        pipe.free %m1 : tensor<3x3xf32>
      }
      pipe.program on 1 {
        %m0 = pipe.recv from 0 tag 0 : tensor<5x3xf32>
        %r0 = pipe.run @s1(%m0) microbatch 0 : (tensor<5x3xf32>) -> tensor<5x3xf32>
        %m1 = pipe.recv from 0 tag 1 : tensor<3x3xf32>
        %r1 = pipe.run @s1_3(%m1) microbatch 1 : (tensor<3x3xf32>) -> tensor<3x3xf32>
        %r = pipe.concat %r0, %r1 dim 0 : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
        pipe.deliver %r to 0 : tensor<8x3xf32>
      }
    }
  }
}
