// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<1x2xf32>) -> (f32, f32) {
      %s:2 = vector.to_elements %x : vector<1x2xf32>
      return %s#1, %s#0 : f32, f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<1x2xf32>) -> (f32, f32) {
      %a = vector.extract %x[0, 1] : f32 from vector<1x2xf32>
      %b = vector.extract %x[0, 0] : f32 from vector<1x2xf32>
      return %a, %b : f32, f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<1x2xf32>) -> (f32, f32) {
      %s:2 = vector.to_elements %x : vector<1x2xf32>
      return %s#1, %s#0 : f32, f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<1x2xf32>) -> (f32, f32) {
      %s:2 = vector.to_elements %x : vector<1x2xf32>
      return %s#0, %s#1 : f32, f32
    }
  }
}
