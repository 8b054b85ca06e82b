// RUN: panpipe-tv --expect %s

// Arithmetic makes some NaN: which one is a pick of the operation, that shows
// where bits are read.

// The sign of a NaN that arithmetic made may be anything, of a given one not.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["finite"]} {
  module @src {
    func.func @sign(%x: f32) -> f32 {
      %k = arith.constant 1.0 : f32
      %r = math.copysign %k, %x : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @sign(%x: f32) -> f32 {
      %k = arith.constant 1.0 : f32
      %z = arith.constant -0.0 : f32
      %t = arith.addf %x, %z : f32
      %r = math.copysign %k, %t : f32
      return %r : f32
    }
  }
}

// -----

// The other way round it is a permission, but one that is not looked for.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["finite"]} {
  module @src {
    func.func @bits(%x: f32) -> i32 {
      %z = arith.constant -0.0 : f32
      %t = arith.addf %x, %z : f32
      %r = arith.bitcast %t : f32 to i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @bits(%x: f32) -> i32 {
      %r = arith.bitcast %x : f32 to i32
      return %r : i32
    }
  }
}

// -----

// The same operation gives the same bits, whatever else changes.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @sum(%x: f32, %y: f32, %n: i32) -> i32 {
      %s = arith.addf %x, %y : f32
      %b = arith.bitcast %s : f32 to i32
      %m = arith.addi %n, %n : i32
      %r = arith.xori %b, %m : i32
      return %r : i32
    }
  }
  module @tgt {
    func.func @sum(%x: f32, %y: f32, %n: i32) -> i32 {
      %one = arith.constant 1 : i32
      %s = arith.addf %y, %x : f32
      %b = arith.bitcast %s : f32 to i32
      %m = arith.shli %n, %one : i32
      %r = arith.xori %m, %b : i32
      return %r : i32
    }
  }
}

// -----

// Two sums may be two NaNs where one is one: merging them is fine,
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @merge(%x: f32, %y: f32) -> (i32, i32) {
      %s = arith.addf %x, %y : f32
      %t = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      %b = arith.bitcast %t : f32 to i32
      return %a, %b : i32, i32
    }
  }
  module @tgt {
    func.func @merge(%x: f32, %y: f32) -> (i32, i32) {
      %s = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      return %a, %a : i32, i32
    }
  }
}

// -----

// splitting them is not.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @split(%x: f32, %y: f32) -> (i32, i32) {
      %s = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      return %a, %a : i32, i32
    }
  }
  module @tgt {
    func.func @split(%x: f32, %y: f32) -> (i32, i32) {
      %s = arith.addf %x, %y : f32
      %t = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      %b = arith.bitcast %t : f32 to i32
      return %a, %b : i32, i32
    }
  }
}

// -----

// A canonical NaN is a pick the source may make, once: not with the other
// result in plain sight.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @twice(%x: f32, %y: f32) -> (i32, i32) {
      %s = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      return %a, %a : i32, i32
    }
  }
  module @tgt {
    func.func @twice(%x: f32, %y: f32) -> (i32, i32) {
      %s = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      %q = arith.constant 0x7fc00000 : i32
      %nan = arith.cmpf uno, %s, %s : f32
      %c = arith.select %nan, %q, %a : i32
      return %a, %c : i32, i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @canonical(%x: f32, %y: f32) -> i32 {
      %s = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      return %a : i32
    }
  }
  module @tgt {
    func.func @canonical(%x: f32, %y: f32) -> i32 {
      %s = arith.addf %x, %y : f32
      %a = arith.bitcast %s : f32 to i32
      %q = arith.constant 0x7fc00000 : i32
      %nan = arith.cmpf uno, %s, %s : f32
      %c = arith.select %nan, %q, %a : i32
      return %c : i32
    }
  }
}

// -----

// Element by element.
module attributes {tv.expect = "VALID", tv.assumes = []} {
  module @src {
    func.func @elements(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xi32> {
      %s = arith.mulf %x, %y : tensor<4x?xf32>
      %r = arith.bitcast %s : tensor<4x?xf32> to tensor<4x?xi32>
      return %r : tensor<4x?xi32>
    }
  }
  module @tgt {
    func.func @elements(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xi32> {
      %s = arith.mulf %y, %x : tensor<4x?xf32>
      %r = arith.bitcast %s : tensor<4x?xf32> to tensor<4x?xi32>
      return %r : tensor<4x?xi32>
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @elements(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xi32> {
      %s = arith.mulf %x, %y : tensor<4x?xf32>
      %r = arith.bitcast %s : tensor<4x?xf32> to tensor<4x?xi32>
      return %r : tensor<4x?xi32>
    }
  }
  module @tgt {
    func.func @elements(%x: tensor<4x?xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xi32> {
      %s = arith.addf %y, %x : tensor<4x?xf32>
      %r = arith.bitcast %s : tensor<4x?xf32> to tensor<4x?xi32>
      return %r : tensor<4x?xi32>
    }
  }
}
