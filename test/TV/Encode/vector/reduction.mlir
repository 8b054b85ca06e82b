// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<4xi32>, %a: i32) -> i32 {
      %s = vector.reduction <add>, %x, %a : vector<4xi32> into i32
      return %s : i32
    }
  }
  module @tgt {
    func.func @f(%x: vector<4xi32>, %a: i32) -> i32 {
      %e:4 = vector.to_elements %x : vector<4xi32>
      %p = arith.addi %e#3, %e#2 : i32
      %q = arith.addi %e#1, %e#0 : i32
      %r = arith.addi %p, %q : i32
      %s = arith.addi %r, %a : i32
      return %s : i32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<4xi32>, %a: i32) -> i32 {
      %s = vector.reduction <add>, %x, %a : vector<4xi32> into i32
      return %s : i32
    }
  }
  module @tgt {
    func.func @f(%x: vector<4xi32>, %a: i32) -> i32 {
      %e:4 = vector.to_elements %x : vector<4xi32>
      %p = arith.addi %e#3, %e#2 : i32
      %q = arith.addi %e#1, %e#2 : i32
      %r = arith.addi %p, %q : i32
      %s = arith.addi %r, %a : i32
      return %s : i32
    }
  }
}

// -----

// Floats have an order.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @f(%x: vector<3xf32>, %a: f32) -> f32 {
      %s = vector.reduction <add>, %x, %a : vector<3xf32> into f32
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xf32>, %a: f32) -> f32 {
      %e:3 = vector.to_elements %x : vector<3xf32>
      %p = arith.addf %e#0, %e#1 : f32
      %q = arith.addf %p, %e#2 : f32
      %r = arith.addf %q, %a : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<3xf32>) -> f32 {
      %s = vector.reduction <maximumf>, %x : vector<3xf32> into f32
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xf32>) -> f32 {
      %e:3 = vector.to_elements %x : vector<3xf32>
      %p = arith.maximumf %e#2, %e#1 : f32
      %q = arith.maximumf %p, %e#0 : f32
      return %q : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%x: vector<3xf32>) -> f32 {
      %s = vector.reduction <maximumf>, %x : vector<3xf32> into f32
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<3xf32>) -> f32 {
      %s = vector.reduction <minimumf>, %x : vector<3xf32> into f32
      return %s : f32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%x: vector<2xf32>) -> f32 {
      %s = vector.reduction <maxnumf>, %x : vector<2xf32> into f32
      return %s : f32
    }
  }
  module @tgt {
    func.func @f(%x: vector<2xf32>) -> f32 {
      %e:2 = vector.to_elements %x : vector<2xf32>
      %p = arith.maxnumf %e#0, %e#1 : f32
      return %p : f32
    }
  }
}
