// What the pass does, and that it is right for every input.
// RUN: %prove %s --pass-pipeline='builtin.module(tv-validate{strict=true pipeline="halve"})' | FileCheck %s
// With signed divisions it is wrong, and -1 shows it.
// RUN: not %prove %s --pass-pipeline='builtin.module(tv-validate{pipeline="halve{signed=true}"})' 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-LABEL: func.func @unsigned
// CHECK: arith.shrui
func.func @unsigned(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %0 = arith.divui %x, %two : i32
  return %0 : i32
}

// CHECK-LABEL: func.func @signed
// CHECK: arith.divsi
// WRONG: @signed  INVALID
// WRONG: %arg0 : i32 = -1
// WRONG: HalvePattern
// WRONG-SAME: on 'arith.divsi'
func.func @signed(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %0 = arith.divsi %x, %two : i32
  return %0 : i32
}
