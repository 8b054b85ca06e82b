// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.addf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.addf %b, %a : f32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.addf %a, %b : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: f32) -> f32 {
      %r = arith.subf %a, %b : f32
      return %r : f32
    }
  }
}

// -----

// Adding minus zero changes nothing …
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %z = arith.constant -0.0 : f32
      %r = arith.addf %a, %z : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %r = arith.negf %n : f32
      return %r : f32
    }
  }
}

// -----

// … adding plus zero does, to minus zero.
module attributes {tv.expect = "VALID-UNDER"} {
  module @src {
    func.func @f(%a: f32) -> f32 {
      %z = arith.constant 0.0 : f32
      %r = arith.addf %a, %z : f32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> f32 {
      %n = arith.negf %a : f32
      %r = arith.negf %n : f32
      return %r : f32
    }
  }
}
