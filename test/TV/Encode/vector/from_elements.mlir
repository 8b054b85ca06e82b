// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> vector<2x2xf32> {
      %s = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> vector<2x2xf32> {
      %p = vector.broadcast %a : f32 to vector<2x2xf32>
      %q = vector.insert %b, %p[0, 1] : f32 into vector<2x2xf32>
      %s = vector.insert %b, %q[1, 0] : f32 into vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> vector<2x2xf32> {
      %s = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> vector<2x2xf32> {
      %s = vector.from_elements %a, %b, %a, %b : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
}
