// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> vector<2x3xi1> {
      %s = vector.constant_mask [1, 2] : vector<2x3xi1>
      return %s : vector<2x3xi1>
    }
  }
  module @tgt {
    func.func @f() -> vector<2x3xi1> {
      %s = arith.constant dense<[[true, true, false], [false, false, false]]> : vector<2x3xi1>
      return %s : vector<2x3xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> vector<2x3xi1> {
      %s = vector.constant_mask [1, 2] : vector<2x3xi1>
      return %s : vector<2x3xi1>
    }
  }
  module @tgt {
    func.func @f() -> vector<2x3xi1> {
      %s = vector.constant_mask [2, 1] : vector<2x3xi1>
      return %s : vector<2x3xi1>
    }
  }
}
