// RUN: panpipe-tv --expect %s

// llvm/llvm-project#161395: signed zero, fastmath flags as poison.

module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["nsz"]} {
  module @src {
    func.func @mz(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = arith.mulf %arg0, %cst fastmath<nnan,ninf> : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @mz(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      return %cst : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @mz(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = arith.mulf %arg0, %cst fastmath<nnan,ninf> : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @mz(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = math.copysign %cst, %arg0 : f32
      return %0 : f32
    }
  }
}
