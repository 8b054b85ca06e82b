// RUN: panpipe-tv --expect %s

// llvm/llvm-project#212159: a correct rewrite that looks wrong.

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @fa3(%arg0: i8) -> (i8, i8) {
      %c-1_i8 = arith.constant -1 : i8
      %0 = arith.shrui %arg0, %arg0 : i8
      %1 = arith.shrsi %c-1_i8, %arg0 : i8
      return %0, %1 : i8, i8
    }
  }
  module @tgt {
    func.func @fa3(%arg0: i8) -> (i8, i8) {
      %c0_i8 = arith.constant 0 : i8
      %c-1_i8 = arith.constant -1 : i8
      return %c0_i8, %c-1_i8 : i8, i8
    }
  }
}
