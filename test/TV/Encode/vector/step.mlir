// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f() -> vector<3xindex> {
      %s = vector.step : vector<3xindex>
      return %s : vector<3xindex>
    }
  }
  module @tgt {
    func.func @f() -> vector<3xindex> {
      %s = arith.constant dense<[0, 1, 2]> : vector<3xindex>
      return %s : vector<3xindex>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f() -> vector<3xindex> {
      %s = vector.step : vector<3xindex>
      return %s : vector<3xindex>
    }
  }
  module @tgt {
    func.func @f() -> vector<3xindex> {
      %s = arith.constant dense<[1, 2, 3]> : vector<3xindex>
      return %s : vector<3xindex>
    }
  }
}
