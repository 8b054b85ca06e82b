// llvm/llvm-project#203693: iterations outside of the range are executed. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(scf-parallel-loop-tiling{parallel-loop-tile-sizes=2 no-min-max-bounds=true})"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'scf-parallel-loop-tiling':
// CHECK: INVALID: the target
// CHECK: error: the pass 'scf-parallel-loop-tiling' does not preserve the program: INVALID

func.func @pt(%m: memref<12xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c12 = arith.constant 12 : index
  scf.parallel (%i) = (%c0) to (%c12) step (%c4) {
    memref.store %v, %m[%i] : memref<12xi32>
    scf.reduce
  }
  return
}
