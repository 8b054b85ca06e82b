// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<3xi32>, %m: vector<3xi1>, %a: i32) -> i32 {
      %s = vector.mask %m { vector.reduction <add>, %x, %a : vector<3xi32> into i32 } : vector<3xi1> -> i32
      return %s : i32
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xi32>, %m: vector<3xi1>, %a: i32) -> i32 {
      %c = arith.constant dense<0> : vector<3xi32>
      %y = arith.select %m, %x, %c : vector<3xi1>, vector<3xi32>
      %s = vector.reduction <add>, %y, %a : vector<3xi32> into i32
      return %s : i32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<3xi32>, %m: vector<3xi1>, %a: i32) -> i32 {
      %s = vector.mask %m { vector.reduction <add>, %x, %a : vector<3xi32> into i32 } : vector<3xi1> -> i32
      return %s : i32
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xi32>, %m: vector<3xi1>, %a: i32) -> i32 {
      %s = vector.reduction <add>, %x, %a : vector<3xi32> into i32
      return %s : i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2x2xi32>, %m: vector<2x2xi1>, %a: vector<2xi32>) -> vector<2xi32> {
      %s = vector.mask %m { vector.multi_reduction <maxsi>, %x, %a [1] : vector<2x2xi32> to vector<2xi32> } : vector<2x2xi1> -> vector<2xi32>
      return %s : vector<2xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<2x2xi32>, %m: vector<2x2xi1>, %a: vector<2xi32>) -> vector<2xi32> {
      %c = arith.constant dense<-2147483648> : vector<2x2xi32>
      %y = arith.select %m, %x, %c : vector<2x2xi1>, vector<2x2xi32>
      %s = vector.multi_reduction <maxsi>, %y, %a [1] : vector<2x2xi32> to vector<2xi32>
      return %s : vector<2xi32>
    }
  }
}

// -----

module attributes {tv.expect = "UNSUPPORTED"} {
  module @src {
    func.func @f(%x: vector<3xi32>, %y: vector<3xi32>, %m: vector<3xi1>) -> vector<3xi32> {
      %t = tensor.empty() : tensor<3xi32>
      %c0 = arith.constant 0 : index
      %z = arith.constant 0 : i32
      %s = vector.mask %m, %y { vector.transfer_read %t[%c0], %z : tensor<3xi32>, vector<3xi32> } : vector<3xi1> -> vector<3xi32>
      return %s : vector<3xi32>
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xi32>, %y: vector<3xi32>, %m: vector<3xi1>) -> vector<3xi32> {
      return %x : vector<3xi32>
    }
  }
}
