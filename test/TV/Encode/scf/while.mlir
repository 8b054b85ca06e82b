// RUN: panpipe-tv --expect %s

// A counted loop.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %n = arith.constant 3 : i32
      %r:2 = scf.while (%i = %z, %s = %z) : (i32, i32) -> (i32, i32) {
        %p = arith.cmpi slt, %i, %n : i32
        scf.condition(%p) %i, %s : i32, i32
      } do {
      ^bb0(%i: i32, %s: i32):
        %j = arith.addi %i, %o : i32
        %t = arith.addi %s, %a : i32
        scf.yield %j, %t : i32, i32
      }
      return %r#1 : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      %n = arith.constant 3 : i32
      %r = arith.muli %a, %n : i32
      return %r : i32
    }
  }
}

// -----

// One iteration too many.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%a: i32) -> i32 {
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %n = arith.constant 3 : i32
      %r:2 = scf.while (%i = %z, %s = %z) : (i32, i32) -> (i32, i32) {
        %p = arith.cmpi sle, %i, %n : i32
        scf.condition(%p) %i, %s : i32, i32
      } do {
      ^bb0(%i: i32, %s: i32):
        %j = arith.addi %i, %o : i32
        %t = arith.addi %s, %a : i32
        scf.yield %j, %t : i32, i32
      }
      return %r#1 : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32) -> i32 {
      %n = arith.constant 3 : i32
      %r = arith.muli %a, %n : i32
      return %r : i32
    }
  }
}

// -----

// A run-time bound: so far as iterations are looked at.
module attributes {tv.expect = "VALID-UNDER", tv.assumes = ["bounded-trips"], tv.reflexive = false} {
  module @src {
    func.func @f(%a: i32, %n: i32) -> i32 {
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %r:2 = scf.while (%i = %z, %s = %z) : (i32, i32) -> (i32, i32) {
        %p = arith.cmpi slt, %i, %n : i32
        scf.condition(%p) %i, %s : i32, i32
      } do {
      ^bb0(%i: i32, %s: i32):
        %j = arith.addi %i, %o : i32
        %t = arith.addi %s, %a : i32
        scf.yield %j, %t : i32, i32
      }
      return %r#1 : i32
    }
  }
  module @tgt {
    func.func @f(%a: i32, %n: i32) -> i32 {
      %z = arith.constant 0 : i32
      %o = arith.constant 1 : i32
      %r:2 = scf.while (%i = %z, %s = %z) : (i32, i32) -> (i32, i32) {
        %p = arith.cmpi slt, %i, %n : i32
        scf.condition(%p) %i, %s : i32, i32
      } do {
      ^bb0(%i: i32, %s: i32):
        %j = arith.addi %o, %i : i32
        %t = arith.addi %a, %s : i32
        scf.yield %j, %t : i32, i32
      }
      return %r#1 : i32
    }
  }
}
