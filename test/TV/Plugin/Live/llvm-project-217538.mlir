// llvm/llvm-project#217538: fast memory that was never filled is copied back. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(affine-data-copy-generate{generate-dma=false fast-mem-space=0})"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'affine-data-copy-generate':
// CHECK: INVALID: the target
// CHECK: error: the pass 'affine-data-copy-generate' does not preserve the program: INVALID

func.func @dcg(%m: memref<4xi32>, %s: i32) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    affine.store %s, %m[0] : memref<4xi32>
    memref.store %s, %m[%c0] : memref<4xi32>
  }
  return
}
