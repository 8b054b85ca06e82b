// RUN: panpipe-tv --expect %s

// llvm/llvm-project#188263: immediate UB of remsi; zero-trip loops.
// n=0, b=0: source returns s without dividing; target divides by zero

module attributes {tv.expect = "INVALID"} {
  module @src {
    func.func @inv(%a: i32, %b: i32, %s: i32, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %u = arith.andi %n, %c3 : index
      %r = scf.for %i = %c0 to %u step %c1 iter_args(%acc = %s) -> (i32) {
        %m = arith.remsi %a, %b : i32
        %t = arith.addi %acc, %m : i32
        scf.yield %t : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @inv(%a: i32, %b: i32, %s: i32, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %u = arith.andi %n, %c3 : index
      %m = arith.remsi %a, %b : i32
      %r = scf.for %i = %c0 to %u step %c1 iter_args(%acc = %s) -> (i32) {
        %t = arith.addi %acc, %m : i32
        scf.yield %t : i32
      }
      return %r : i32
    }
  }
}

// -----

module attributes {tv.expect = "VALID"} {
  module @src {
    func.func @inv(%a: i32, %b: i32, %s: i32, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %u = arith.andi %n, %c3 : index
      %r = scf.for %i = %c0 to %u step %c1 iter_args(%acc = %s) -> (i32) {
        %m = arith.remsi %a, %b : i32
        %t = arith.addi %acc, %m : i32
        scf.yield %t : i32
      }
      return %r : i32
    }
  }
  module @tgt {
    func.func @inv(%a: i32, %b: i32, %s: i32, %n: index) -> i32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %u = arith.andi %n, %c3 : index
      %go = arith.cmpi ne, %u, %c0 : index
      %r = scf.if %go -> (i32) {
        %m = arith.remsi %a, %b : i32
        %q = scf.for %i = %c0 to %u step %c1 iter_args(%acc = %s) -> (i32) {
          %t = arith.addi %acc, %m : i32
          scf.yield %t : i32
        }
        scf.yield %q : i32
      } else {
        scf.yield %s : i32
      }
      return %r : i32
    }
  }
}
