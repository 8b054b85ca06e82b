// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = arith.cmpf oeq, %a, %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %r = arith.cmpf ord, %a, %a : f32
      return %r : i1
    }
  }
}

// -----

// A NaN is not equal to itself: only for finite numbers.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = arith.cmpf oeq, %a, %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %r = arith.constant true
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> i1 {
      %r = arith.cmpf olt, %a, %b : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> i1 {
      %r = arith.cmpf ult, %a, %b : f32
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> i1 {
      %r = arith.cmpf olt, %a, %b : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> i1 {
      %r = arith.cmpf ole, %a, %b : f32
      return %r : i1
    }
  }
}
