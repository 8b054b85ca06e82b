// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = math.isinf %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %x = math.absf %a : f32
      %c = arith.constant 0x7F800000 : f32
      %r = arith.cmpf oeq, %x, %c : f32
      return %r : i1
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32) -> i1 {
      %r = math.isinf %a : f32
      return %r : i1
    }
  }
  module @tgt {
    func.func @f(%a: f32) -> i1 {
      %c = arith.constant 0x7F800000 : f32
      %r = arith.cmpf oeq, %a, %c : f32
      return %r : i1
    }
  }
}
