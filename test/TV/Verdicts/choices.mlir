// RUN: panpipe-tv --expect %s

// A flagged operation picks one of several results once; a proof that lets uses
// pick apart is not VALID.

module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @shared(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.mulf %a, %b fastmath<contract> : f32
      %p = arith.addf %m, %c fastmath<contract> : f32
      %r = arith.subf %p, %p : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @shared(%a: f32, %b: f32, %c: f32) -> f32 {
      %p = math.fma %a, %b, %c : f32
      %m = arith.mulf %a, %b : f32
      %q = arith.addf %m, %c : f32
      %r = arith.subf %p, %q : f32
      return %r : f32
    }
  }
}

// -----

// One use: the pick cannot be told apart.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @single(%a: f32, %b: f32, %c: f32) -> f32 {
      %m = arith.mulf %a, %b fastmath<contract> : f32
      %p = arith.addf %m, %c fastmath<contract> : f32
      return %p : f32
    }
  }
  module @tgt {
    func.func @single(%a: f32, %b: f32, %c: f32) -> f32 {
      %p = math.fma %a, %b, %c : f32
      return %p : f32
    }
  }
}

// -----

// Two equal operations of the target pick apart, one of the source does not.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @merged(%a: f32, %b: f32) -> (f32, f32) {
      %m = arith.maxnumf %a, %b : f32
      return %m, %m : f32, f32
    }
  }
  module @tgt {
    func.func @merged(%a: f32, %b: f32) -> (f32, f32) {
      %m = arith.maxnumf %a, %b : f32
      %n = arith.maxnumf %b, %a : f32
      return %m, %n : f32, f32
    }
  }
}

// -----

// The sign of a NaN that arithmetic made may be anything.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @sign(%x: f32) -> f32 {
      %k = arith.constant 1.0 : f32
      %r = math.copysign %k, %x : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @sign(%x: f32) -> f32 {
      %k = arith.constant 1.0 : f32
      %z = arith.constant -0.0 : f32
      %t = arith.addf %x, %z : f32
      %r = math.copysign %k, %t : f32
      return %r : f32
    }
  }
}

// -----

// One execution, one pick: merging two is fine,
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @merge(%a: f32, %b: f32) -> (f32, f32) {
      %m = arith.maxnumf %a, %b : f32
      %n = arith.maxnumf %a, %b : f32
      return %m, %n : f32, f32
    }
  }
  module @tgt {
    func.func @merge(%a: f32, %b: f32) -> (f32, f32) {
      %m = arith.maxnumf %a, %b : f32
      return %m, %m : f32, f32
    }
  }
}

// -----

// and so is copying it wherever it is used.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @copied(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
      %m = arith.maxnumf %a, %b : tensor<?x8xf32>
      %n = arith.addf %m, %m : tensor<?x8xf32>
      return %m, %n : tensor<?x8xf32>, tensor<?x8xf32>
    }
  }
  module @tgt {
    func.func @copied(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
      %m = arith.maxnumf %a, %b : tensor<?x8xf32>
      %two = arith.constant dense<2.0> : tensor<8xf32>
      %c0 = arith.constant 0 : index
      %d = tensor.dim %a, %c0 : tensor<?x8xf32>
      %e = tensor.empty(%d) : tensor<?x8xf32>
      %n = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
          ins(%m, %two : tensor<?x8xf32>, tensor<8xf32>) outs(%e : tensor<?x8xf32>) {
      ^bb0(%x: f32, %k: f32, %o: f32):
        %y = arith.mulf %x, %k : f32
        linalg.yield %y : f32
      } -> tensor<?x8xf32>
      return %m, %n : tensor<?x8xf32>, tensor<?x8xf32>
    }
  }
}

// -----

// Fewer flags in the target: one permission less, in scalars,
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @fewer(%a: f32, %b: f32) -> (f32, f32) {
      %m = arith.addf %a, %b fastmath<nsz,arcp> : f32
      %r = arith.mulf %m, %m : f32
      return %m, %r : f32, f32
    }
  }
  module @tgt {
    func.func @fewer(%a: f32, %b: f32) -> (f32, f32) {
      %m = arith.addf %b, %a : f32
      %r = arith.mulf %m, %m : f32
      return %m, %r : f32, f32
    }
  }
}

// -----

// in sums,
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @fewer(%x: tensor<3x?xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<3x?xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a fastmath<reassoc,nsz> : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
  module @tgt {
    func.func @fewer(%x: tensor<3x?xf32>, %i: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<3x?xf32>) outs(%i : tensor<3xf32>) {
      ^bb0(%a: f32, %acc: f32):
        %s = arith.addf %acc, %a : f32
        linalg.yield %s : f32
      } -> tensor<3xf32>
      return %r : tensor<3xf32>
    }
  }
}

// -----

// and more are not: -0.0 may become +0.0.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["nsz"]} {
  module @src {
    func.func @more(%a: f32, %b: f32) -> f32 {
      %m = arith.mulf %a, %b : f32
      return %m : f32
    }
  }
  module @tgt {
    func.func @more(%a: f32, %b: f32) -> f32 {
      %m = arith.mulf %a, %b fastmath<nsz> : f32
      return %m : f32
    }
  }
}

// -----

// One pick for a row, another for each of its elements.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @rows(%a: tensor<3xf32>) -> tensor<3x4xf32> {
      %z = arith.constant dense<0.0> : tensor<3xf32>
      %m = arith.maxnumf %a, %z : tensor<3xf32>
      %e = tensor.empty() : tensor<3x4xf32>
      %r = linalg.broadcast ins(%m : tensor<3xf32>) outs(%e : tensor<3x4xf32>) dimensions = [1]
      return %r : tensor<3x4xf32>
    }
  }
  module @tgt {
    func.func @rows(%a: tensor<3xf32>) -> tensor<3x4xf32> {
      %z = arith.constant dense<0.0> : tensor<3x4xf32>
      %e = tensor.empty() : tensor<3x4xf32>
      %b = linalg.broadcast ins(%a : tensor<3xf32>) outs(%e : tensor<3x4xf32>) dimensions = [1]
      %r = arith.maxnumf %b, %z : tensor<3x4xf32>
      return %r : tensor<3x4xf32>
    }
  }
}
