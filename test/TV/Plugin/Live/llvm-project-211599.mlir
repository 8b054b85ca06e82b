// llvm/llvm-project#211599: an unknown call may write the buffer. Still there in mlir-opt 22.1.8.
// RUN: not mlir-opt %s --load-pass-plugin=%tv_plugin --pass-pipeline='builtin.module(tv-validate{pipeline="func.func(affine-loop-fusion{mode=producer maximal})"})' -o /dev/null 2>&1 | FileCheck %s
// CHECK: after pass 'affine-loop-fusion':
// CHECK: INVALID: the target
// CHECK: error: the pass 'affine-loop-fusion' does not preserve the program: INVALID

func.func private @touch(memref<?xi32>)
func.func @esc(%in: memref<8xi32>, %mid: memref<8xi32>, %out: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %in[%i] : memref<8xi32>
    %b = arith.addi %a, %a : i32
    affine.store %b, %mid[%i] : memref<8xi32>
  }
  %v = memref.cast %mid : memref<8xi32> to memref<?xi32>
  func.call @touch(%v) : (memref<?xi32>) -> ()
  affine.for %i = 0 to 8 {
    %a = affine.load %mid[%i] : memref<8xi32>
    affine.store %a, %out[%i] : memref<8xi32>
  }
  return
}
