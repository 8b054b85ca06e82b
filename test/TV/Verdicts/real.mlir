// RUN: panpipe-tv --expect %s

// Exact arithmetic: constants are coefficients, products are distributed.

// Means of parts of 3 and 1, weighted, are the mean of all four;
module attributes {tv.expect = "VALID", tv.allow = ["real"], tv.assumes = ["real"]} {
  module @src {
    func.func @mean(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
      %four = arith.constant 4.0 : f32
      %0 = arith.addf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      %2 = arith.addf %1, %d : f32
      %r = arith.divf %2, %four : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @mean(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
      %three = arith.constant 3.0 : f32
      %w = arith.constant 0.75 : f32
      %v = arith.constant 0.25 : f32
      %0 = arith.addf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      %m = arith.divf %1, %three : f32
      %p = arith.mulf %m, %w : f32
      %q = arith.mulf %v, %d : f32
      %r = arith.addf %p, %q : f32
      return %r : f32
    }
  }
}

// -----

// not weighted, they are not.
module attributes {tv.expect = "INVALID", tv.allow = ["real"]} {
  module @src {
    func.func @mean(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
      %four = arith.constant 4.0 : f32
      %0 = arith.addf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      %2 = arith.addf %1, %d : f32
      %r = arith.divf %2, %four : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @mean(%a: f32, %b: f32, %c: f32, %d: f32) -> f32 {
      %three = arith.constant 3.0 : f32
      %w = arith.constant 0.5 : f32
      %0 = arith.addf %a, %b : f32
      %1 = arith.addf %0, %c : f32
      %m = arith.divf %1, %three : f32
      %p = arith.mulf %m, %w : f32
      %q = arith.mulf %w, %d : f32
      %r = arith.addf %p, %q : f32
      return %r : f32
    }
  }
}

// -----

// A factor that comes out of a sum is the same one.
module attributes {tv.expect = "INVALID", tv.allow = ["real"]} {
  module @src {
    func.func @scale(%x: tensor<3x5xf32>, %k: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
      %zero = arith.constant -0.0 : f32
      %e = tensor.empty() : tensor<3xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
      %s = linalg.reduce { arith.addf } ins(%x : tensor<3x5xf32>) outs(%i : tensor<3xf32>) dimensions = [1]
      %r = arith.mulf %s, %k : tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @scale(%x: tensor<3x5xf32>, %k: tensor<3xf32>, %z: tensor<3xf32>) -> tensor<3xf32> {
      %zero = arith.constant -0.0 : f32
      %e = tensor.empty() : tensor<3xf32>
      %i = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x, %z : tensor<3x5xf32>, tensor<3xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %b: f32, %acc: f32):
        %p = arith.mulf %a, %b : f32
        %t = arith.addf %acc, %p : f32
        linalg.yield %t : f32
      } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

// Differences that cancel.
module attributes {tv.expect = "VALID", tv.allow = ["real"], tv.assumes = ["real"]} {
  module @src {
    func.func @square(%a: f32, %b: f32) -> f32 {
      %s = arith.addf %a, %b : f32
      %d = arith.subf %a, %b : f32
      %r = arith.mulf %s, %d : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @square(%a: f32, %b: f32) -> f32 {
      %p = arith.mulf %a, %a : f32
      %q = arith.mulf %b, %b : f32
      %r = arith.subf %p, %q : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID", tv.allow = ["real"]} {
  module @src {
    func.func @square(%a: f32, %b: f32) -> f32 {
      %s = arith.addf %a, %b : f32
      %d = arith.subf %a, %b : f32
      %r = arith.mulf %s, %d : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @square(%a: f32, %b: f32) -> f32 {
      %p = arith.mulf %a, %a : f32
      %q = arith.mulf %b, %b : f32
      %r = arith.addf %p, %q : f32
      return %r : f32
    }
  }
}
