// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
      %s = vector.outerproduct %x, %y, %z : vector<2xf32>, vector<2xf32>
      return %s : vector<2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
      %a = vector.broadcast %x : vector<2xf32> to vector<2x2xf32>
      %b = vector.transpose %a, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
      %c = vector.broadcast %y : vector<2xf32> to vector<2x2xf32>
      %s = math.fma %b, %c, %z : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
      %s = vector.outerproduct %x, %y, %z : vector<2xf32>, vector<2xf32>
      return %s : vector<2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
      %a = vector.broadcast %x : vector<2xf32> to vector<2x2xf32>
      %c = vector.broadcast %y : vector<2xf32> to vector<2x2xf32>
      %s = math.fma %a, %c, %z : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xi32>, %y: i32) -> vector<2xi32> {
      %s = vector.outerproduct %x, %y : vector<2xi32>, i32
      return %s : vector<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xi32>, %y: i32) -> vector<2xi32> {
      %b = vector.broadcast %y : i32 to vector<2xi32>
      %s = arith.muli %b, %x : vector<2xi32>
      return %s : vector<2xi32>
    }
  }
}

// -----

// One rounding, not two.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
      %s = vector.outerproduct %x, %y, %z : vector<2xf32>, vector<2xf32>
      return %s : vector<2x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>, %y: vector<2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
      %p = vector.outerproduct %x, %y : vector<2xf32>, vector<2xf32>
      %s = arith.addf %p, %z : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
  }
}
