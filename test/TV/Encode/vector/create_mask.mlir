// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%n: index) -> vector<4xi1> {
      %s = vector.create_mask %n : vector<4xi1>
      return %s : vector<4xi1>
    }
  }
  module @tgt {
    func.func @f(%n: index) -> vector<4xi1> {
      %t = vector.step : vector<4xindex>
      %b = vector.broadcast %n : index to vector<4xindex>
      %s = arith.cmpi slt, %t, %b : vector<4xindex>
      return %s : vector<4xi1>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%n: index) -> vector<4xi1> {
      %s = vector.create_mask %n : vector<4xi1>
      return %s : vector<4xi1>
    }
  }
  module @tgt {
    func.func @f(%n: index) -> vector<4xi1> {
      %t = vector.step : vector<4xindex>
      %b = vector.broadcast %n : index to vector<4xindex>
      %s = arith.cmpi ult, %t, %b : vector<4xindex>
      return %s : vector<4xi1>
    }
  }
}
