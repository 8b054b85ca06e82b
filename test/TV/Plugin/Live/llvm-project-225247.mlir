// llvm/llvm-project#225247: elements between those of the strided loop are written. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(affine-super-vectorize{virtual-vector-size=4 test-fastest-varying=0})"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'affine-super-vectorize':
// CHECK: INVALID: the target
// CHECK: error: the pass 'affine-super-vectorize' does not preserve the program: INVALID

func.func @gap(%m: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 12 step 3 {
    affine.store %one, %m[%i + 2] : memref<16xi32>
  }
  return
}
