// RUN: panpipe-tv --expect %s

// llvm/llvm-project#106519: division UB executed on both sides of a select; INT_MIN wrap.
// n=-128,m=7 gives 18 instead of -18; n=127,m=-1 hits UB only in the target

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @cdiv(%arg0: i8, %arg1: i8) -> i8 {
      %0 = arith.ceildivsi %arg0, %arg1 : i8
      return %0 : i8
    }
  }
  module @tgt {
    func.func @cdiv(%arg0: i8, %arg1: i8) -> i8 {
      %c0_i8 = arith.constant 0 : i8
      %c1_i8 = arith.constant 1 : i8
      %c-1_i8 = arith.constant -1 : i8
      %0 = arith.cmpi sgt, %arg1, %c0_i8 : i8
      %1 = arith.select %0, %c-1_i8, %c1_i8 : i8
      %2 = arith.addi %1, %arg0 : i8
      %3 = arith.divsi %2, %arg1 : i8
      %4 = arith.addi %c1_i8, %3 : i8
      %5 = arith.subi %c0_i8, %arg0 : i8
      %6 = arith.divsi %5, %arg1 : i8
      %7 = arith.subi %c0_i8, %6 : i8
      %8 = arith.cmpi slt, %arg0, %c0_i8 : i8
      %9 = arith.cmpi sgt, %arg0, %c0_i8 : i8
      %10 = arith.cmpi slt, %arg1, %c0_i8 : i8
      %11 = arith.andi %8, %10 : i1
      %12 = arith.andi %9, %0 : i1
      %13 = arith.ori %11, %12 : i1
      %14 = arith.select %13, %4, %7 : i8
      return %14 : i8
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @cdiv(%arg0: i8, %arg1: i8) -> i8 {
      %0 = arith.ceildivsi %arg0, %arg1 : i8
      return %0 : i8
    }
  }
  module @tgt {
    func.func @cdiv(%arg0: i8, %arg1: i8) -> i8 {
      %c0_i8 = arith.constant 0 : i8
      %c1_i8 = arith.constant 1 : i8
      %0 = arith.divsi %arg0, %arg1 : i8
      %1 = arith.muli %0, %arg1 : i8
      %2 = arith.cmpi ne, %arg0, %1 : i8
      %3 = arith.cmpi slt, %arg0, %c0_i8 : i8
      %4 = arith.cmpi slt, %arg1, %c0_i8 : i8
      %5 = arith.cmpi eq, %3, %4 : i1
      %6 = arith.andi %2, %5 : i1
      %7 = arith.addi %0, %c1_i8 : i8
      %8 = arith.select %6, %7, %0 : i8
      return %8 : i8
    }
  }
}
