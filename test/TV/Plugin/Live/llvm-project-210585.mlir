// llvm/llvm-project#210585: a dependence through a semi-affine index. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(test-loop-permutation{permutation-map=1,0 check-validity=1})"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'test-loop-permutation':
// CHECK: INVALID: the target
// CHECK: error: the pass 'test-loop-permutation' does not preserve the program: INVALID

func.func @unk(%a: memref<2x4x4xi32>, %p: index, %q: index) {
  affine.for %i = 1 to 4 {
    affine.for %j = 0 to 3 {
      %z = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%p, %q]
      %l = affine.load %a[%z, %i - 1, %j + 1] : memref<2x4x4xi32>
      affine.store %l, %a[%z, %i, %j] : memref<2x4x4xi32>
    }
  }
  return
}
