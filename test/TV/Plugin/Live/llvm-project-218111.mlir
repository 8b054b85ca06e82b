// llvm/llvm-project#218111: the sign of a zero. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="math-expand-ops"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'math-expand-ops':
// CHECK: INVALID: the target
// CHECK: error: the pass 'math-expand-ops' does not preserve the program: INVALID

func.func @cz(%x: f32) -> f32 {
  %r = math.ceil %x : f32
  return %r : f32
}
