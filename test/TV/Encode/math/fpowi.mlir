// RUN: panpipe-tv --expect %s

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: f32, %b: i32) -> f32 {
      %r = math.fpowi %a, %b : f32, i32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: i32) -> f32 {
      %c = arith.constant 0 : i32
      %d = arith.addi %b, %c : i32
      %r = math.fpowi %a, %d : f32, i32
      return %r : f32
    }
  }
}

// -----

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: f32, %b: i32) -> f32 {
      %r = math.fpowi %a, %b : f32, i32
      return %r : f32
    }
  }
  module @tgt {
    func.func @f(%a: f32, %b: i32) -> f32 {
      %c = arith.constant 1 : i32
      %d = arith.addi %b, %c : i32
      %r = math.fpowi %a, %d : f32, i32
      return %r : f32
    }
  }
}
