// RUN: panpipe-tv --expect %s

// llvm/llvm-project#218191: poison of out-of-range shifts.
// a=20: source 4>>20 = 0; target shifts an i16 by 20 -> poison

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @nsh(%arg0: i32) -> i32 {
      %c31_i32 = arith.constant 31 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = arith.andi %arg0, %c31_i32 : i32
      %1 = arith.shrsi %c4_i32, %0 : i32
      return %1 : i32
    }
  }
  module @tgt {
    func.func @nsh(%arg0: i32) -> i32 {
      %c31_i32 = arith.constant 31 : i32
      %c4_i16 = arith.constant 4 : i16
      %0 = arith.andi %arg0, %c31_i32 : i32
      %1 = arith.trunci %0 : i32 to i16
      %2 = arith.shrsi %c4_i16, %1 : i16
      %3 = arith.extsi %2 : i16 to i32
      return %3 : i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @nsh(%arg0: i32) -> i32 {
      %c31_i32 = arith.constant 31 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = arith.andi %arg0, %c31_i32 : i32
      %1 = arith.shrsi %c4_i32, %0 : i32
      return %1 : i32
    }
  }
  module @tgt {
    func.func @nsh(%arg0: i32) -> i32 {
      %c31_i32 = arith.constant 31 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = arith.andi %arg0, %c31_i32 : i32
      %1 = arith.shrui %c4_i32, %0 : i32
      return %1 : i32
    }
  }
}
