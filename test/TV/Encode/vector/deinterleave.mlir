// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<3x4xf32>) -> (vector<3x2xf32>, vector<3x2xf32>) {
      %s, %t = vector.deinterleave %x : vector<3x4xf32> -> vector<3x2xf32>
      return %s, %t : vector<3x2xf32>, vector<3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<3x4xf32>) -> (vector<3x2xf32>, vector<3x2xf32>) {
      %p, %q = vector.deinterleave %x : vector<3x4xf32> -> vector<3x2xf32>
      %b = vector.interleave %p, %q : vector<3x2xf32> -> vector<3x4xf32>
      %s, %t = vector.deinterleave %b : vector<3x4xf32> -> vector<3x2xf32>
      return %s, %t : vector<3x2xf32>, vector<3x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<3x4xf32>) -> (vector<3x2xf32>, vector<3x2xf32>) {
      %s, %t = vector.deinterleave %x : vector<3x4xf32> -> vector<3x2xf32>
      return %s, %t : vector<3x2xf32>, vector<3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<3x4xf32>) -> (vector<3x2xf32>, vector<3x2xf32>) {
      %s, %t = vector.deinterleave %x : vector<3x4xf32> -> vector<3x2xf32>
      return %t, %s : vector<3x2xf32>, vector<3x2xf32>
    }
  }
}
