// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<2x6xi32>) -> vector<3xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = vector.load %m[%c1, %c0] : memref<2x6xi32>, vector<3xi32>
      return %v : vector<3xi32>
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x6xi32>) -> vector<3xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = memref.load %m[%c1, %c0] : memref<2x6xi32>
      %b = memref.load %m[%c1, %c1] : memref<2x6xi32>
      %c = memref.load %m[%c1, %c2] : memref<2x6xi32>
      %v = vector.from_elements %a, %b, %c : vector<3xi32>
      return %v : vector<3xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<2x6xi32>) -> vector<3xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = vector.load %m[%c1, %c0] : memref<2x6xi32>, vector<3xi32>
      return %v : vector<3xi32>
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x6xi32>) -> vector<3xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 3 : index
      %a = memref.load %m[%c1, %c0] : memref<2x6xi32>
      %b = memref.load %m[%c1, %c1] : memref<2x6xi32>
      %c = memref.load %m[%c1, %c2] : memref<2x6xi32>
      %v = vector.from_elements %a, %b, %c : vector<3xi32>
      return %v : vector<3xi32>
    }
  }
}

// -----

// Out of bounds is undefined, so nothing has to be.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index) -> vector<2xi32> {
      %m = memref.alloc() : memref<4xi32>
      %c = arith.constant dense<7> : vector<4xi32>
      %c0 = arith.constant 0 : index
      vector.store %c, %m[%c0] : memref<4xi32>, vector<4xi32>
      %v = vector.load %m[%i] : memref<4xi32>, vector<2xi32>
      return %v : vector<2xi32>
    }
  }
  module @tgt {
    func.func @f(%i: index) -> vector<2xi32> {
      %c = arith.constant dense<7> : vector<2xi32>
      return %c : vector<2xi32>
    }
  }
}

// -----

// The other way round it may not become undefined.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index) -> vector<2xi32> {
      %c = arith.constant dense<7> : vector<2xi32>
      return %c : vector<2xi32>
    }
  }
  module @tgt {
    func.func @f(%i: index) -> vector<2xi32> {
      %m = memref.alloc() : memref<4xi32>
      %c = arith.constant dense<7> : vector<4xi32>
      %c0 = arith.constant 0 : index
      vector.store %c, %m[%c0] : memref<4xi32>, vector<4xi32>
      %v = vector.load %m[%i] : memref<4xi32>, vector<2xi32>
      return %v : vector<2xi32>
    }
  }
}
