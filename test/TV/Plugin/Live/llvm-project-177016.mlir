// llvm/llvm-project#177016: the address of an n-D `vector.load` behind a reshape. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="fold-memref-alias-ops"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'fold-memref-alias-ops':
// CHECK: INVALID: the target
// CHECK: error: the pass 'fold-memref-alias-ops' does not preserve the program: INVALID

func.func @ex(%m: memref<2x6xi32>) -> vector<2x3xi32> {
  %c0 = arith.constant 0 : index
  %e = memref.expand_shape %m [[0], [1, 2]] output_shape [2, 2, 3] : memref<2x6xi32> into memref<2x2x3xi32>
  %v = vector.load %e[%c0, %c0, %c0] : memref<2x2x3xi32>, vector<2x3xi32>
  return %v : vector<2x3xi32>
}
