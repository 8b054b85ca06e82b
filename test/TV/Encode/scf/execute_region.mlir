// RUN: panpipe-tv --expect %s

// Several blocks.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = scf.execute_region -> i32 {
        cf.cond_br %p, ^x(%a : i32), ^y
      ^y:
        cf.br ^x(%b : i32)
      ^x(%v: i32):
        scf.yield %v : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = arith.select %p, %a, %b : i32
      return %r : i32
    }
  }
}

// -----

// Destinations exchanged.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = scf.execute_region -> i32 {
        cf.cond_br %p, ^x(%a : i32), ^y
      ^y:
        cf.br ^x(%b : i32)
      ^x(%v: i32):
        scf.yield %v : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%p: i1, %a: i32, %b: i32) -> i32 {
      %r = arith.select %p, %b, %a : i32
      return %r : i32
    }
  }
}
