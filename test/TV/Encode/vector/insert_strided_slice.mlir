// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%v: vector<2xf32>, %x: vector<2x4xf32>) -> vector<2x4xf32> {
      %s = vector.insert_strided_slice %v, %x {offsets = [1, 2], strides = [1]} : vector<2xf32> into vector<2x4xf32>
      return %s : vector<2x4xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<2xf32>, %x: vector<2x4xf32>) -> vector<2x4xf32> {
      %a = vector.extract %v[0] : f32 from vector<2xf32>
      %b = vector.extract %v[1] : f32 from vector<2xf32>
      %c = vector.insert %a, %x[1, 2] : f32 into vector<2x4xf32>
      %s = vector.insert %b, %c[1, 3] : f32 into vector<2x4xf32>
      return %s : vector<2x4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%v: vector<2xf32>, %x: vector<2x4xf32>) -> vector<2x4xf32> {
      %s = vector.insert_strided_slice %v, %x {offsets = [1, 2], strides = [1]} : vector<2xf32> into vector<2x4xf32>
      return %s : vector<2x4xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<2xf32>, %x: vector<2x4xf32>) -> vector<2x4xf32> {
      %s = vector.insert_strided_slice %v, %x {offsets = [1, 1], strides = [1]} : vector<2xf32> into vector<2x4xf32>
      return %s : vector<2x4xf32>
    }
  }
}
