// RUN: panpipe-tv --expect %s

// llvm/llvm-project#119836 (same family: #118945): poison of fptosi out of range.
// x = 3.6e19 or +inf

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @fl(%arg0: f32) -> f32 {
      %0 = math.floor %arg0 : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @fl(%arg0: f32) -> f32 {
      %cst = arith.constant 0.000000e+00 : f32
      %cst_0 = arith.constant -1.000000e+00 : f32
      %0 = arith.fptosi %arg0 : f32 to i64
      %1 = arith.sitofp %0 : i64 to f32
      %2 = math.copysign %1, %arg0 : f32
      %3 = arith.cmpf olt, %arg0, %2 : f32
      %4 = arith.select %3, %cst_0, %cst : f32
      %5 = arith.addf %2, %4 : f32
      %6 = math.copysign %5, %arg0 : f32
      return %6 : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @fl(%arg0: f32) -> f32 {
      %0 = math.floor %arg0 : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @fl(%arg0: f32) -> f32 {
      %0 = arith.negf %arg0 : f32
      %1 = math.ceil %0 : f32
      %2 = arith.negf %1 : f32
      return %2 : f32
    }
  }
}
