// llvm/llvm-project#196554: a dependence carried by the loop. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(affine-loop-unroll-jam{unroll-jam-factor=2})"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'affine-loop-unroll-jam':
// CHECK: INVALID: the target
// CHECK: error: the pass 'affine-loop-unroll-jam' does not preserve the program: INVALID

func.func @stn(%a: memref<3x3xi32>) {
  affine.for %i = 1 to 3 {
    affine.for %j = 0 to 2 {
      %v = affine.load %a[%i - 1, %j + 1] : memref<3x3xi32>
      affine.store %v, %a[%i, %j] : memref<3x3xi32>
    }
  }
  return
}
