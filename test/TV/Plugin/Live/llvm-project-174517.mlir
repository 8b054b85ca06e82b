// llvm/llvm-project#174517: a named op casts its operands in another way. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="linalg-specialize-generic-ops"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'linalg-specialize-generic-ops':
// CHECK: INVALID: the target
// CHECK: error: the pass 'linalg-specialize-generic-ops' does not preserve the program: INVALID

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @mmz(%x: tensor<2x2xi8>, %y: tensor<2x2xi8>, %z: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<2x2xi8>, tensor<2x2xi8>) outs(%z : tensor<2x2xi32>) {
  ^bb0(%p: i8, %q: i8, %o: i32):
    %pe = arith.extui %p : i8 to i32
    %qe = arith.extui %q : i8 to i32
    %m = arith.muli %pe, %qe : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<2x2xi32>
  return %r : tensor<2x2xi32>
}
