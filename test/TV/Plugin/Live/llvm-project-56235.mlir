// llvm/llvm-project#56235: the step of the folded loop may be negative. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="scf-for-loop-range-folding"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'scf-for-loop-range-folding':
// CHECK: INVALID: the target
// CHECK: error: the pass 'scf-for-loop-range-folding' does not preserve the program: INVALID

func.func @rn(%m: memref<5xi32>, %v: i32, %b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %p2 = arith.constant 2 : index
  %m2 = arith.constant -2 : index
  %k = arith.select %b, %m2, %p2 : index
  %off = arith.select %b, %c4, %c0 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %j = arith.muli %i, %k : index
    %p = arith.addi %j, %off : index
    memref.store %v, %m[%p] : memref<5xi32>
  }
  return
}
