// RUN: panpipe-tv --expect %s

// llvm/llvm-project#84685: poison: select is lazy in the unselected operand, andi/ori are not.
// p=false, n=100: n+n wraps nsw so q is poison; source = y, target = poison

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @pick(%arg0: i1, %arg1: i8, %arg2: i8, %arg3: i8) -> i8 {
      %c0_i8 = arith.constant 0 : i8
      %0 = arith.addi %arg1, %arg1 overflow<nsw> : i8
      %1 = arith.cmpi sgt, %0, %c0_i8 : i8
      %2 = arith.select %1, %arg2, %arg3 : i8
      %3 = arith.select %arg0, %2, %arg3 : i8
      return %3 : i8
    }
  }
  module @tgt {
    func.func @pick(%arg0: i1, %arg1: i8, %arg2: i8, %arg3: i8) -> i8 {
      %c0_i8 = arith.constant 0 : i8
      %0 = arith.addi %arg1, %arg1 overflow<nsw> : i8
      %1 = arith.cmpi sgt, %0, %c0_i8 : i8
      %2 = arith.andi %arg0, %1 : i1
      %3 = arith.select %2, %arg2, %arg3 : i8
      return %3 : i8
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @pick(%arg0: i1, %arg1: i8, %arg2: i8, %arg3: i8) -> i8 {
      %c0_i8 = arith.constant 0 : i8
      %0 = arith.addi %arg1, %arg1 overflow<nsw> : i8
      %1 = arith.cmpi sgt, %0, %c0_i8 : i8
      %2 = arith.select %1, %arg2, %arg3 : i8
      %3 = arith.select %arg0, %2, %arg3 : i8
      return %3 : i8
    }
  }
  module @tgt {
    func.func @pick(%arg0: i1, %arg1: i8, %arg2: i8, %arg3: i8) -> i8 {
      %false = arith.constant false
      %c0_i8 = arith.constant 0 : i8
      %0 = arith.addi %arg1, %arg1 : i8
      %1 = arith.cmpi sgt, %0, %c0_i8 : i8
      %2 = arith.select %arg0, %1, %false : i1
      %3 = arith.select %2, %arg2, %arg3 : i8
      return %3 : i8
    }
  }
}
