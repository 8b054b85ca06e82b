// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) -> vector<3xf32> {
      %s = vector.shuffle %a, %b [4, 0, 1] : vector<2xf32>, vector<3xf32>
      return %s : vector<3xf32>
    }
  }
  module @tgt {
    func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) -> vector<3xf32> {
      %p = vector.extract %b[2] : f32 from vector<3xf32>
      %q:2 = vector.to_elements %a : vector<2xf32>
      %s = vector.from_elements %p, %q#0, %q#1 : vector<3xf32>
      return %s : vector<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) -> vector<3xf32> {
      %s = vector.shuffle %a, %b [4, 0, 1] : vector<2xf32>, vector<3xf32>
      return %s : vector<3xf32>
    }
  }
  module @tgt {
    func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) -> vector<3xf32> {
      %s = vector.shuffle %a, %b [3, 0, 1] : vector<2xf32>, vector<3xf32>
      return %s : vector<3xf32>
    }
  }
}

// -----

// A lane numbered -1 is poison.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<2xf32> {
      %s = vector.shuffle %a, %b [-1, 3] : vector<2xf32>, vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<2xf32> {
      return %b : vector<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<2xf32> {
      return %b : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%a: vector<2xf32>, %b: vector<2xf32>) -> vector<2xf32> {
      %s = vector.shuffle %a, %b [-1, 3] : vector<2xf32>, vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}
