// llvm/llvm-project#139925: rounds once instead of twice, to another float. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="canonicalize"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'canonicalize':
// CHECK: INVALID: the target
// CHECK: error: the pass 'canonicalize' does not preserve the program: INVALID

func.func @cv(%x: i64) -> f32 {
  %d = arith.sitofp %x : i64 to f64
  %s = arith.truncf %d : f64 to f32
  return %s : f32
}
