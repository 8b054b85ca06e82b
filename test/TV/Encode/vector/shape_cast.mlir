// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x3xf32>) -> vector<6xf32> {
      %s = vector.shape_cast %x : vector<2x3xf32> to vector<6xf32>
      return %s : vector<6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3xf32>) -> vector<6xf32> {
      %a = vector.shape_cast %x : vector<2x3xf32> to vector<3x2xf32>
      %s = vector.shape_cast %a : vector<3x2xf32> to vector<6xf32>
      return %s : vector<6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2x3xf32>) -> vector<6xf32> {
      %s = vector.shape_cast %x : vector<2x3xf32> to vector<6xf32>
      return %s : vector<6xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3xf32>) -> vector<6xf32> {
      %a = vector.transpose %x, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
      %s = vector.shape_cast %a : vector<3x2xf32> to vector<6xf32>
      return %s : vector<6xf32>
    }
  }
}
