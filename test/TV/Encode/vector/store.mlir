// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<2x8xi8>, %v: vector<2xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      vector.store %v, %m[%c0, %c1] : memref<2x8xi8>, vector<2xi8>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x8xi8>, %v: vector<2xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %a = vector.extract %v[0] : i8 from vector<2xi8>
      %b = vector.extract %v[1] : i8 from vector<2xi8>
      memref.store %a, %m[%c0, %c1] : memref<2x8xi8>
      memref.store %b, %m[%c0, %c2] : memref<2x8xi8>
      return
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<2x8xi8>, %v: vector<2xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      vector.store %v, %m[%c0, %c1] : memref<2x8xi8>, vector<2xi8>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x8xi8>, %v: vector<2xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 0 : index
      %a = vector.extract %v[0] : i8 from vector<2xi8>
      %b = vector.extract %v[1] : i8 from vector<2xi8>
      memref.store %a, %m[%c0, %c1] : memref<2x8xi8>
      memref.store %b, %m[%c0, %c2] : memref<2x8xi8>
      return
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<2x8xi8>, %v: vector<2xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      vector.store %v, %m[%c0, %c1] : memref<2x8xi8>, vector<2xi8>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<2x8xi8>, %v: vector<2xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      vector.store %v, %m[%c1, %c1] : memref<2x8xi8>, vector<2xi8>
      return
    }
  }
}
