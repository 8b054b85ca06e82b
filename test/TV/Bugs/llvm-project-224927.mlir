// RUN: panpipe-tv --expect %s

// llvm/llvm-project#224927: a correct rewrite that looks wrong.

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @fa13(%arg0: i8) -> i8 {
      %0 = arith.index_cast %arg0 : i8 to index
      %1 = arith.index_castui %0 : index to i8
      return %1 : i8
    }
  }
  module @tgt {
    func.func @fa13(%arg0: i8) -> i8 {
      return %arg0 : i8
    }
  }
}
