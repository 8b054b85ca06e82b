// llvm/llvm-project#216315: a flag of one cast is given to another. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="canonicalize"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'canonicalize':
// CHECK: INVALID: the target
// CHECK: error: the pass 'canonicalize' does not preserve the program: INVALID

func.func @narrow(%x: i32) -> i8 {
  %h = arith.trunci %x : i32 to i16
  %b = arith.trunci %h overflow<nuw> : i16 to i8
  return %b : i8
}
