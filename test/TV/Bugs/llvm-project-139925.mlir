// RUN: panpipe-tv --expect %s

// llvm/llvm-project#139925: exact int-to-float rounding (or an uninterpreted model that does not assume equality).

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @cv(%arg0: i64) -> f32 {
      %0 = arith.sitofp %arg0 : i64 to f64
      %1 = arith.truncf %0 : f64 to f32
      return %1 : f32
    }
  }
  module @tgt {
    func.func @cv(%arg0: i64) -> f32 {
      %0 = arith.sitofp %arg0 : i64 to f32
      return %0 : f32
    }
  }
}
