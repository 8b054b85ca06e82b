// RUN: panpipe-tv --expect %s

// llvm/llvm-project#198457: poison of shift by bit width.
// n=0: source = x; target computes lo >> 8 on i8 -> poison

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @wsh(%arg0: i16, %arg1: i16) -> i16 {
      %0 = arith.shli %arg0, %arg1 : i16
      return %0 : i16
    }
  }
  module @tgt {
    func.func @wsh(%arg0: i16, %arg1: i16) -> i16 {
      %c8_i16 = arith.constant 8 : i16
      %c8_i8 = arith.constant 8 : i8
      %c0_i8 = arith.constant 0 : i8
      %0 = arith.trunci %arg0 : i16 to i8
      %1 = arith.shrui %arg0, %c8_i16 : i16
      %2 = arith.trunci %1 : i16 to i8
      %3 = arith.trunci %arg1 : i16 to i8
      %4 = arith.cmpi ult, %3, %c8_i8 : i8
      %5 = arith.shli %0, %3 : i8
      %6 = arith.subi %c8_i8, %3 : i8
      %7 = arith.shrui %0, %6 : i8
      %8 = arith.shli %2, %3 : i8
      %9 = arith.ori %8, %7 : i8
      %10 = arith.subi %3, %c8_i8 : i8
      %11 = arith.shli %0, %10 : i8
      %12 = arith.select %4, %5, %c0_i8 : i8
      %13 = arith.select %4, %9, %11 : i8
      %14 = arith.extui %12 : i8 to i16
      %15 = arith.extui %13 : i8 to i16
      %16 = arith.shli %15, %c8_i16 : i16
      %17 = arith.ori %16, %14 : i16
      return %17 : i16
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @wsh(%arg0: i16, %arg1: i16) -> i16 {
      %0 = arith.shli %arg0, %arg1 : i16
      return %0 : i16
    }
  }
  module @tgt {
    func.func @wsh(%arg0: i16, %arg1: i16) -> i16 {
      %c8_i16 = arith.constant 8 : i16
      %c8_i8 = arith.constant 8 : i8
      %c7_i8 = arith.constant 7 : i8
      %c1_i8 = arith.constant 1 : i8
      %c0_i8 = arith.constant 0 : i8
      %0 = arith.trunci %arg0 : i16 to i8
      %1 = arith.shrui %arg0, %c8_i16 : i16
      %2 = arith.trunci %1 : i16 to i8
      %3 = arith.trunci %arg1 : i16 to i8
      %4 = arith.cmpi ult, %3, %c8_i8 : i8
      %5 = arith.shli %0, %3 : i8
      %6 = arith.shrui %0, %c1_i8 : i8
      %7 = arith.subi %c7_i8, %3 : i8
      %8 = arith.shrui %6, %7 : i8
      %9 = arith.shli %2, %3 : i8
      %10 = arith.ori %9, %8 : i8
      %11 = arith.subi %3, %c8_i8 : i8
      %12 = arith.shli %0, %11 : i8
      %13 = arith.select %4, %5, %c0_i8 : i8
      %14 = arith.select %4, %10, %12 : i8
      %15 = arith.extui %13 : i8 to i16
      %16 = arith.extui %14 : i8 to i16
      %17 = arith.shli %16, %c8_i16 : i16
      %18 = arith.ori %17, %15 : i16
      return %18 : i16
    }
  }
}
