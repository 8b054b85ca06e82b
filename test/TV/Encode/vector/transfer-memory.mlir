// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<6xf32>) -> vector<4xf32> {
      %p = arith.constant 2.5 : f32
      %c3 = arith.constant 3 : index
      %v = vector.transfer_read %m[%c3], %p : memref<6xf32>, vector<4xf32>
      return %v : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xf32>) -> vector<4xf32> {
      %p = arith.constant 2.5 : f32
      %c3 = arith.constant 3 : index
      %w = vector.load %m[%c3] : memref<6xf32>, vector<3xf32>
      %0 = vector.extract %w[0] : f32 from vector<3xf32>
      %1 = vector.extract %w[1] : f32 from vector<3xf32>
      %2 = vector.extract %w[2] : f32 from vector<3xf32>
      %v = vector.from_elements %0, %1, %2, %p : vector<4xf32>
      return %v : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<6xf32>) -> vector<4xf32> {
      %p = arith.constant 2.5 : f32
      %c3 = arith.constant 3 : index
      %v = vector.transfer_read %m[%c3], %p : memref<6xf32>, vector<4xf32>
      return %v : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xf32>) -> vector<4xf32> {
      %p = arith.constant 1.5 : f32
      %c3 = arith.constant 3 : index
      %w = vector.load %m[%c3] : memref<6xf32>, vector<3xf32>
      %0 = vector.extract %w[0] : f32 from vector<3xf32>
      %1 = vector.extract %w[1] : f32 from vector<3xf32>
      %2 = vector.extract %w[2] : f32 from vector<3xf32>
      %v = vector.from_elements %0, %1, %2, %p : vector<4xf32>
      return %v : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>) {
      %c3 = arith.constant 3 : index
      vector.transfer_write %v, %m[%c3] : vector<4xf32>, memref<6xf32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>) {
      %c = arith.constant 3 : index
      %w = vector.extract_strided_slice %v {offsets = [0], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
      vector.store %w, %m[%c] : memref<6xf32>, vector<3xf32>
      return
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>) {
      %c3 = arith.constant 3 : index
      vector.transfer_write %v, %m[%c3] : vector<4xf32>, memref<6xf32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>) {
      %c = arith.constant 2 : index
      %w = vector.extract_strided_slice %v {offsets = [0], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
      vector.store %w, %m[%c] : memref<6xf32>, vector<3xf32>
      return
    }
  }
}

// -----

// A lane whose mask is off is no access.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>, %k: vector<4xi1>) {
      %p = arith.constant 0.0 : f32
      %c1 = arith.constant 1 : index
      %old = vector.load %m[%c1] : memref<6xf32>, vector<4xf32>
      %new = arith.select %k, %v, %old : vector<4xi1>, vector<4xf32>
      vector.store %new, %m[%c1] : memref<6xf32>, vector<4xf32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>, %k: vector<4xi1>) {
      %c1 = arith.constant 1 : index
      vector.transfer_write %v, %m[%c1], %k {in_bounds = [true]} : vector<4xf32>, memref<6xf32>
      return
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>, %k: vector<4xi1>) {
      %p = arith.constant 0.0 : f32
      %c1 = arith.constant 1 : index
      %old = vector.load %m[%c1] : memref<6xf32>, vector<4xf32>
      %new = arith.select %k, %old, %v : vector<4xi1>, vector<4xf32>
      vector.store %new, %m[%c1] : memref<6xf32>, vector<4xf32>
      return
    }
  }
  module @tgt {
    func.func @f(%m: memref<6xf32>, %v: vector<4xf32>, %k: vector<4xi1>) {
      %c1 = arith.constant 1 : index
      vector.transfer_write %v, %m[%c1], %k {in_bounds = [true]} : vector<4xf32>, memref<6xf32>
      return
    }
  }
}
