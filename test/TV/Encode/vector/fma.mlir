// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2xf32>) -> vector<2xf32> {
      %s = vector.fma %x, %y, %z : vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2xf32>) -> vector<2xf32> {
      %s = math.fma %y, %x, %z : vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2xf32>) -> vector<2xf32> {
      %s = vector.fma %x, %y, %z : vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2xf32>) -> vector<2xf32> {
      %p = arith.mulf %x, %y : vector<2xf32>
      %s = arith.addf %p, %z : vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}
