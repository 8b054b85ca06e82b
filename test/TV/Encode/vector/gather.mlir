// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<8xf32>, %m: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
      %c0 = arith.constant 0 : index
      %i = arith.constant dense<[5, 2]> : vector<2xi32>
      %s = vector.gather %x[%c0][%i], %m, %p : tensor<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<8xf32>, %m: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
      %c5 = arith.constant 5 : index
      %c2 = arith.constant 2 : index
      %a = tensor.extract %x[%c5] : tensor<8xf32>
      %b = tensor.extract %x[%c2] : tensor<8xf32>
      %g = vector.from_elements %a, %b : vector<2xf32>
      %s = arith.select %m, %g, %p : vector<2xi1>, vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<8xf32>, %m: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
      %c0 = arith.constant 0 : index
      %i = arith.constant dense<[5, 2]> : vector<2xi32>
      %s = vector.gather %x[%c0][%i], %m, %p : tensor<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<8xf32>, %m: vector<2xi1>, %p: vector<2xf32>) -> vector<2xf32> {
      %c0 = arith.constant 0 : index
      %i = arith.constant dense<[2, 5]> : vector<2xi32>
      %s = vector.gather %x[%c0][%i], %m, %p : tensor<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}

// -----

// A lane that is off may point anywhere.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: tensor<8xf32>, %p: vector<2xf32>) -> vector<2xf32> {
      %c0 = arith.constant 0 : index
      %m = vector.constant_mask [1] : vector<2xi1>
      %i = arith.constant dense<[5, 9]> : vector<2xi32>
      %s = vector.gather %x[%c0][%i], %m, %p : tensor<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
      return %s : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<8xf32>, %p: vector<2xf32>) -> vector<2xf32> {
      %c5 = arith.constant 5 : index
      %a = tensor.extract %x[%c5] : tensor<8xf32>
      %s = vector.insert %a, %p[0] : f32 into vector<2xf32>
      return %s : vector<2xf32>
    }
  }
}

// -----

// One that is on may not.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: tensor<8xf32>, %p: vector<2xf32>, %m: vector<2xi1>) -> vector<2xf32> {
      return %p : vector<2xf32>
    }
  }
  module @tgt {
    func.func @f(%x: tensor<8xf32>, %p: vector<2xf32>, %m: vector<2xi1>) -> vector<2xf32> {
      %c0 = arith.constant 0 : index
      %i = arith.constant dense<[5, 9]> : vector<2xi32>
      %s = vector.gather %x[%c0][%i], %m, %p : tensor<8xf32>, vector<2xi32>, vector<2xi1>, vector<2xf32> into vector<2xf32>
      return %p : vector<2xf32>
    }
  }
}
