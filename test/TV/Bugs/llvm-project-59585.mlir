// RUN: panpipe-tv --expect %s

// llvm/llvm-project#59585: signed vs unsigned int-to-float conversion.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @pos(%arg0: i32) -> f32 {
      %c2_i32 = arith.constant 2 : i32
      %c-1_i32 = arith.constant -1 : i32
      %cst = arith.constant 4.000000e+00 : f32
      %0 = arith.muli %arg0, %c2_i32 : i32
      %1 = arith.addi %0, %c-1_i32 : i32
      %2 = arith.sitofp %1 : i32 to f32
      %3 = arith.divf %2, %cst : f32
      return %3 : f32
    }
  }
  module @tgt {
    func.func @pos(%arg0: i32) -> f32 {
      %c2_i32 = arith.constant 2 : i32
      %c-1_i32 = arith.constant -1 : i32
      %cst = arith.constant 4.000000e+00 : f32
      %0 = arith.muli %arg0, %c2_i32 : i32
      %1 = arith.addi %0, %c-1_i32 : i32
      %2 = arith.uitofp %1 : i32 to f32
      %3 = arith.divf %2, %cst : f32
      return %3 : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @pos(%arg0: i32) -> f32 {
      %c2_i32 = arith.constant 2 : i32
      %c-1_i32 = arith.constant -1 : i32
      %cst = arith.constant 4.000000e+00 : f32
      %0 = arith.muli %arg0, %c2_i32 : i32
      %1 = arith.addi %0, %c-1_i32 : i32
      %2 = arith.sitofp %1 : i32 to f32
      %3 = arith.divf %2, %cst : f32
      return %3 : f32
    }
  }
  module @tgt {
    func.func @pos(%arg0: i32) -> f32 {
      %c1_i32 = arith.constant 1 : i32
      %c-1_i32 = arith.constant -1 : i32
      %cst = arith.constant 4.000000e+00 : f32
      %0 = arith.shli %arg0, %c1_i32 : i32
      %1 = arith.addi %0, %c-1_i32 : i32
      %2 = arith.sitofp %1 : i32 to f32
      %3 = arith.divf %2, %cst : f32
      return %3 : f32
    }
  }
}
