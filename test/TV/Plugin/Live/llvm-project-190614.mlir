// llvm/llvm-project#190614: the order of elements of a broadcast that is reshaped. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="canonicalize"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'canonicalize':
// CHECK: INVALID: the target
// CHECK: error: the pass 'canonicalize' does not preserve the program: INVALID

func.func @bc(%x: vector<2x1xi32>) -> vector<2x2xi32> {
  %b = vector.broadcast %x : vector<2x1xi32> to vector<2x2x1xi32>
  %s = vector.shape_cast %b : vector<2x2x1xi32> to vector<2x2xi32>
  return %s : vector<2x2xi32>
}
