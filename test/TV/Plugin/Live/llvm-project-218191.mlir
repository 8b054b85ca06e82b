// llvm/llvm-project#218191: a shift that was defined becomes poison. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="arith-int-range-narrowing{int-bitwidths-supported=16}"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'arith-int-range-narrowing':
// CHECK: INVALID: the target
// CHECK: error: the pass 'arith-int-range-narrowing' does not preserve the program: INVALID

func.func @nsh(%a: i32) -> i32 {
  %m = arith.constant 31 : i32
  %v = arith.constant 4 : i32
  %n = arith.andi %a, %m : i32
  %r = arith.shrsi %v, %n : i32
  return %r : i32
}
