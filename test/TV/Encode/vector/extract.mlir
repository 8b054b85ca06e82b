// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<4x3xf32>) -> f32 {
      %s = vector.extract %x[2, 1] : f32 from vector<4x3xf32>
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<4x3xf32>) -> f32 {
      %a = vector.extract %x[2] : vector<3xf32> from vector<4x3xf32>
      %s = vector.extract %a[1] : f32 from vector<3xf32>
      return %s : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<4x3xf32>) -> f32 {
      %s = vector.extract %x[2, 1] : f32 from vector<4x3xf32>
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<4x3xf32>) -> f32 {
      %s = vector.extract %x[1, 2] : f32 from vector<4x3xf32>
      return %s : f32
    }
  }
}

// -----

// Out of bounds is poison: any element will do.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %i: index) -> f32 {
      %s = vector.extract %x[%i] : f32 from vector<2xf32>
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %i: index) -> f32 {
      %c0 = arith.constant 0 : index
      %b = arith.cmpi eq, %i, %c0 : index
      %e:2 = vector.to_elements %x : vector<2xf32>
      %s = arith.select %b, %e#0, %e#1 : f32
      return %s : f32
    }
  }
}

// -----

// Which is no reason to go out of bounds.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %i: index) -> f32 {
      %c0 = arith.constant 0 : index
      %b = arith.cmpi eq, %i, %c0 : index
      %e:2 = vector.to_elements %x : vector<2xf32>
      %s = arith.select %b, %e#0, %e#1 : f32
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %i: index) -> f32 {
      %s = vector.extract %x[%i] : f32 from vector<2xf32>
      return %s : f32
    }
  }
}

// -----

// Minus one is poison.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<4xf32>) -> f32 {
      %s = vector.extract %x[0] : f32 from vector<4xf32>
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<4xf32>) -> f32 {
      %s = vector.extract %x[-1] : f32 from vector<4xf32>
      return %s : f32
    }
  }
}
