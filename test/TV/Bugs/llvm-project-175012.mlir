// RUN: panpipe-tv --expect %s

// llvm/llvm-project#175012 (operation added in #151153): definition of math.clampf; min/max with NaN.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @clip(%arg0: f32) -> f32 {
      %cst = arith.constant 1.000000e+00 : f32
      %cst_0 = arith.constant 3.000000e+00 : f32
      %0 = math.clampf %arg0 to [%cst, %cst_0] : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @clip(%arg0: f32) -> f32 {
      %cst = arith.constant 1.000000e+00 : f32
      %cst_0 = arith.constant 3.000000e+00 : f32
      %0 = arith.minimumf %arg0, %cst : f32
      %1 = arith.maximumf %0, %cst_0 : f32
      return %1 : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @clip(%arg0: f32) -> f32 {
      %cst = arith.constant 1.000000e+00 : f32
      %cst_0 = arith.constant 3.000000e+00 : f32
      %0 = math.clampf %arg0 to [%cst, %cst_0] : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @clip(%arg0: f32) -> f32 {
      %cst = arith.constant 1.000000e+00 : f32
      %cst_0 = arith.constant 3.000000e+00 : f32
      %0 = arith.minimumf %arg0, %cst_0 : f32
      %1 = arith.maximumf %0, %cst : f32
      return %1 : f32
    }
  }
}
