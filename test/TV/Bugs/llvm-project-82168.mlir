// RUN: panpipe-tv --expect %s

// llvm/llvm-project#82168: bit-vector xor.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @xr(%arg0: i8) -> i1 {
      %c6_i8 = arith.constant 6 : i8
      %c3_i8 = arith.constant 3 : i8
      %c6_i8_0 = arith.constant 6 : i8
      %0 = arith.andi %arg0, %c6_i8 : i8
      %1 = arith.xori %0, %c3_i8 : i8
      %2 = arith.cmpi ult, %1, %c6_i8_0 : i8
      return %2 : i1
    }
  }
  module @tgt {
    func.func @xr(%arg0: i8) -> i1 {
      %true = arith.constant true
      return %true : i1
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @xr(%arg0: i8) -> i1 {
      %c6_i8 = arith.constant 6 : i8
      %c3_i8 = arith.constant 3 : i8
      %c6_i8_0 = arith.constant 6 : i8
      %0 = arith.andi %arg0, %c6_i8 : i8
      %1 = arith.xori %0, %c3_i8 : i8
      %2 = arith.cmpi ult, %1, %c6_i8_0 : i8
      return %2 : i1
    }
  }
  module @tgt {
    func.func @xr(%arg0: i8) -> i1 {
      %c6_i8 = arith.constant 6 : i8
      %c4_i8 = arith.constant 4 : i8
      %0 = arith.andi %arg0, %c6_i8 : i8
      %1 = arith.cmpi ne, %0, %c4_i8 : i8
      return %1 : i1
    }
  }
}
