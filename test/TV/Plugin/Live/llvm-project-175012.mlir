// llvm/llvm-project#175012: `math.clampf` with NaN. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="math-expand-ops"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'math-expand-ops':
// CHECK: INVALID: the target
// CHECK: error: the pass 'math-expand-ops' does not preserve the program: INVALID

func.func @clip(%x: f32) -> f32 {
  %lo = arith.constant 1.0 : f32
  %hi = arith.constant 3.0 : f32
  %r = math.clampf %x to [%lo, %hi] : f32
  return %r : f32
}
