// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<4x6xf32>) -> vector<2x3xf32> {
      %s = vector.extract_strided_slice %x {offsets = [1, 2], sizes = [2, 3], strides = [1, 1]} : vector<4x6xf32> to vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<4x6xf32>) -> vector<2x3xf32> {
      %a = vector.extract_strided_slice %x {offsets = [1], sizes = [2], strides = [1]} : vector<4x6xf32> to vector<2x6xf32>
      %s = vector.extract_strided_slice %a {offsets = [0, 2], sizes = [2, 3], strides = [1, 1]} : vector<2x6xf32> to vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<4x6xf32>) -> vector<2x3xf32> {
      %s = vector.extract_strided_slice %x {offsets = [1, 2], sizes = [2, 3], strides = [1, 1]} : vector<4x6xf32> to vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<4x6xf32>) -> vector<2x3xf32> {
      %s = vector.extract_strided_slice %x {offsets = [1, 3], sizes = [2, 3], strides = [1, 1]} : vector<4x6xf32> to vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
}
