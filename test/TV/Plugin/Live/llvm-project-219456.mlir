// llvm/llvm-project#219456: each region of `scf.while` sees its own values. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="canonicalize"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'canonicalize':
// CHECK: INVALID: the target
// CHECK: error: the pass 'canonicalize' does not preserve the program: INVALID

func.func @dup(%e: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %r:3 = scf.while (%s = %c0) : (i32) -> (i32, i32, i32) {
    %k = arith.cmpi slt, %s, %c1 : i32
    %v = scf.if %k -> (i32) {
      %n = arith.addi %s, %c3 : i32
      scf.yield %n : i32
    } else {
      scf.yield %e : i32
    }
    scf.condition(%k) %v, %v, %s : i32, i32, i32
  } do {
  ^bb0(%p: i32, %q: i32, %o: i32):
    scf.yield %q : i32
  }
  return %r#2 : i32
}
