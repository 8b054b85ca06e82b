// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<6xf32>) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %c4 = arith.constant 4 : index
      %s = vector.transfer_read %x[%c4], %p : tensor<6xf32>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<6xf32>) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %a = tensor.extract %x[%c4] : tensor<6xf32>
      %b = tensor.extract %x[%c5] : tensor<6xf32>
      %s = vector.from_elements %a, %b, %p, %p : vector<4xf32>
      return %s : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<6xf32>) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %c4 = arith.constant 4 : index
      %s = vector.transfer_read %x[%c4], %p : tensor<6xf32>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<6xf32>) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %c4 = arith.constant 4 : index
      %s = vector.transfer_read %x[%c4], %p {in_bounds = [true]} : tensor<6xf32>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<6xf32>, %i: index) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %s = vector.transfer_read %x[%i], %p : tensor<6xf32>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<6xf32>, %i: index) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %s = vector.transfer_read %x[%i], %p {in_bounds = [true]} : tensor<6xf32>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<?xf32>, %i: index, %m: vector<4xi1>) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %s = vector.transfer_read %x[%i], %p, %m : tensor<?xf32>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<?xf32>, %i: index, %m: vector<4xi1>) -> vector<4xf32> {
      %p = arith.constant 0.0 : f32
      %z = arith.constant dense<0.0> : vector<4xf32>
      %r = vector.transfer_read %x[%i], %p : tensor<?xf32>, vector<4xf32>
      %s = arith.select %m, %r, %z : vector<4xi1>, vector<4xf32>
      return %s : vector<4xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x6xf32>) -> vector<3x2xf32> {
      %p = arith.constant 0.0 : f32
      %c1 = arith.constant 1 : index
      %s = vector.transfer_read %x[%c1, %c1], %p {in_bounds = [true, true], permutation_map = affine_map<(a, b) -> (b, a)>} : tensor<4x6xf32>, vector<3x2xf32>
      return %s : vector<3x2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x6xf32>) -> vector<3x2xf32> {
      %p = arith.constant 1.0 : f32
      %c1 = arith.constant 1 : index
      %t = vector.transfer_read %x[%c1, %c1], %p : tensor<4x6xf32>, vector<2x3xf32>
      %s = vector.transpose %t, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
      return %s : vector<3x2xf32>
    }
  }
}

// -----

// Padding is a value like any other.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<4xf32>) -> vector<3xf32> {
      %p = arith.constant 0.0 : f32
      %c2 = arith.constant 2 : index
      %s = vector.transfer_read %x[%c2], %p : tensor<4xf32>, vector<3xf32>
      return %s : vector<3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4xf32>) -> vector<3xf32> {
      %p = arith.constant 1.0 : f32
      %c2 = arith.constant 2 : index
      %s = vector.transfer_read %x[%c2], %p : tensor<4xf32>, vector<3xf32>
      return %s : vector<3xf32>
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<4x3xf32>) -> vector<2x3xf32> {
      %p = arith.constant 0.0 : f32
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %s = vector.transfer_read %x[%c1, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(a, b) -> (0, b)>} : tensor<4x3xf32>, vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<4x3xf32>) -> vector<2x3xf32> {
      %p = arith.constant 0.0 : f32
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %t = vector.transfer_read %x[%c1, %c0], %p {in_bounds = [true]} : tensor<4x3xf32>, vector<3xf32>
      %s = vector.broadcast %t : vector<3xf32> to vector<2x3xf32>
      return %s : vector<2x3xf32>
    }
  }
}
