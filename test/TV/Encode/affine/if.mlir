// RUN: panpipe-tv --expect %s

// A constraint as a comparison.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
      %r = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> i32 {
        affine.yield %a : i32
      } else {
        affine.yield %b : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
      %c2 = arith.constant -1 : index
      %p = arith.cmpi sgt, %i, %c2 : index
      %r = arith.select %p, %a, %b : i32
      return %r : i32
    }
  }
}

// -----

// The machine wraps: i - 3 is not negative for the smallest i.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
      %r = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) -> i32 {
        affine.yield %a : i32
      } else {
        affine.yield %b : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
      %c2 = arith.constant 2 : index
      %p = arith.cmpi sgt, %i, %c2 : index
      %r = arith.select %p, %a, %b : i32
      return %r : i32
    }
  }
}

// -----

// Off by one.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
      %r = affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) -> i32 {
        affine.yield %a : i32
      } else {
        affine.yield %b : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%i: index, %a: i32, %b: i32) -> i32 {
      %c3 = arith.constant 3 : index
      %p = arith.cmpi sgt, %i, %c3 : index
      %r = arith.select %p, %a, %b : i32
      return %r : i32
    }
  }
}
