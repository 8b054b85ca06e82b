// RUN: panpipe-tv --expect %s

// llvm/llvm-project#88732: signed meaning of i1, extended multiply.

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @hi1(%arg0: i1) -> (i1, i1) {
      %true = arith.constant true
      %low, %high = arith.mulsi_extended %arg0, %true : i1
      return %low, %high : i1, i1
    }
  }
  module @tgt {
    func.func @hi1(%arg0: i1) -> (i1, i1) {
      return %arg0, %arg0 : i1, i1
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @hi1(%arg0: i1) -> (i1, i1) {
      %true = arith.constant true
      %low, %high = arith.mulsi_extended %arg0, %true : i1
      return %low, %high : i1, i1
    }
  }
  module @tgt {
    func.func @hi1(%arg0: i1) -> (i1, i1) {
      %false = arith.constant false
      return %arg0, %false : i1, i1
    }
  }
}
