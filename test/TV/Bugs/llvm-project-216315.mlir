// RUN: panpipe-tv --expect %s

// llvm/llvm-project#216315: poison flags on casts.
// x = 65536+7: source trunc to 7 then 7 fits in 8 bits; target drops set bits under nuw -> poison

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @narrow(%arg0: i32) -> i8 {
      %0 = arith.trunci %arg0 : i32 to i16
      %1 = arith.trunci %0 overflow<nuw> : i16 to i8
      return %1 : i8
    }
  }
  module @tgt {
    func.func @narrow(%arg0: i32) -> i8 {
      %0 = arith.trunci %arg0 overflow<nuw> : i32 to i8
      return %0 : i8
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @narrow(%arg0: i32) -> i8 {
      %0 = arith.trunci %arg0 : i32 to i16
      %1 = arith.trunci %0 overflow<nuw> : i16 to i8
      return %1 : i8
    }
  }
  module @tgt {
    func.func @narrow(%arg0: i32) -> i8 {
      %0 = arith.trunci %arg0 : i32 to i8
      return %0 : i8
    }
  }
}
