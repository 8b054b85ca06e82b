// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x3xi32>, %a: vector<3xi32>) -> vector<3xi32> {
      %s = vector.multi_reduction <mul>, %x, %a [0] : vector<2x3xi32> to vector<3xi32>
      return %s : vector<3xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3xi32>, %a: vector<3xi32>) -> vector<3xi32> {
      %p = vector.extract %x[0] : vector<3xi32> from vector<2x3xi32>
      %q = vector.extract %x[1] : vector<3xi32> from vector<2x3xi32>
      %r = arith.muli %p, %q : vector<3xi32>
      %s = arith.muli %r, %a : vector<3xi32>
      return %s : vector<3xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2x3xi32>, %a: vector<3xi32>) -> vector<3xi32> {
      %s = vector.multi_reduction <mul>, %x, %a [0] : vector<2x3xi32> to vector<3xi32>
      return %s : vector<3xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x3xi32>, %a: vector<3xi32>) -> vector<3xi32> {
      %p = vector.extract %x[0] : vector<3xi32> from vector<2x3xi32>
      %q = vector.extract %x[1] : vector<3xi32> from vector<2x3xi32>
      %s = arith.muli %p, %q : vector<3xi32>
      return %s : vector<3xi32>
    }
  }
}

// -----

// In row-major order.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x2xf32>, %a: f32) -> f32 {
      %s = vector.multi_reduction <add>, %x, %a [0, 1] : vector<2x2xf32> to f32
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x2xf32>, %a: f32) -> f32 {
      %y = vector.shape_cast %x : vector<2x2xf32> to vector<4xf32>
      %s = vector.reduction <add>, %y, %a : vector<4xf32> into f32
      return %s : f32
    }
  }
}

// -----

// Without a dimension to reduce the accumulator is not read.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %a: vector<2xf32>) -> vector<2xf32> {
      %s = vector.multi_reduction <add>, %x, %a [] : vector<2xf32> to vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %a: vector<2xf32>) -> vector<2xf32> {
      return %x : vector<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %a: vector<2xf32>) -> vector<2xf32> {
      %s = vector.multi_reduction <add>, %x, %a [] : vector<2xf32> to vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %a: vector<2xf32>) -> vector<2xf32> {
      %s = arith.addf %x, %a : vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}
