// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %b = vector.broadcast %x : vector<2x1xi32> to vector<2x2x1xi32>
      %s = vector.shape_cast %b : vector<2x2x1xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %r = vector.shape_cast %x : vector<2x1xi32> to vector<2xi32>
      %s = vector.broadcast %r : vector<2xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %b = vector.broadcast %x : vector<2x1xi32> to vector<2x2x1xi32>
      %s = vector.shape_cast %b : vector<2x2x1xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x1xi32>) -> vector<2x2xi32> {
      %s = vector.broadcast %x : vector<2x1xi32> to vector<2x2xi32>
      return %s : vector<2x2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: f32) -> vector<3xf32> {
      %s = vector.broadcast %x : f32 to vector<3xf32>
      return %s : vector<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: f32) -> vector<3xf32> {
      %s = vector.from_elements %x, %x, %x : vector<3xf32>
      return %s : vector<3xf32>
    }
  }
}
