// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<4xf32> {
      %s = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
      return %s : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<4xf32> {
      %s = vector.shuffle %a, %b [0, 2, 1, 3] : vector<2xf32>, vector<2xf32>
      return %s : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<4xf32> {
      %s = vector.interleave %a, %b : vector<2xf32> -> vector<4xf32>
      return %s : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<4xf32> {
      %s = vector.interleave %b, %a : vector<2xf32> -> vector<4xf32>
      return %s : vector<4xf32>
    }
  }
}
