// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%v: f32, %x: vector<2x3xf32>) -> vector<2x3xf32> {
      %s = vector.insert %v, %x[1, 2] : f32 into vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%v: f32, %x: vector<2x3xf32>) -> vector<2x3xf32> {
      %a = vector.extract %x[1] : vector<3xf32> from vector<2x3xf32>
      %b = vector.insert %v, %a[2] : f32 into vector<3xf32>
      %s = vector.insert %b, %x[1] : vector<3xf32> into vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%v: f32, %x: vector<2x3xf32>) -> vector<2x3xf32> {
      %s = vector.insert %v, %x[1, 2] : f32 into vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%v: f32, %x: vector<2x3xf32>) -> vector<2x3xf32> {
      %a = vector.extract %x[0] : vector<3xf32> from vector<2x3xf32>
      %b = vector.insert %v, %a[2] : f32 into vector<3xf32>
      %s = vector.insert %b, %x[1] : vector<3xf32> into vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
}

// -----

// Out of bounds is poison.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%v: f32, %x: vector<2xf32>, %i: index) -> f32 {
      %s = vector.insert %v, %x[%i] : f32 into vector<2xf32>
      %r = vector.extract %s[1] : f32 from vector<2xf32>
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%v: f32, %x: vector<2xf32>, %i: index) -> f32 {
      %c1 = arith.constant 1 : index
      %b = arith.cmpi eq, %i, %c1 : index
      %e:2 = vector.to_elements %x : vector<2xf32>
      %r = arith.select %b, %v, %e#1 : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%v: f32, %x: vector<3xf32>, %i: index) -> vector<3xf32> {
      %s = vector.insert %v, %x[1] : f32 into vector<3xf32>
      return %s : vector<3xf32>
    }
  }
  module @tgt {
    func.func @f(%v: f32, %x: vector<3xf32>, %i: index) -> vector<3xf32> {
      %s = vector.insert %v, %x[%i] : f32 into vector<3xf32>
      return %s : vector<3xf32>
    }
  }
}
