// RUN: panpipe-tv --expect %s

// llvm/llvm-project#218111: signed zero.

module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @cz(%arg0: f32) -> f32 {
      %0 = math.ceil %arg0 : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @cz(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      %cst_0 = arith.constant 1.000000e+00 : f32
      %0 = math.trunc %arg0 : f32
      %1 = arith.cmpf ogt, %arg0, %0 : f32
      %2 = arith.select %1, %cst_0, %cst : f32
      %3 = arith.addf %0, %2 : f32
      return %3 : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @cz(%arg0: f32) -> f32 {
      %0 = math.ceil %arg0 : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @cz(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      %cst_0 = arith.constant 1.000000e+00 : f32
      %0 = math.trunc %arg0 : f32
      %1 = arith.cmpf ogt, %arg0, %0 : f32
      %2 = arith.select %1, %cst_0, %cst : f32
      %3 = arith.addf %0, %2 : f32
      %4 = math.copysign %3, %arg0 : f32
      return %4 : f32
    }
  }
}
