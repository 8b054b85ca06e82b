// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x3x4xf32>) -> vector<4x2x3xf32> {
      %s = vector.transpose %x, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
      return %s : vector<4x2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3x4xf32>) -> vector<4x2x3xf32> {
      %a = vector.transpose %x, [0, 2, 1] : vector<2x3x4xf32> to vector<2x4x3xf32>
      %s = vector.transpose %a, [1, 0, 2] : vector<2x4x3xf32> to vector<4x2x3xf32>
      return %s : vector<4x2x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2x3x4xf32>) -> vector<4x2x3xf32> {
      %s = vector.transpose %x, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
      return %s : vector<4x2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3x4xf32>) -> vector<4x2x3xf32> {
      %a = vector.shape_cast %x : vector<2x3x4xf32> to vector<4x2x3xf32>
      return %a : vector<4x2x3xf32>
    }
  }
}
