// RUN: panpipe-tv --expect %s

// A chain of comparisons.
module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @f(%i: index, %a: i32, %b: i32, %d: i32) -> i32 {
      %r = scf.index_switch %i -> i32
      case 2 {
        scf.yield %a : i32
      }
      case 5 {
        scf.yield %b : i32
      }
      default {
        scf.yield %d : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%i: index, %a: i32, %b: i32, %d: i32) -> i32 {
      %c2 = arith.constant 2 : index
      %c5 = arith.constant 5 : index
      %p = arith.cmpi eq, %i, %c2 : index
      %q = arith.cmpi eq, %i, %c5 : index
      %s = arith.select %p, %a, %d : i32
      %r = arith.select %q, %b, %s : i32
      return %r : i32
    }
  }
}

// -----

// Two cases exchanged.
module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @f(%i: index, %a: i32, %b: i32, %d: i32) -> i32 {
      %r = scf.index_switch %i -> i32
      case 2 {
        scf.yield %a : i32
      }
      case 5 {
        scf.yield %b : i32
      }
      default {
        scf.yield %d : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @f(%i: index, %a: i32, %b: i32, %d: i32) -> i32 {
      %r = scf.index_switch %i -> i32
      case 2 {
        scf.yield %b : i32
      }
      case 5 {
        scf.yield %a : i32
      }
      default {
        scf.yield %d : i32
      }
      return %r : i32
    }
  }
}
