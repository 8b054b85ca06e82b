// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%v: vector<4xf32>, %x: tensor<6xf32>) -> tensor<6xf32> {
      %c = arith.constant 3 : index
      %s = vector.transfer_write %v, %x[%c] : vector<4xf32>, tensor<6xf32>
      return %s : tensor<6xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<4xf32>, %x: tensor<6xf32>) -> tensor<6xf32> {
      %c = arith.constant 3 : index
      %w = vector.extract_strided_slice %v {offsets = [0], sizes = [3], strides = [1]} : vector<4xf32> to vector<3xf32>
      %s = vector.transfer_write %w, %x[%c] {in_bounds = [true]} : vector<3xf32>, tensor<6xf32>
      return %s : tensor<6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%v: vector<4xf32>, %x: tensor<6xf32>) -> tensor<6xf32> {
      %c = arith.constant 3 : index
      %s = vector.transfer_write %v, %x[%c] : vector<4xf32>, tensor<6xf32>
      return %s : tensor<6xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<4xf32>, %x: tensor<6xf32>) -> tensor<6xf32> {
      %c = arith.constant 2 : index
      %s = vector.transfer_write %v, %x[%c] : vector<4xf32>, tensor<6xf32>
      return %s : tensor<6xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%v: vector<3xf32>, %x: tensor<4x3xf32>, %m: vector<3xi1>) -> tensor<4x3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = vector.transfer_write %v, %x[%c1, %c0], %m {in_bounds = [true]} : vector<3xf32>, tensor<4x3xf32>
      return %s : tensor<4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<3xf32>, %x: tensor<4x3xf32>, %m: vector<3xi1>) -> tensor<4x3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %p = arith.constant 0.0 : f32
      %o = vector.transfer_read %x[%c1, %c0], %p {in_bounds = [true]} : tensor<4x3xf32>, vector<3xf32>
      %w = arith.select %m, %v, %o : vector<3xi1>, vector<3xf32>
      %s = vector.transfer_write %w, %x[%c1, %c0] {in_bounds = [true]} : vector<3xf32>, tensor<4x3xf32>
      return %s : tensor<4x3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%v: vector<3xf32>, %x: tensor<4x3xf32>, %m: vector<3xi1>) -> tensor<4x3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = vector.transfer_write %v, %x[%c1, %c0], %m {in_bounds = [true]} : vector<3xf32>, tensor<4x3xf32>
      return %s : tensor<4x3xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<3xf32>, %x: tensor<4x3xf32>, %m: vector<3xi1>) -> tensor<4x3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %s = vector.transfer_write %v, %x[%c1, %c0] {in_bounds = [true]} : vector<3xf32>, tensor<4x3xf32>
      return %s : tensor<4x3xf32>
    }
  }
}

// -----

// A promise that nobody made.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%v: vector<2xf32>, %x: tensor<?xf32>, %i: index) -> tensor<?xf32> {
      %s = vector.transfer_write %v, %x[%i] : vector<2xf32>, tensor<?xf32>
      return %s : tensor<?xf32>
    }
  }
  module @tgt {
    func.func @f(%v: vector<2xf32>, %x: tensor<?xf32>, %i: index) -> tensor<?xf32> {
      %s = vector.transfer_write %v, %x[%i] {in_bounds = [true]} : vector<2xf32>, tensor<?xf32>
      return %s : tensor<?xf32>
    }
  }
}
