// llvm/llvm-project#188263: a remainder that may be undefined is executed although the loop may run no iteration. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="loop-invariant-code-motion"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'loop-invariant-code-motion':
// CHECK: INVALID: the target
// CHECK: error: the pass 'loop-invariant-code-motion' does not preserve the program: INVALID

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
