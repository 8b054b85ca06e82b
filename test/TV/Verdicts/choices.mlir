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

// `unique` on the target is a new way to be undefined.
module attributes {tv.expect = "UNSUPPORTED"} {
  module @src {
    func.func @gather(%x: tensor<3x3xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x3xf32> {
      %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<3x3xf32>, tensor<2x1xindex>) -> tensor<2x1x3xf32>
      return %r : tensor<2x1x3xf32>
    }
  }
  module @tgt {
    func.func @gather(%x: tensor<3x3xf32>, %i: tensor<2x1xindex>) -> tensor<2x1x3xf32> {
      %r = tensor.gather %x[%i] gather_dims([0]) unique : (tensor<3x3xf32>, tensor<2x1xindex>) -> tensor<2x1x3xf32>
      return %r : tensor<2x1x3xf32>
    }
  }
}
