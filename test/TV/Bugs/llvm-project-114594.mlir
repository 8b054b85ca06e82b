// RUN: panpipe-tv --expect %s

// llvm/llvm-project#114594: NaN.

module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @mx(%arg0: f32) -> f32 {
      %cst = arith.constant 0xFF800000 : f32
      %0 = arith.maxnumf %arg0, %cst : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @mx(%arg0: f32) -> f32 {
      return %arg0 : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @mx(%arg0: f32) -> f32 {
      %cst = arith.constant 0xFF800000 : f32
      %0 = arith.maxnumf %arg0, %cst : f32
      return %0 : f32
    }
  }
  module @tgt {
    func.func @mx(%arg0: f32) -> f32 {
      %cst = arith.constant 0xFF800000 : f32
      %0 = arith.cmpf uno, %arg0, %arg0 : f32
      %1 = arith.select %0, %cst, %arg0 : f32
      return %1 : f32
    }
  }
}
